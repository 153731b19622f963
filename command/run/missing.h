// SPDX-License-Identifier: BSD-3-Clause
//
// What the first execution left out, and whether the counting engine is to count it. A function of
// the file alone: nothing is probed where this command stands.
#ifndef ROOFMARK_COMMAND_RUN_MISSING_H_
#define ROOFMARK_COMMAND_RUN_MISSING_H_

#include <string>
#include <vector>

#include "command/run/options.h"
#include "lib/profile/profile.h"

namespace roofmark::cli {

struct NextPass {
  bool execute = false;
  std::vector<std::string> reasons;  // sentences without a full stop: what is missing, and why
  std::string refused;               // why it is not executed although something is missing
  std::string count;                 // ROOFMARK_COUNT of it; empty: the default
};

// What no collector of a time pass offered, not even to say why it cannot count it. The runtime
// gives all of these one reason (markers/runtime/collectors.cc), and among them is always what the
// counting engine alone counts.
std::vector<MetricId> CountedByNobody(const JobProfile& job);

// `first`: the file of the time pass.
NextPass DecideWorkPass(const JobProfile& first, const RunOptions& options);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_MISSING_H_
