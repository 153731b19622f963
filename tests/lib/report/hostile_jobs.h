// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs in which every text that a file can bring is hostile.
#ifndef ROOFMARK_TESTS_LIB_REPORT_HOSTILE_JOBS_H_
#define ROOFMARK_TESTS_LIB_REPORT_HOSTILE_JOBS_H_

#include <string>
#include <vector>

#include "lib/model/machine.h"
#include "lib/report/report.h"

namespace roofmark::test {

// Closes what it stands in, opens something else, writes to the terminal, turns the line around.
extern const std::string kHostile;

// The same again and again: 4 KB.
std::string LongHostile();

Machine HostileMachine(const std::string& text = kHostile);
// Two of them. All texts that a file can hold are `text`, those of its hot loops included.
std::vector<ReportJob> HostileJobs(const std::string& text = kHostile);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_REPORT_HOSTILE_JOBS_H_
