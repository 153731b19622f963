// SPDX-License-Identifier: BSD-3-Clause
//
// What people and programs read of a comparison: a table and the movement of dots in the terminal,
// a table of Markdown, CSV. Everything is returned as text.
#ifndef ROOFMARK_LIB_REPORT_COMPARISON_REPORT_H_
#define ROOFMARK_LIB_REPORT_COMPARISON_REPORT_H_

#include <string>
#include <vector>

#include "lib/model/change_rule.h"
#include "lib/model/comparison.h"
#include "lib/report/report.h"

namespace roofmark {

// Two runs with their names, and what changed from the first to the second.
struct ComparedJobs {
  const ReportJob& before;
  const ReportJob& after;
  const Comparison& comparison;
};

std::string RenderComparison(const ComparedJobs& jobs, const TextStyle& style);
std::string RenderComparisonMarkdown(const ComparedJobs& jobs);

// before,after,path,new_path,presence,quantity,unit,value_before,value_after,ratio,ratio_least,
// ratio_most,probability,probability_corrected,noise,significant: one line for each region and
// quantity, and one of its limit. The head stands before the first comparison only.
std::string ComparisonCsvHead();
std::string RenderComparisonCsv(const ComparedJobs& jobs);

// Each comparison as a roofline with arrows from the first run to the second, and as a table of
// what changed: a picture, and a self-contained page.
std::string RenderComparisonSvg(const std::vector<ComparedJobs>& all, const PictureStyle& style);
std::string RenderComparisonHtml(const std::vector<ComparedJobs>& all);

// In a roofline with the roofs of the second run: each region's dot before and after. Empty where
// no region has both.
std::string RenderMovement(const ComparedJobs& jobs, const TextStyle& style);

// What follows from the comparison, in sentences without full stops: first which regions' times
// changed beyond noise, or that none did, or why that cannot be decided.
std::vector<std::string> Conclusions(const ComparedJobs& jobs);

// The outcome of a rule of --fail-on: "broken: solve/mul took 10.2 % more time (8.1 % to 12.3 %)".
std::string RuleSentence(const ChangeRule& rule, const RuleResult& result,
                         const ComparedJobs& jobs);

// "+10.2 %", "-3 %", "x3.4" from three times on.
std::string ChangeText(double factor);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_COMPARISON_REPORT_H_
