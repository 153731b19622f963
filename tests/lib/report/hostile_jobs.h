// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs in which every text that a file can bring is hostile.
#ifndef ROOFMARK_TESTS_LIB_REPORT_HOSTILE_JOBS_H_
#define ROOFMARK_TESTS_LIB_REPORT_HOSTILE_JOBS_H_

#include <string>
#include <vector>

#include "lib/model/machine.h"
#include "lib/report/report.h"

namespace roofmark::testing {

// Closes what it stands in, opens something else, writes to the terminal, turns the line around.
extern const std::string kHostile;

Machine HostileMachine();
// Two of them. All texts that a file can hold are hostile.
std::vector<ReportJob> HostileJobs();

}  // namespace roofmark::testing

#endif  // ROOFMARK_TESTS_LIB_REPORT_HOSTILE_JOBS_H_
