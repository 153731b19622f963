// SPDX-License-Identifier: BSD-3-Clause
#include "command/top/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "lib/report/format.h"

namespace roofmark::cli {
namespace {

constexpr size_t kNumbers = 49;  // columns behind the name

// Regions with most time, in the order of the tree.
std::vector<size_t> ChosenRows(const JobProfile& job, size_t rows) {
  std::vector<size_t> order(job.paths.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto time = [&job](size_t row) { return job.At(row, metric::kTimeNs).SumAsDouble(); };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return time(a) > time(b); });
  order.resize(std::min(order.size(), rows));
  std::sort(order.begin(), order.end());
  return order;
}

std::string RegionRow(const JobProfile& job, size_t row, double wall_s, size_t width) {
  const PathInfo& info = job.paths[row];
  const Cell& visits = job.At(row, metric::kVisits);
  const Cell& time = job.At(row, metric::kTimeNs);
  const bool timed = time.ranks != 0 && time.SumAsDouble() > 0;
  const std::string name =
      std::string(2 * PathDepth(info.path), ' ') + Printable(LeafName(info.path));
  return fmt::format(
      "{} {:>6} {:>6} {:>8} {:>8} {:>6} {:>9}\n",
      PadRight(Shorten(name, width - kNumbers, "..."), width - kNumbers), visits.ranks,
      info.unfinished, Si(visits.SumAsDouble()), timed ? Seconds(time.mean * 1e-9) : "-",
      timed && wall_s > 0 ? Percent(time.mean * 1e-9 / wall_s) : "-",
      timed ? fmt::format("{:.2f}", static_cast<double>(time.max) / time.mean) : "-");
}

}  // namespace

std::string RenderTop(const TopState& state, size_t width, size_t rows) {
  const JobProfile& job = state.job;
  width = std::max<size_t>(width, 60);
  const double wall_s = job.run.passes.empty() ? 0 : job.run.passes[0].wall_s;
  std::string text =
      fmt::format("job {}: {} of {} ranks seen, {} running, {}\n\n", Printable(job.run.job_id),
                  job.run.ranks_merged, job.run.ranks, state.running, Seconds(wall_s));
  text +=
      fmt::format("{} {:>6} {:>6} {:>8} {:>8} {:>6} {:>9}\n", PadRight("region", width - kNumbers),
                  "ranks", "inside", "visits", "time", "share", "imbalance");
  const std::vector<size_t> chosen = ChosenRows(job, rows);
  for (const size_t row : chosen) text += RegionRow(job, row, wall_s, width);
  if (chosen.size() < job.paths.size()) {
    text += fmt::format("({} more regions)\n", job.paths.size() - chosen.size());
  }
  if (job.paths.empty()) text += "no region was entered so far\n";
  return text +
         "\ninside: visits that are open now. time: of finished visits, mean of ranks; its share "
         "of "
         "the\nrun; imbalance: the slowest rank's over the mean.\n";
}

}  // namespace roofmark::cli
