// SPDX-License-Identifier: BSD-3-Clause
//
// A measured machine as text for people, at most 80 columns wide.
#ifndef ROOFMARK_COMMAND_MACHINE_TABLE_H_
#define ROOFMARK_COMMAND_MACHINE_TABLE_H_

#include <string>

#include "lib/model/machine.h"

namespace roofmark::cli {

// What it is; the roofs; arithmetic by precision, kind and width; bandwidth and latency by level;
// DRAM against active cores; NUMA nodes; what is left when cores idle; clock. On one core and on
// all where nothing else is said. What was not measured is blank or has no row; noisy figures carry
// a mark; notes and warnings follow.
std::string MachineTable(const Machine& machine);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_MACHINE_TABLE_H_
