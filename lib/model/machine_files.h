// SPDX-License-Identifier: BSD-3-Clause
//
// Where a measured machine is kept between runs: one file per kind of node in the user's cache.
#ifndef ROOFMARK_LIB_MODEL_MACHINE_FILES_H_
#define ROOFMARK_LIB_MODEL_MACHINE_FILES_H_

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

// The measurement of this machine. Error: there is none ("run `roofmark machine --quick`"), or it
// cannot be read.
Result<KeptMachine> LoadMachineFile();

// Writes the file of a machine in place of an older measurement. Returns the path.
Result<std::string> StoreMachineFile(const Machine& machine);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_MACHINE_FILES_H_
