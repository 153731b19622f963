// SPDX-License-Identifier: BSD-3-Clause
//
// Where `roofmark machine` keeps what it measured: at the end, and meanwhile for the case that the
// process is killed before its end.
#ifndef ROOFMARK_COMMAND_MACHINE_KEEPER_H_
#define ROOFMARK_COMMAND_MACHINE_KEEPER_H_

#include <optional>
#include <string>

#include "lib/model/machine.h"

namespace roofmark::cli {

class MachineKeeper {
 public:
  // `output` as OutputOf(): a file, "-", or "" for the user's cache.
  MachineKeeper(std::string output, bool force) : output_(std::move(output)), force_(force) {}

  // A machine that is not measured to its end. Replaces no file of others and no complete
  // measurement of the cache that can be trusted; says nothing if it cannot be kept.
  void KeepSoFar(const Machine& machine);

  // Returns where the machine is kept, or nothing after saying why not: an incomplete or
  // contradictory one does not replace a better one of the cache. A name that was free before
  // the measurement may be taken after it: the file gets a number then.
  std::optional<std::string> Keep(const Machine& machine);

 private:
  std::optional<std::string> KeepInFile(const Machine& machine);
  static std::optional<std::string> KeepInCache(const Machine& machine);

  const std::string output_;
  const bool force_;
  bool ours_ = false;  // the file of that name
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MACHINE_KEEPER_H_
