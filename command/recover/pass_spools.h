// SPDX-License-Identifier: BSD-3-Clause
//
// What the processes of one execution by `roofmark run` left in memory because they did not end
// well.
#ifndef ROOFMARK_COMMAND_RECOVER_PASS_SPOOLS_H_
#define ROOFMARK_COMMAND_RECOVER_PASS_SPOOLS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "command/recover/collect.h"

namespace roofmark::cli {

struct PassSpools {
  std::vector<FoundSpool> ended;
  std::vector<FoundSpool> running;  // of processes that did not end in time
};

// Spools of processes whose ROOFMARK_OUTPUT is `output`: that name is no other job's. They are
// looked for on this node, in the usual place, where older ones than `begin` are passed over, in
// the one that ROOFMARK_SPOOL names, and, as snapshots, beside `output`. Processes whose launcher
// has ended may be ending too: waits for them for at most `patience_s` seconds.
PassSpools SpoolsOfPass(const std::string& output, std::filesystem::file_time_type begin,
                        double patience_s = 3);

// Spools of processes that wrote into this directory of `roofmark run` (command/pass_directory.h)
// or one inside: on this node, in the usual place and in the one that ROOFMARK_SPOOL names, and, as
// snapshots, in these directories.
PassSpools SpoolsOfLeftPasses(const std::string& directory);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_RECOVER_PASS_SPOOLS_H_
