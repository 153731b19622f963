// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/movement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "lib/profile/whole.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

constexpr double kGrowthPx = 7;  // dots are small, so that short ways are seen
constexpr double kLeastShare = 0.01;
constexpr size_t kMostMovedName = 24;

const PathAnalysis* AnalysisOf(const ReportJob& job, const std::string& path, bool is_program) {
  if (is_program) return &job.analysis.whole[static_cast<size_t>(WholeRow::kProgram)];
  const int index = job.profile.FindPath(path);
  return index < 0 ? nullptr : &job.analysis.paths[static_cast<size_t>(index)];
}

// `speed`: at the geometric mean of the executions.
std::optional<MovePoint> PointOf(const PathAnalysis* analysis, const Value& speed) {
  if (analysis == nullptr || !HasDot(*analysis) || !speed) return std::nullopt;
  const double x = *analysis->roof_intensity, y = *speed;
  if (!IsDrawable(x) || !IsDrawable(y)) return std::nullopt;
  return MovePoint{x, y, analysis};
}

bool IsSmall(const std::optional<MovePoint>& point) {
  return !point || (point->analysis->time_share && *point->analysis->time_share < kLeastShare);
}

bool IsBeyondNoise(const RegionChange& region) {
  return region.Of(Quantity::kTime).significant || region.Of(Quantity::kGflops).significant;
}

Weight WeightOf(const RegionChange& region, const Move& move) {
  const Change& time = region.Of(Quantity::kTime);
  if (IsBeyondNoise(region)) return Weight::kStrong;
  if (IsSmall(move.before) && IsSmall(move.after)) return Weight::kPale;
  const bool tested = time.noise == NoiseKind::kTested || time.noise == NoiseKind::kSmall;
  return region.presence == Presence::kBoth && tested ? Weight::kPale : Weight::kPlain;
}

// "new", "+10.3 % time"; empty where there is no change to speak of.
std::string Happened(const RegionChange& region, Weight weight) {
  if (region.presence == Presence::kNew) return "new";
  if (region.presence == Presence::kVanished) return "vanished";
  const Change& time = region.Of(Quantity::kTime);
  if (weight != Weight::kStrong || !time.factor) return {};
  return ChangeText(*time.factor) + " time";
}

class Maker {
 public:
  explicit Maker(const ComparedJobs& jobs)
      : jobs_(jobs),
        before_(ReportRows(jobs.before.profile, jobs.before.analysis)),
        after_(ReportRows(jobs.after.profile, jobs.after.analysis)) {}

  MovementChart Make() {
    MovementChart made;
    made.keys.resize(jobs_.comparison.regions.size());
    const std::vector<Move> moves = MovesOf(jobs_);
    const std::vector<bool> aside = Aside(moves);
    size_t keys = 0;
    for (size_t i = 0; i < moves.size(); ++i) {
      std::string& key = made.keys[moves[i].region];
      key = moves[i].is_program ? kProgramKey : DotKey(keys++);
      Add(moves[i], aside[i], key);
    }
    made.chart = ChartWith(jobs_.after, std::move(dots_));
    made.chart.arrows = std::move(arrows_);
    made.chart.compares = true;
    made.chart.aside = AsideText(moves, aside);
    return made;
  }

 private:
  // Of moves.
  std::vector<bool> Aside(const std::vector<Move>& moves) const {
    std::vector<bool> aside(moves.size(), false);
    if (moves.size() <= kFewMoves) return aside;
    std::vector<bool> without(jobs_.comparison.regions.size(), false);  // an arrow
    for (const Move& move : moves) without[move.region] = !move.is_program;
    size_t shown = 0;
    for (const size_t region : ByChange(jobs_.comparison)) {
      if (without[region] && shown++ < kMostMoves) without[region] = false;
    }
    for (size_t i = 0; i < moves.size(); ++i) aside[i] = without[moves[i].region];
    return aside;
  }

  std::string AsideText(const std::vector<Move>& moves, const std::vector<bool>& aside) const {
    size_t all = 0, beyond_noise = 0;
    for (size_t i = 0; i < moves.size(); ++i) {
      if (!aside[i]) continue;
      ++all;
      beyond_noise += IsBeyondNoise(jobs_.comparison.regions[moves[i].region]);
    }
    if (all == 0) return {};
    const std::string some =
        beyond_noise > 0 ? fmt::format(" ({} beyond noise)", beyond_noise) : "";
    return fmt::format("{} others that changed less{}", all, some);
  }

