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

namespace roofmark {
namespace {

struct Figure {
  std::string_view name, head, unit;
  std::optional<double> ScalingPoint::*value;
};
constexpr std::array<Figure, 7> kFigures = {{
    {"time_s", "time", "s", &ScalingPoint::time_s},
    {"speedup", "speedup", "1", &ScalingPoint::speedup},
    {"efficiency", "efficiency", "1", &ScalingPoint::efficiency},
    {"computation", "computation", "1", &ScalingPoint::computation},
    {"communication", "MPI", "1", &ScalingPoint::communication},
    {"balance", "balance", "1", &ScalingPoint::balance},
    {"serial_share", "serial", "1", &ScalingPoint::serial},
}};

std::string Cell(const Figure& figure, const ScalingPoint& point) {
  const std::optional<double>& value = point.*figure.value;
  if (!value) return "-";
  if (figure.name == "time_s") return Seconds(*value);
  if (figure.name == "speedup") return fmt::format("{:.2f}", *value);
  return fmt::format("{:.1f} %", *value * 100);
}

std::string Workers(const ScaledRun& run) { return fmt::format("{} x {}", run.ranks, run.threads); }

// `repeat`: the name stands in every row.
Grid GridOf(const Scaling& scaling, bool repeat) {
  Grid grid;
  grid.head = {"region", "ranks x threads"};
  std::vector<const Figure*> figures;
  for (const Figure& figure : kFigures) {
    const auto known = [&](const ScalingPoint& point) { return (point.*figure.value).has_value(); };
    const auto has = [&](const ScalingRegion& region) {
      return std::any_of(region.points.begin(), region.points.end(), known);
    };
    if (std::any_of(scaling.regions.begin(), scaling.regions.end(), has)) {
      figures.push_back(&figure);
      grid.head.emplace_back(figure.head);
    }
  }
  for (const ScalingRegion& region : scaling.regions) {
    for (size_t r = 0; r < scaling.runs.size(); ++r) {
      std::vector<std::string> row = {r == 0 || repeat ? Printable(region.path) : "",
                                      Workers(scaling.runs[r])};
      for (const Figure* figure : figures) row.push_back(Cell(*figure, region.points[r]));
      grid.rows.push_back(std::move(row));
    }
  }
  return grid;
}

std::string Head(const Scaling& scaling) {
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

// Of regions that lose most time in the largest run.
std::vector<std::string> Losses(const Scaling& scaling) {
  constexpr double kGood = 0.95;
  constexpr size_t kMost = 5;
  std::vector<std::pair<double, const ScalingRegion*>> lost;
  for (const ScalingRegion& region : scaling.regions) {
    const ScalingPoint& last = region.points.back();
    if (!last.efficiency || *last.efficiency >= kGood) continue;
    lost.emplace_back(*last.time_s * (1 - *last.efficiency), &region);
  }
  std::stable_sort(lost.begin(), lost.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> lines;
  for (size_t i = 0; i < std::min(lost.size(), kMost); ++i) {
    lines.push_back(Loss(*lost[i].second, scaling.runs.back()));
  }
  return lines;
}

constexpr std::string_view kLegend =
    "computation x MPI x balance is the efficiency: how much less time the workers compute in all, "
    "what MPI leaves, and how evenly it lies on them, over the first run; serial: the share that "
    "did not get faster (Karp and Flatt)";

}  // namespace

std::string RenderScaling(const Scaling& scaling, const std::vector<std::string>& names,
                          const TextStyle& style) {
  const auto width = static_cast<size_t>(std::max(style.width, kMinWidth));
  std::string out;
  for (const ScaledRun& run : scaling.runs) {
    out += Wrap(fmt::format("{}: {} ranks x threads", Printable(names[run.file]), Workers(run)),
                width, 2);
  }
  out +=
      Wrap(Head(scaling), width, 2) + "\n" + GridText(GridOf(scaling, false), width, style.unicode);
  out += "  " + Wrap(kLegend, width - 2, 4) + "\nefficiency\n";
  std::vector<Bar> bars;
  for (const ScalingRegion& region : scaling.regions) {
    for (size_t r = 0; r < scaling.runs.size(); ++r) {
      bars.push_back(
          {r == 0 ? region.path : "", Workers(scaling.runs[r]), region.points[r].efficiency});
    }
  }
  out += RenderBars(bars, style);
  const std::vector<std::string> losses = Losses(scaling);
  if (!losses.empty()) out += "\n";
  for (const std::string& line : losses) out += Wrap(line, width, 2);
  return out;
}

std::string RenderScalingMarkdown(const Scaling& scaling, const std::vector<std::string>& names) {
  std::string out = MarkdownSentence(Head(scaling)) + "\n\n";
  for (const ScaledRun& run : scaling.runs) {
    out += fmt::format("- {}: {}\n", MarkdownCode(names[run.file]), Workers(run));
  }
  for (const std::string& line : Losses(scaling)) out += "- " + MarkdownSentence(line) + "\n";
  return out + "\n" + GridMarkdown(GridOf(scaling, true)) + "\n" + MarkdownSentence(kLegend) + "\n";
}

std::string RenderScalingCsv(const Scaling& scaling, const std::vector<std::string>& names) {
  std::string out = "path,file,ranks,threads,workers,quantity,unit,value\n";
  for (const ScalingRegion& region : scaling.regions) {
    for (size_t r = 0; r < scaling.runs.size(); ++r) {
      const ScaledRun& run = scaling.runs[r];
      for (const Figure& figure : kFigures) {
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
