// SPDX-License-Identifier: BSD-3-Clause
//
// Two measured machines side by side, at most 80 columns wide.
#ifndef ROOFMARK_COMMAND_MACHINE_COMPARE_H_
#define ROOFMARK_COMMAND_MACHINE_COMPARE_H_

#include <string>
#include <vector>

#include "command/options.h"
#include "lib/model/machine.h"

namespace roofmark::cli {

struct NamedMachine {
  std::string name;  // the file's name
  Machine machine;
};

// Facts of the hardware that differ; each ceiling that both have, on one core and on all, with
// second / first; then what only one of them has. A difference that exceeds 5 % and what other runs
// on either may give (noise, and the spread over nodes) is marked.
std::string MachineComparison(const NamedMachine& first, const NamedMachine& second);

// Prints it for two machine files, or for one and this machine's kept measurement. Returns the exit
// status: 0, also where machines differ, or kFailure after saying what cannot be read.
int CompareMachines(const std::vector<std::string>& files);

// Adds `--compare FILE [FILE2]` to `command`, which must have its other options by then: none of
// them may stand beside it.
void AddMachineCompare(const Command& command, std::vector<std::string>& files);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MACHINE_COMPARE_H_