  void Add(const Move& move, bool aside, const std::string& key) {
    const RegionChange& region = jobs_.comparison.regions[move.region];
    const Weight weight = aside ? Weight::kAside : WeightOf(region, move);
    // Of both runs the second one has the name.
    if (move.before) {
      dots_.push_back(DotOf(move, *move.before, weight));
      dots_.back().is_before = true;
      dots_.back().name += ", first run";
    }
    if (move.after) {
      dots_.push_back(DotOf(move, *move.after, weight));
      dots_.back().name += ", second run";
    }
    if (move.before && move.after) {
      arrows_.push_back({dots_.size() - 2, dots_.size() - 1, weight});
    }
    NameLast(move, key);
    if (aside) dots_.back().label.clear();
  }

  // As in the report of the run that has its last dot: the innermost regions alone.
  std::string ShortNameOf(const Move& move) const {
    const RegionChange& region = jobs_.comparison.regions[move.region];
    if (move.is_program) return Printable(region.path);
    const ReportJob& job = move.after ? jobs_.after : jobs_.before;
    const int path = job.profile.FindPath(move.after ? region.new_path : region.path);
    return ShortName((move.after ? after_ : before_)[static_cast<size_t>(path)], kMostMovedName,
                     "…");
  }

  ChartDot DotOf(const Move& move, const MovePoint& point, Weight weight) const {
    const RegionChange& region = jobs_.comparison.regions[move.region];
    ChartDot dot = {};
    dot.name = Printable(region.path);
    dot.x = point.x;
    dot.y = point.y;
    dot.region = move.region;
    dot.is_program = move.is_program;
    dot.limit = LimitColorOf(point.analysis->limit);
    const Value& share = point.analysis->time_share;
    dot.share = share ? std::clamp(*share, 0.0, 1.0) : 0;
    dot.growth_px = kGrowthPx;
    dot.weight = weight;
    if (region.presence == Presence::kNew) dot.sign = DotSign::kNew;
    if (region.presence == Presence::kVanished) dot.sign = DotSign::kVanished;
    return dot;
  }

  void NameLast(const Move& move, const std::string& key) {
    const RegionChange& region = jobs_.comparison.regions[move.region];
    ChartDot& dot = dots_.back();
    const std::string happened = Happened(region, dot.weight);
    dot.key = key;
    dot.label =
        fmt::format("{} {}{}{}", key, ShortNameOf(move), happened.empty() ? "" : ": ", happened);
    if (!happened.empty()) dot.name += ", " + happened;
  }

  const ComparedJobs& jobs_;
  std::vector<Row> before_, after_;
  std::vector<ChartDot> dots_;
  std::vector<ChartArrow> arrows_;
};

}  // namespace

std::vector<Move> MovesOf(const ComparedJobs& jobs) {
  std::vector<Move> moves;
  const std::vector<RegionChange>& regions = jobs.comparison.regions;
  // The program is then the last; a region may have its name.
  const bool has_program = jobs.before.analysis.whole.size() == kWholeRows &&
                           jobs.after.analysis.whole.size() == kWholeRows;
  for (size_t i = 0; i < regions.size(); ++i) {
    const RegionChange& region = regions[i];
    const bool is_program = has_program && i + 1 == regions.size();
    Move move = {i, {}, {}, is_program};
    const Change& speed = region.Of(Quantity::kGflops);
    if (region.presence != Presence::kNew) {
      move.before = PointOf(AnalysisOf(jobs.before, region.path, is_program), speed.before);
    }
    if (region.presence != Presence::kVanished) {
      move.after = PointOf(AnalysisOf(jobs.after, region.new_path, is_program), speed.after);
    }
    if (move.before || move.after) moves.push_back(move);
  }
  return moves;
}

std::vector<size_t> ByChange(const Comparison& comparison) {
  const std::vector<RegionChange>& regions = comparison.regions;
  const auto seconds = [&](size_t i) {
    const Change& time = regions[i].Of(Quantity::kTime);
    return std::abs((time.after ? *time.after : 0) - (time.before ? *time.before : 0));
  };
  std::vector<size_t> order(regions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const bool first = IsBeyondNoise(regions[a]), second = IsBeyondNoise(regions[b]);
    return first != second ? first : seconds(a) > seconds(b);
  });
  return order;
}

MovementChart MakeMovementChart(const ComparedJobs& jobs) { return Maker(jobs).Make(); }

}  // namespace roofmark
