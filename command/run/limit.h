// SPDX-License-Identifier: BSD-3-Clause
//
// --work-limit: how little the engine must count so that its execution is expected to end in time.
#ifndef ROOFMARK_COMMAND_RUN_LIMIT_H_
#define ROOFMARK_COMMAND_RUN_LIMIT_H_

#include <optional>
#include <string>
#include <vector>

#include "command/run/expectation.h"

namespace roofmark::cli {

struct FittedWork {
  WorkExtent extent;
  Expectation expectation;
  std::vector<std::string> sentences;  // what was lowered, or that even the least may not fit
  bool fits = true;  // false: not even the shortest expectation; nothing is to be executed
};

// `wanted` lowered, step by step, until the longest expectation is within `limit_s`: caches are
// modelled in fewer visits of each region, then not at all. Where the shortest expectation alone is
// within it, the least is counted and a sentence says that it may take longer.
FittedWork FitWork(const JobProfile& time, const WorkExtent& wanted, double limit_s);

// "600s", "10m", "1h" and plain seconds; nothing for other texts.
std::optional<double> ParseLimit(const std::string& text);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RUN_LIMIT_H_
