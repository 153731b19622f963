// SPDX-License-Identifier: BSD-3-Clause
//
// Names and facts of what a process writes.
#ifndef ROOFMARK_MARKERS_RUNTIME_OUTPUT_H_
#define ROOFMARK_MARKERS_RUNTIME_OUTPUT_H_

#include <cstdint>
#include <string>

#include "lib/profile/profile.h"

namespace roofmark::runtime {

// Fills %h, %p, %r, %j and %%; other letters stay as they are.
std::string ExpandName(const std::string& pattern, uint32_t rank, const std::string& job_id);

// "dir/run.json" -> "dir/run.part17.json".
std::string PartName(const std::string& output, uint32_t rank);
// "dir/run.json" -> "dir/run.samples17.json".
std::string SamplesName(const std::string& output, uint32_t rank);
// "dir/run.json" -> "dir/run.executed17.json".
std::string ExecutedName(const std::string& output, uint32_t rank);
// "dir/run.json" -> "dir/run.late17.json".
std::string LateName(const std::string& output, uint32_t rank);
// "dir/run.json" -> "dir/run.ranks.h5".
std::string DetailName(const std::string& output, const std::string& detail);

// "dir/run.json" -> "dir/run.rank3.node17.4711.spool".
std::string SnapshotName(const std::string& output, uint32_t rank);

std::string HostName();

// Facts of this process for the run section: host, affinity, libraries that dispatch by
// CPU ("dispatch.openblas").
HostInfo ThisHost();
// The clock of the node, and what it is: that is read once, and of all processes there only by the
// first, where the launcher numbers them.
void DescribeNode(bool is_first, RunInfo& run);
std::map<std::string, std::string> DispatchFacts();
std::string UtcNow();

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_OUTPUT_H_
