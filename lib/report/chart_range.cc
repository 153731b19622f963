// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/chart_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofmark {
namespace {

constexpr double kLeast = 1e-30, kMost = 1e30;

// Of any number, infinite and none included.
double Drawable(double value) { return value >= kLeast ? std::min(value, kMost) : kLeast; }

double DecadeBelow(double value) { return std::pow(10, std::floor(std::log10(value))); }
// The next of 1, 2, 5 times a power of ten.
double RoundUp(double value) {
  const double decade = DecadeBelow(value);
  for (double step : {1.0, 2.0, 5.0}) {
    if (value <= step * decade) return step * decade;
  }
  return 10 * decade;
}

// Those that take 1 % of the run; where none does, a tenth of what the longest takes.
std::vector<bool> TakeTime(const std::vector<ChartDot>& dots) {
  double most = 0;
  for (const ChartDot& dot : dots) {
    if (!dot.is_program) most = std::max(most, dot.share);
  }
  const double least = std::min(0.01, most / 10);
  std::vector<bool> take(dots.size());
  for (size_t i = 0; i < dots.size(); ++i) take[i] = dots[i].share >= least;
  return take;
}

size_t Exceptions(size_t all) { return std::max<size_t>(1, all / 8); }

// Positions on an axis, ascending: from the middle one outwards to where the others are few and
// lie beyond a gap of two decades. Returns first and last.
std::pair<double, double> Core(const std::vector<double>& sorted) {
  constexpr double kGap = 100;
  const size_t few = Exceptions(sorted.size()), middle = sorted.size() / 2;
  size_t first = middle, last = middle;
  while (last + 1 < sorted.size() &&
         (sorted[last + 1] <= kGap * sorted[last] || sorted.size() - 1 - last > few)) {
    ++last;
  }
  while (first > 0 && (sorted[first] <= kGap * sorted[first - 1] || first > few)) --first;
  return {sorted[first], sorted[last]};
}

// How much larger the largest is than the least.
double Reach(const std::vector<ChartDot>& dots, double ChartDot::*axis) {
  const auto [least, most] = std::minmax_element(
      dots.begin(), dots.end(),
      [axis](const ChartDot& a, const ChartDot& b) { return a.*axis < b.*axis; });
  return least == dots.end() ? 1 : (*most).*axis / ((*least).*axis);
}

// Clears in `focus` the few dots that lie far outside on one axis, if all together reach further
// than by `most`.
void LeaveOut(const std::vector<ChartDot>& dots, double ChartDot::*axis, double most,
              const std::vector<bool>& takes_time, std::vector<bool>& focus) {
  constexpr double kNear = 10;
  if (Reach(dots, axis) <= most) return;
  std::vector<double> positions;
  for (size_t i = 0; i < dots.size(); ++i) {
    if (takes_time[i]) positions.push_back(dots[i].*axis);
  }
  if (positions.empty()) return;
  std::sort(positions.begin(), positions.end());
  const auto [low, high] = Core(positions);
  std::vector<size_t> below, above;
  for (size_t i = 0; i < dots.size(); ++i) {
    const double near = takes_time[i] ? 1 : kNear, position = dots[i].*axis;
    if (position * near < low) below.push_back(i);
    if (position > near * high) above.push_back(i);
  }
  for (const std::vector<size_t>& far : {below, above}) {
    if (far.size() > Exceptions(dots.size())) continue;
    for (const size_t i : far) focus[i] = false;
  }
}

// "0.0007 GFLOP/s"; empty where the axes reach it.
std::string Beyond(const Chart& chart, const ChartDot& dot) {
  const bool x = dot.x < chart.x_min || dot.x > chart.x_max;
  const bool y = dot.y < chart.y_min || dot.y > chart.y_max;
  std::string text;
  // Plain() has three decimals: too few for what is far below 1.
  if (y) text = fmt::format("{:.3g} GFLOP/s", dot.y);
  if (x) text += fmt::format("{}{:.3g} FLOP/byte", y ? ", " : "", dot.x);
  return text;
}

}  // namespace

double FastestBandwidth(const JobRoofs& roofs) {
  double fastest = 0;
  for (const auto& roof : roofs.bandwidth) fastest = std::max(fastest, roof ? roof->value : 0);
  return fastest;
}

std::vector<bool> InFocus(const std::vector<ChartDot>& dots) {
  std::vector<bool> focus(dots.size(), true);
  const std::vector<bool> takes_time = TakeTime(dots);
  LeaveOut(dots, &ChartDot::x, 1e4, takes_time, focus);
  LeaveOut(dots, &ChartDot::y, 1e3, takes_time, focus);
  return focus;
}

void SetRanges(Chart& chart, const JobRoofs* roofs, double top, const std::vector<Rung>& ladder,
               bool every_slope, ChartExtent extent) {
  double x_low = 0.1, x_high = 10, y_low = 1e300, y_high = 0;
  const std::vector<bool> focus = InFocus(chart.dots);
  for (size_t i = 0; i < chart.dots.size(); ++i) {
    const ChartDot& dot = chart.dots[i];
    if (extent == ChartExtent::kFocus && !focus[i]) continue;
    x_low = std::min(x_low, dot.x / 1.05);
    x_high = std::max(x_high, dot.x * 1.3);
    y_low = std::min(y_low, dot.y / 1.05);
    y_high = std::max(y_high, dot.y * 1.2);
  }
  for (const ChartWall& wall : chart.walls) {
    x_low = std::min(x_low, wall.x / 1.05);
    x_high = std::max(x_high, wall.x * 1.3);
  }
  for (const Rung& rung : ladder) {
    if (!rung.memory) y_low = std::min(y_low, rung.value / 1.5);
  }
  double slowest = 0;
  if (roofs != nullptr) {
    y_high = std::max(y_high, top * 1.6);  // room for its name
    for (const auto& roof : roofs->bandwidth) {
      if (roof) slowest = slowest == 0 ? roof->value : std::min(slowest, roof->value);
    }
    // Where the steepest slope meets the roof, with room for its name.
    if (every_slope && top > 0 && slowest > 0) {
      x_low = std::min(x_low, 0.3 * top / FastestBandwidth(*roofs));
    }
    if (slowest > 0 && top > 0) x_high = std::max(x_high, 1.5 * top / slowest);
  }
  chart.x_min = DecadeBelow(Drawable(x_low));
  chart.x_max = RoundUp(Drawable(x_high));
  // The slowest slope should enter at the left edge, not from below it.
  if (slowest > 0) y_low = std::min(y_low, slowest * chart.x_min * 2);
  if (y_low > y_high) y_low = y_high / 100;
  chart.y_min = DecadeBelow(Drawable(y_low));
  chart.y_max = RoundUp(std::max(Drawable(y_high), 10 * chart.y_min));
  for (ChartDot& dot : chart.dots) dot.beyond = Beyond(chart, dot);
}

}  // namespace roofmark
