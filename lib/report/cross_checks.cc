// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/cross_checks.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "lib/model/derived.h"
#include "lib/report/format.h"

namespace roofmark {
namespace {

// A column: its metric, its derived value, its head.
struct Checked {
  MetricId metric;
  std::string_view derived, head;
};
constexpr Checked kCheckedColumns[] = {
    {metric::kFlops, "cross_check_flops", "FLOPs"},
    {metric::kFlopsDp, "cross_check_flops_dp", "double"},
    {metric::kFlopsSp, "cross_check_flops_sp", "single"},
    {metric::kFlopsHp, "cross_check_flops_hp", "half"},
    {metric::kInstructions, "cross_check_instructions", "instr."},
    {metric::kDramBytes, "cross_check_dram_bytes", "DRAM bytes"}};
static_assert(std::size(kCheckedColumns) == std::size(kCrossChecked));

constexpr size_t kCheckWidth = 7;

bool IsChecked(const JobProfile& job, MetricId metric) {
  return std::any_of(job.paths.begin(), job.paths.end(), [metric](const PathInfo& info) {
    return CrossCheckOf(info, metric) != nullptr;
  });
}

}  // namespace

CounterTable CrossChecks(const JobProfile& job, const JobAnalysis& analysis) {
  CounterTable table;
  std::vector<const DerivedInfo*> values;
  for (const Checked& checked : kCheckedColumns) {
    if (!IsChecked(job, checked.metric)) continue;
    values.push_back(FindDerived(checked.derived));
    table.columns.push_back({std::string(checked.head), std::max(kCheckWidth, checked.head.size()),
                             std::string(values.back()->doc)});
  }
  if (values.empty()) return table;
  table.rows = ReportRows(job, analysis);
  for (size_t p = 0; p < table.rows.size(); ++p) {
    table.rows[p].cells.clear();
    for (const DerivedInfo* info : values) {
      table.rows[p].cells.push_back(OrDash(info->value({job, p, analysis.paths[p]}), Plain));
    }
  }
  table.legend = {
      "The report's FLOPs and instructions are the engine's; its DRAM bytes are those of the "
      "memory "
      "controllers where these were read."};
  if (IsChecked(job, metric::kDramBytes)) {
    table.legend.push_back(
        "DRAM: the engine models caches without prefetchers; controllers count all that uses the "
        "package.");
  }
  return table;
}

}  // namespace roofmark
