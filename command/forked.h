// SPDX-License-Identifier: BSD-3-Clause
//
// Forked processes that were recorded (ROOFMARK_CHILDREN): those of one parent that ran side by
// side are one program, and each of them is a rank of it.
#ifndef ROOFMARK_COMMAND_FORKED_H_
#define ROOFMARK_COMMAND_FORKED_H_

#include <cstddef>
#include <vector>

#include "lib/profile/roofline_json.h"

namespace roofmark::cli {

bool IsForked(const RunInfo& run);
// One of them is of a process that was not forked.
bool HasUnforked(const std::vector<RooflineFile>& files);

// The same in all executions of a command, which share this: which children ran side by side is
// what the first one found.
class ForkedGroups {
 public:
  // Files of one execution, those of forked processes joined.
  std::vector<RooflineFile> Join(std::vector<RooflineFile> files);

 private:
  std::vector<size_t> sizes_;  // of the groups, in the order of their processes
};

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_FORKED_H_
