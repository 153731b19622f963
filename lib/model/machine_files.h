// SPDX-License-Identifier: BSD-3-Clause
//
// Where a measured machine is kept between runs: one file per kind of node, in the user's cache.
// Files of other machines are looked for in two more places, for a job runs on nodes of several
// kinds.
#ifndef ROOFMARK_LIB_MODEL_MACHINE_FILES_H_
#define ROOFMARK_LIB_MODEL_MACHINE_FILES_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/core/result.h"
#include "lib/model/machine.h"

namespace roofmark {

// $XDG_CACHE_HOME/roofmark/machine-<key>.json, or the same in ~/.cache; `machine` needs its
// identity only. Error: neither variable names a place.
Result<std::string> MachineFilePath(const Machine& machine);

struct KeptMachine {
  Machine machine;
  std::string path;
  std::vector<std::string> stale;  // why it may no longer hold; empty: it holds
};

// The measurement of this machine: of the name above, in the directory ROOFMARK_MACHINE_DIR, else
// in the cache. Error: there is none ("run `roofmark machine --quick`"), or it cannot be read.
Result<KeptMachine> LoadMachineFile();

// The measurement of a kind of node: in the directory `beside` (empty: none), else as above.
// Nothing if there is none. Error: it cannot be read, or is of another kind than its name says.
Result<std::optional<KeptMachine>> FindMachineFile(const std::string& kind,
                                                   const std::string& beside);

// Writes the file of a machine in place of an older measurement. Returns the path.
Result<std::string> StoreMachineFile(const Machine& machine);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_MACHINE_FILES_H_
