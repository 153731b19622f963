// SPDX-License-Identifier: BSD-3-Clause
//
// A measured machine as text for people, at most 80 columns wide.
#ifndef ROOFMARK_LIB_CLI_MACHINE_TABLE_H_
#define ROOFMARK_LIB_CLI_MACHINE_TABLE_H_

#include <string>

#include "lib/model/machine.h"

namespace roofmark::cli {

// CPU and caches, arithmetic by kind and width, bandwidth by level, clock; on one core and on all.
// What was not measured is left blank; notes and warnings follow.
std::string MachineTable(const Machine& machine);

}  // namespace roofmark::cli

#endif  // ROOFMARK_LIB_CLI_MACHINE_TABLE_H_
