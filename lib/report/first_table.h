// SPDX-License-Identifier: BSD-3-Clause
//
// What to do first, in the terminal: rank, region, deed, and what it may save. Questions (?) stand
// below: what is not explained, with the command that helps to find its cause.
#ifndef ROOFMARK_LIB_REPORT_FIRST_TABLE_H_
#define ROOFMARK_LIB_REPORT_FIRST_TABLE_H_

#include <string>

#include "lib/report/report.h"

namespace roofmark {

// Empty where nothing is worth doing, and nothing is unexplained. Detail::kShort: the first five
// deeds and two questions, and how many more there are.
std::string FirstTable(const ReportJob& job, const TextStyle& style);

// Whether one of the first deeds is about page faults.
bool SaysPageFaults(const ReportJob& job);

// "40-65 ms", "0-65 ms", "55 ms": two digits, in the unit of the upper end.
std::string SavesText(const TimeInterval& interval);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_FIRST_TABLE_H_
