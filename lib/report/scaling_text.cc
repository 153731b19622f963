// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "lib/report/bars.h"
#include "lib/report/csv_field.h"
#include "lib/report/format.h"
#include "lib/report/grid.h"
#include "lib/report/scaling_report.h"
#include "lib/report/scaling_table.h"

namespace roofmark {
namespace {

// What most of the loss is due to.
std::string Loss(const ScalingRegion& region, const ScaledRun& run) {
  const ScalingPoint& last = region.points.back();
  const std::array<std::pair<std::string_view, std::optional<double>>, 3> parts = {
      {{"computation, which takes more time in all", last.computation},
       {"time inside MPI", last.communication},
       {"imbalance of ranks and threads", last.balance}}};
  const auto worst = std::min_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return a.second.value_or(1) < b.second.value_or(1);
  });
  std::string text = fmt::format("{}: {:.0f} % efficiency with {:g} workers",
                                 Printable(region.path), *last.efficiency * 100, run.workers);
  if (!worst->second)
    return text + "; time inside MPI was not measured, so that the loss has no parts";
  if (*worst->second >= 0.995) return text;
  return fmt::format("{}; most is lost to {} (x{:.2f})", text, worst->first, *worst->second);
}

}  // namespace

std::string KindSentence(const Scaling& scaling) {
  const bool strong = scaling.kind == ScalingKind::kStrong;
  std::string text = strong ? "strong scaling: the same work on more workers"
                            : "weak scaling: work that grows with the workers";
  text +=
      scaling.work_growth
          ? fmt::format("; from the first run to the last FLOPs grow by {:.3g}, workers by {:.3g}",
                        *scaling.work_growth,
                        scaling.runs.back().workers / scaling.runs.front().workers)
          : std::string("; FLOPs are not known, so that the work cannot be checked");
  return text + " (--strong, --weak choose)";
}

std::vector<std::string> Losses(const Scaling& scaling) {
  constexpr double kGood = 0.95;
  constexpr size_t kListed = 5;
  std::vector<std::pair<double, const ScalingRegion*>> lost;
  for (const ScalingRegion& region : scaling.regions) {
    const ScalingPoint& last = region.points.back();
    if (!last.efficiency || *last.efficiency >= kGood) continue;
    lost.emplace_back(*last.time_s * (1 - *last.efficiency), &region);
  }
  std::stable_sort(lost.begin(), lost.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> lines;
  for (size_t i = 0; i < std::min(lost.size(), kListed); ++i) {
    lines.push_back(Loss(*lost[i].second, scaling.runs.back()));
  }
  return lines;
}

std::string RenderScaling(const Scaling& scaling, const std::vector<std::string>& names,
                          const TextStyle& style) {
  const auto width = static_cast<size_t>(std::max(style.width, kMinWidth));
  std::string out;
  for (const ScaledRun& run : scaling.runs) {
    out += Wrap(fmt::format("{}: {} ranks x threads", Printable(names[run.file]), WorkersText(run)),
                width, 2);
  }
  out += Wrap(KindSentence(scaling), width, 2) + "\n" +
         GridText(TableOf(scaling, false).grid, width, style.unicode);
  out += "  " + Wrap(kScalingLegend, width - 2, 4) + "\nefficiency\n";
  std::vector<Bar> bars;
  for (const ScalingRegion& region : scaling.regions) {
    for (size_t r = 0; r < scaling.runs.size(); ++r) {
      bars.push_back(
          {r == 0 ? region.path : "", WorkersText(scaling.runs[r]), region.points[r].efficiency});
    }
  }
  out += RenderBars(bars, style);
  const std::vector<std::string> losses = Losses(scaling);
  if (!losses.empty()) out += "\n";
  for (const std::string& line : losses) out += Wrap(line, width, 2);
  return out;
}

std::string RenderScalingMarkdown(const Scaling& scaling, const std::vector<std::string>& names) {
  std::string out = MarkdownSentence(KindSentence(scaling)) + "\n\n";
  for (const ScaledRun& run : scaling.runs) {
    out += fmt::format("- {}: {}\n", MarkdownCode(names[run.file]), WorkersText(run));
  }
  for (const std::string& line : Losses(scaling)) out += "- " + MarkdownSentence(line) + "\n";
  return out + "\n" + GridMarkdown(TableOf(scaling, true).grid) + "\n" +
         MarkdownSentence(kScalingLegend) + "\n";
}

std::string RenderScalingCsv(const Scaling& scaling, const std::vector<std::string>& names) {
  std::string out = "path,file,ranks,threads,workers,quantity,unit,value\n";
  for (const ScalingRegion& region : scaling.regions) {
    for (size_t r = 0; r < scaling.runs.size(); ++r) {
      const ScaledRun& run = scaling.runs[r];
      for (const ScalingFigure& figure : kScalingFigures) {
        const std::optional<double>& value = region.points[r].*figure.value;
        out += fmt::format("{},{},{},{},{},{},{},{}\n", CsvField(region.path),
                           CsvField(names[run.file]), run.ranks, run.threads, run.workers,
                           figure.name, figure.unit, value ? fmt::format("{}", *value) : "");
      }
    }
  }
  return out;
}

}  // namespace roofmark
