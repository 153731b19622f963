// SPDX-License-Identifier: BSD-3-Clause
//
// Reads a report as people do, and finds sentences that contradict each other.
#ifndef ROOFMARK_TESTS_LIB_REPORT_CONTRADICTIONS_H_
#define ROOFMARK_TESTS_LIB_REPORT_CONTRADICTIONS_H_

#include <string>
#include <vector>

#include "lib/report/report.h"

namespace roofmark::test {

// What is said of one region: the mark in the table, its lines, and the advice about it.
struct Said {
  std::string region, mark;
  std::vector<std::string> lines, advice;
};

std::vector<Said> AllThatIsSaid(const ReportJob& job);

// One sentence for each contradiction in what is said of a region.
std::vector<std::string> ContradictionsIn(const Said& said);

// The same of the report as a whole.
std::vector<std::string> ContradictionsIn(const ReportJob& job);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_REPORT_CONTRADICTIONS_H_
