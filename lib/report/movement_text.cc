// SPDX-License-Identifier: BSD-3-Clause
//
// Movement in the terminal: of the regions that changed most, with a letter each.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/report/format.h"
#include "lib/report/movement.h"
#include "lib/report/terminal_chart.h"

namespace roofmark {
namespace {

constexpr size_t kMostDots = 26;

// Less than this cannot be seen.
bool IsSeen(const Move& move) {
  constexpr double kFar = 1.1;
  const auto far = [](double a, double b) { return std::max(a, b) / std::min(a, b) > kFar; };
  return far(move.before->x, move.after->x) || far(move.before->y, move.after->y);
}

// Regions with a dot in both runs, those that changed most first.
std::vector<Move> Largest(const ComparedJobs& jobs) {
  const std::vector<Move> moves = MovesOf(jobs);
  std::vector<const Move*> of(jobs.comparison.regions.size(), nullptr);
  for (const Move& move : moves) {
    if (!move.is_program && move.before && move.after) of[move.region] = &move;
  }
  std::vector<Move> largest;
  for (const size_t region : ByChange(jobs.comparison)) {
    if (of[region] != nullptr) largest.push_back(*of[region]);
  }
  return largest;
}

ChartDot DotAt(char key, const MovePoint& point) {
  ChartDot dot = {};
  dot.key = dot.name = dot.label = std::string(1, key);
  dot.x = point.x;
  dot.y = point.y;
  return dot;
}

}  // namespace

std::string RenderMovement(const ComparedJobs& jobs, const TextStyle& style) {
  std::vector<Move> moves = Largest(jobs);
  if (moves.empty()) return {};
  const size_t more = moves.size() - std::min(moves.size(), kMostDots);
  moves.resize(moves.size() - more);
  std::vector<ChartDot> dots, before;
  std::vector<ChartArrow> arrows;
  std::string legend;
  for (size_t i = 0; i < moves.size(); ++i) {
    const auto letter = static_cast<char>(i);
    dots.push_back(DotAt(static_cast<char>('A' + letter), *moves[i].after));
    legend += fmt::format("{}{} {}", i == 0 ? "" : ", ", dots.back().key,
                          Printable(jobs.comparison.regions[moves[i].region].path));
    if (!IsSeen(moves[i])) continue;
    arrows.push_back({moves.size() + before.size(), i});
    before.push_back(DotAt(static_cast<char>('a' + letter), *moves[i].before));
  }
  // The later ones give way.
  dots.insert(dots.end(), before.begin(), before.end());
  Chart chart = ChartWith(jobs.after, std::move(dots));
  chart.arrows = std::move(arrows);
  const auto width = static_cast<size_t>(std::max(style.width, kMinWidth));
  return DrawInTerminal(chart, style) +
         Wrap(fmt::format("{}; small letters are the first run, where they differ{}", legend,
                          more > 0 ? fmt::format("; {} more changed less", more) : ""),
              width, 2);
}

}  // namespace roofmark
