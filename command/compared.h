// SPDX-License-Identifier: BSD-3-Clause
//
// What the commands that hold several runs against each other have in common.
#ifndef ROOFMARK_COMMAND_COMPARED_H_
#define ROOFMARK_COMMAND_COMPARED_H_

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "lib/report/comparison_report.h"
#include "lib/report/report.h"

namespace roofmark::cli {

// Exit statuses of `roofmark compare --fail-on`.
inline constexpr int kRuleBroken = 3;
inline constexpr int kRuleUndecided = 4;

// With its machines, as FindMachines() finds them, or without. Nothing after saying why.
// `why_no_machine`: FoundMachines::why_none.
std::optional<ReportJob> LoadJob(const std::string& path, bool with_machines = true,
                                 std::string* why_no_machine = nullptr);
// All of them, or nothing.
std::optional<std::deque<ReportJob>> LoadJobs(const std::vector<std::string>& paths);

// The table and the movement of dots, on standard output.
void ShowComparison(const ComparedJobs& jobs, const TextStyle& style);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_COMPARED_H_
