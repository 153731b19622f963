// SPDX-License-Identifier: BSD-3-Clause
//
// What a report says in sentences: what to do first, and where each region stands between which
// ceilings. Made once for terminal and page.
#ifndef ROOFMARK_LIB_REPORT_GUIDANCE_H_
#define ROOFMARK_LIB_REPORT_GUIDANCE_H_

#include <string>
#include <vector>

#include "lib/report/report.h"

namespace roofmark {

// At most `most` of the run's advice, first things first, each with its region.
std::vector<std::string> FirstThings(const ReportJob& job, size_t most);

// How a list of so many of them is sorted, and that they do not add up; empty where there is
// nothing to sort or to add.
std::string FirstOrder(size_t things);

struct Standing {
  std::string region;              // key and name, as in the table
  std::vector<std::string> lines;  // sentences without a full stop
};

// Regions of which something is known, by time. kShort: the first three of those that are no mere
// frames of others.
std::vector<Standing> Standings(const ReportJob& job, Detail detail);

// The lines of one region: `path` is an index into the profile's.
std::vector<std::string> StandingLines(const ReportJob& job, size_t path);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_GUIDANCE_H_
