// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark machine without measuring: what was measured before, or what would be. Each returns the
// command's status.
#ifndef ROOFMARK_COMMAND_MACHINE_SHOW_H_
#define ROOFMARK_COMMAND_MACHINE_SHOW_H_

#include <string>

#include "benchmarks/machine/plan.h"
#include "lib/model/machine.h"

namespace roofmark::cli {

// The table and the roofs on stdout.
void ShowMachine(const Machine& machine);

// Of `file`, or (empty) of this machine's kept measurement, and why that may no longer hold. The
// picture goes to `svg` unless that is empty.
int ShowMachineFile(const std::string& file, const std::string& svg, bool force);

// For the machine that an hwloc XML file describes. hwloc may crash on a file that lstopo did not
// write, so this command is executed once more, with --in-child, and its output is shown.
int ShowMachinePlan(const std::string& topology_file, Effort effort);
// What the child does: the plan, or the error, goes to standard output.
int ShowMachinePlanInChild(const std::string& topology_file, Effort effort);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MACHINE_SHOW_H_
