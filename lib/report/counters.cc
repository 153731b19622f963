// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "lib/model/work.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"

namespace roofmark {
namespace {

constexpr size_t kCounterWidth = 7, kWidestHead = 16;

// A column, and what stands in it for a path.
struct Counter {
  Column column;
  std::function<std::string(const JobProfile&, size_t path)> cell;
};

std::string SumCell(const JobProfile& job, size_t path, MetricId id) {
  const Value sum = MetricSum(job, path, id);
  if (MetricUnit(job, id) == "ns") {
    return OrDash(Combine(sum, sum, [](double ns, double) { return ns * 1e-9; }), Seconds);
  }
  return OrDash(sum, Si);
}

std::string RatioCell(const JobProfile& job, size_t path, MetricId part, MetricId whole,
                      std::string (*render)(double)) {
  const Value whole_sum = MetricSum(job, path, whole);
  if (whole_sum && *whole_sum == 0) return "-";
  return OrDash(Combine(MetricSum(job, path, part), whole_sum, std::divides<double>()), render);
}

Counter Sum(std::string head, std::string doc, MetricId id) {
  const size_t width = std::max(kCounterWidth, head.size());
  return {{std::move(head), width, std::move(doc)},
          [id](const JobProfile& job, size_t path) { return SumCell(job, path, id); }};
}

Counter Ratio(std::string head, std::string doc, MetricId part, MetricId whole,
              std::string (*render)(double)) {
  const size_t width = std::max(kCounterWidth, head.size());
  return {{std::move(head), width, std::move(doc)}, [=](const JobProfile& job, size_t path) {
            return RatioCell(job, path, part, whole, render);
          }};
}

bool IsCounted(const JobProfile& job, MetricId id) { return HasValue(job.sources[id].status); }

// Parts and wholes of two passes, or of two collectors, do not belong together.
bool AreCountedTogether(const JobProfile& job, MetricId part, MetricId whole) {
  return IsCounted(job, part) && IsCounted(job, whole) &&
         job.sources[part].origin == job.sources[whole].origin;
}

// A user may list what stands in a column already.
bool IsShown(const JobProfile& job, MetricId user, MetricId standard) {
  if (!IsCounted(job, standard) || MetricUnit(job, user) != MetricUnit(job, standard)) return false;
  bool any = false;
  for (size_t p = 0; p < job.paths.size(); ++p) {
    if (job.At(p, user).Sum() != job.At(p, standard).Sum()) return false;
    any = any || job.At(p, user).Sum() != 0;
  }
  return any;
}

std::vector<Counter> CountersOf(const JobProfile& job, std::vector<std::string>& legend) {
  std::vector<Counter> counters;
  if (IsCounted(job, metric::kCycles)) {
    counters.push_back(Sum("cycles", "of all threads", metric::kCycles));
  }
  const bool instructions = AreCountedTogether(job, metric::kInstructions, metric::kCycles);
  if (instructions) {
    counters.push_back(Sum("instr.", "instructions of all threads", metric::kInstructions));
    counters.push_back(Ratio("instr./cycle", "instructions per cycle", metric::kInstructions,
                             metric::kCycles, Plain));
  }
  if (AreCountedTogether(job, metric::kMemoryStallCycles, metric::kCycles)) {
    counters.push_back(Ratio("memory stall", "cycles without progress while a load was under way",
                             metric::kMemoryStallCycles, metric::kCycles, Percent));
  }
  if (IsCounted(job, metric::kLastLevelMisses)) {
    counters.push_back(
        Sum("LLC misses", "lines that the last-level cache missed", metric::kLastLevelMisses));
  }
  for (size_t i = 0; i < kUserMetrics; ++i) {
    const MetricId id = UserMetric(i);
    if (!IsCounted(job, id) || IsShown(job, id, metric::kCycles) ||
        (instructions && IsShown(job, id, metric::kInstructions))) {
      continue;
    }
    const std::string label = Printable(MetricLabel(job, id));
    std::string head = label;
    if (DisplayWidth(label) > kWidestHead) {
      head = fmt::format("#{}", legend.size() + 1);
      legend.push_back(fmt::format("{}: {}", head, label));
    }
    counters.push_back(Sum(head, fmt::format("{} (ROOFMARK_EVENTS)", label), id));
  }
  return counters;
}

}  // namespace

CounterTable CountersBeside(const JobProfile& job, const JobAnalysis& analysis) {
  CounterTable table;
  const std::vector<Counter> counters = CountersOf(job, table.legend);
  if (counters.empty()) return table;
  for (const Counter& counter : counters) table.columns.push_back(counter.column);
  table.rows = ReportRows(job, analysis);
  for (size_t p = 0; p < table.rows.size(); ++p) {
    table.rows[p].cells.clear();
    for (const Counter& counter : counters) table.rows[p].cells.push_back(counter.cell(job, p));
  }
  return table;
}

}  // namespace roofmark
