// SPDX-License-Identifier: BSD-3-Clause
//
// How dots move in the roofline from one run to the next.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/report/comparison_report.h"
#include "lib/report/format.h"
#include "lib/report/rows.h"
#include "lib/report/terminal_chart.h"

namespace roofmark {
namespace {

constexpr size_t kMostDots = 26;

struct Move {
  std::string name;
  ChartArrow arrow;
  double time_s;

  // Less than this cannot be seen.
  bool IsSeen() const {
    constexpr double kLeast = 1.1;
    const auto far = [](double a, double b) { return std::max(a, b) / std::min(a, b) > kLeast; };
    return far(arrow.x0, arrow.x1) || far(arrow.y0, arrow.y1);
  }
};

// Regions with a dot in both runs, those that take most time first.
std::vector<Move> MovesOf(const ComparedJobs& jobs) {
  std::vector<Move> moves;
  for (const RegionChange& region : jobs.comparison.regions) {
    const int before = jobs.before.profile.FindPath(region.path);
    const int after = jobs.after.profile.FindPath(region.new_path);
    if (region.presence != Presence::kBoth || before < 0 || after < 0) continue;
    const PathAnalysis& first = jobs.before.analysis.paths[static_cast<size_t>(before)];
    const PathAnalysis& second = jobs.after.analysis.paths[static_cast<size_t>(after)];
    const Change& speed = region.Of(Quantity::kGflops);
    if (!HasDot(first) || !HasDot(second) || !speed.before || !speed.after) continue;
    const Change& time = region.Of(Quantity::kTime);
    moves.push_back({Printable(region.path),
                     {*first.roof_intensity, *speed.before, *second.roof_intensity, *speed.after},
                     time.after ? *time.after : 0});
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const Move& a, const Move& b) { return a.time_s > b.time_s; });
  if (moves.size() > kMostDots) moves.resize(kMostDots);
  return moves;
}

ChartDot DotAt(char key, double x, double y) {
  ChartDot dot = {};
  dot.key = dot.name = dot.label = std::string(1, key);
  dot.x = x;
  dot.y = y;
  return dot;
}

std::vector<Precision> UsedIn(const JobAnalysis& analysis) {
  std::vector<Precision> used;
  for (size_t p = 0; p < kPrecisions; ++p) {
    const auto does = [p](const PathAnalysis& path) { return path.flops[p] && *path.flops[p] > 0; };
    if (std::any_of(analysis.paths.begin(), analysis.paths.end(), does)) {
      used.push_back(static_cast<Precision>(p));
    }
  }
  return used;
}

}  // namespace

std::string RenderMovement(const ComparedJobs& jobs, const TextStyle& style) {
  const std::vector<Move> moves = MovesOf(jobs);
  if (moves.empty()) return {};
  std::vector<ChartDot> dots, before;
  std::vector<ChartArrow> arrows;
  std::string legend;
  for (size_t i = 0; i < moves.size(); ++i) {
    const auto letter = static_cast<char>(i);
    dots.push_back(DotAt(static_cast<char>('A' + letter), moves[i].arrow.x1, moves[i].arrow.y1));
    legend += fmt::format("{}{} {}", i == 0 ? "" : ", ", dots.back().key, moves[i].name);
    if (!moves[i].IsSeen()) continue;
    before.push_back(DotAt(static_cast<char>('a' + letter), moves[i].arrow.x0, moves[i].arrow.y0));
    arrows.push_back(moves[i].arrow);
  }
  // The later ones give way.
  dots.insert(dots.end(), before.begin(), before.end());
  const JobAnalysis& after = jobs.after.analysis;
  const Chart chart =
      MakeChart(after.roofs ? &*after.roofs : nullptr, std::move(dots), UsedIn(after));
  const auto width = static_cast<size_t>(std::max(style.width, kMinWidth));
  return DrawInTerminal(chart, style, arrows) +
         Wrap(fmt::format("{}; small letters are the first run, where they differ", legend), width,
              2);
}

}  // namespace roofmark
