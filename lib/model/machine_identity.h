// SPDX-License-Identifier: BSD-3-Clause
//
// Which machine this is, and whether a measurement of it still holds.
#ifndef ROOFMARK_LIB_MODEL_MACHINE_IDENTITY_H_
#define ROOFMARK_LIB_MODEL_MACHINE_IDENTITY_H_

#include <string>
#include <vector>

#include "lib/model/machine.h"

namespace roofmark {

// Fills the fields of `machine` that say what it is: CPU, microcode, kernel, firmware, cpuset,
// memory. What a machine does not tell stays empty or 0. `root` stands before /proc and /sys, so
// that recorded machines can be read.
void FillIdentity(Machine& machine, const std::string& root = "");

// Why ceilings measured on `measured` may not hold on `now`: one phrase each ("other microcode:
// 0x1, now 0x2"); empty if nothing of that kind changed.
std::vector<std::string> StaleReasons(const Machine& measured, const Machine& now);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_MACHINE_IDENTITY_H_
