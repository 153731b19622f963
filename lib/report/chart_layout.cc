// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/chart_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/report/letters.h"

namespace roofmark {
namespace {

class Layouter {
 public:
  Layouter(const Chart& chart, const LogPlot& plot)
      : chart_(chart),
        plot_(plot),
        letter_(LetterSize(plot.frame())),
        placer_(plot.frame(), letter_) {}

  ChartLayout LayOut() {
    ChartLayout layout;
    layout.lines.resize(chart_.lines.size());
    layout.dots.resize(chart_.dots.size());
    AddObstacles();
    AddLines(layout, false);
    for (const RidgePoint& ridge : chart_.ridges) {
      layout.ridges.push_back(ridge.label.empty() ? std::nullopt : AddRidge(ridge));
    }
    // A mark at the edge says nothing without a name and its value.
    const std::vector<size_t> order = ByShare(chart_.dots);
    for (const size_t i : order) {
      const ChartDot& dot = chart_.dots[i];
      if (!dot.beyond.empty() && !dot.label.empty()) layout.dots[i] = AddMark(dot);
    }
    AddLines(layout, true);
    for (const ChartWall& wall : chart_.walls) layout.walls.push_back(AddWall(wall));
    size_t named = 0;
    for (const size_t i : order) {
      const ChartDot& dot = chart_.dots[i];
      if (!dot.beyond.empty() || dot.label.empty()) continue;
      if (named == kMostNames) break;
      layout.dots[i] = AddDot(dot, named);
      ++named;
    }
    return layout;
  }

 private:
  // A point from which a line may lead to a name; of a dot its middle.
  struct NamedPoint {
    double x, y, radius = 0;  // px
  };

  LabelText Text(const std::string& text, bool bold = false) const {
    return {text, LettersWidth(text, letter_, bold)};
  }

  void AddObstacles() {
    for (const ChartDot& dot : chart_.dots) {
      if (dot.weight == Weight::kAside) continue;
      const DotSpot spot = SpotOf(dot, plot_);
      placer_.AddDot(spot.x, spot.y, RadiusOf(dot, plot_.frame()));
      const DotBars bars = BarsOf(dot, plot_);
      if (bars.over_y) placer_.AddLine(spot.x, bars.over_y->from, spot.x, bars.over_y->to);
      for (const auto& bar : {bars.over_x, bars.within_x}) {
        if (bar) placer_.AddLine(bar->from, spot.y, bar->to, spot.y);
      }
    }
    for (const RidgePoint& ridge : chart_.ridges) {
      placer_.AddDot(plot_.X(ridge.x), plot_.Y(ridge.y), kRidgeMark);
    }
    for (const ChartLine& line : chart_.lines) {
      placer_.AddLine(plot_.X(line.x0), plot_.Y(line.y0), plot_.X(line.x1), plot_.Y(line.y1));
    }
    for (const ChartArrow& arrow : chart_.arrows) {
      if (arrow.weight == Weight::kAside) continue;
      const auto place = PlaceArrow(chart_, arrow, plot_);
      if (!place) continue;
      placer_.AddLine(place->x0, place->y0, place->x1, place->y1,
                      kHalfHead * ArrowHead(plot_.frame()));
    }
    for (const ChartWall& wall : chart_.walls) {
      const double top = plot_.Y(std::max(wall.y1, chart_.y_min));
      placer_.AddLine(plot_.X(wall.x), plot_.frame().PlotBottom(), plot_.X(wall.x), top);
    }
  }

  void AddLines(ChartLayout& layout, bool rungs) {
    for (size_t i = 0; i < chart_.lines.size(); ++i) {
      const ChartLine& line = chart_.lines[i];
      if (line.rung != rungs) continue;
      layout.lines[i] = AddLine(line);
    }
  }

  // With a leader from a line, which crosses no other line if that can be.
  std::optional<PlacedLabel> AddFar(const std::vector<LabelText>& texts, double x0, double y0,
                                    double x1, double y1) {
    std::vector<Place> far = FarPlaces(PointsOn(x0, y0, x1, y1));
    for (Place& place : far) place.crosses_lines = false;
    auto label = placer_.Add(texts, far);
    if (label) return label;
    for (Place& place : far) place.crosses_lines = true;
    return placer_.Add(texts, far);
  }

  // Along it, in short rather than elsewhere; else far from it.
  std::optional<PlacedLabel> AddLine(const ChartLine& line) {
    const std::vector<LabelText> texts = {Text(line.label), Text(line.name)};
    auto label = placer_.Add(texts, line.memory ? SlopePlaces(line) : RoofPlaces(line));
    const double x0 = plot_.X(line.x0), y0 = plot_.Y(line.y0);
    const double x1 = plot_.X(line.x1), y1 = plot_.Y(line.y1);
    return label ? label : AddFar(texts, x0, y0, x1, y1);
  }

  std::optional<PlacedLabel> AddWall(const ChartWall& wall) {
    const std::vector<LabelText> texts = {Text(wall.label), Text(wall.name)};
    auto label = placer_.Add(texts, WallPlaces(wall));
    const double x = plot_.X(wall.x), top = plot_.Y(std::max(wall.y1, chart_.y_min));
    return label ? label : AddFar(texts, x, plot_.frame().PlotBottom(), x, top);
  }

  // Along the line, from its lower end up: above it, then below.
  std::vector<Place> SlopePlaces(const ChartLine& line) const {
    const double degrees = plot_.SlopeDegrees(), angle = degrees * std::acos(-1.0) / 180;
    const double left = plot_.X(line.x0), right = plot_.X(line.x1);
    std::vector<Place> places;
    for (double x = left + 12; x < right; x += 10) {
      const double y = plot_.Y(line.y0) - (x - left) * std::tan(angle);
      for (const double above : {5.0, -(letter_ + 2)}) {
        places.push_back(
            {x - above * std::sin(angle), y - above * std::cos(angle), Anchor::kStart, -degrees});
      }
    }
    return places;
  }

  // From its right end on: above it, then below.
  std::vector<Place> RoofPlaces(const ChartLine& line) const {
    const double y = plot_.Y(line.y0);
    std::vector<Place> places;
    for (double x = plot_.X(line.x1) - 6; x > plot_.X(line.x0); x -= 10) {
      places.push_back({x, y - 5, Anchor::kEnd});
      places.push_back({x, y + letter_ + 2, Anchor::kEnd});
    }
    return places;
  }

  // Upwards along it, as low as there is room: left of it, then right. Then across, beside it.
  std::vector<Place> WallPlaces(const ChartWall& wall) const {
    const double x = plot_.X(wall.x);
    std::vector<Place> places;
    for (double y = plot_.frame().PlotBottom() - 6; y > plot_.frame().top; y -= 16) {
      places.push_back({x - 5, y, Anchor::kStart, -90});
      places.push_back({x + letter_ + 2, y, Anchor::kStart, -90});
    }
    for (double y = plot_.frame().PlotBottom() - 6; y > plot_.frame().top; y -= 16) {
      places.push_back({x - 5, y, Anchor::kEnd});
      places.push_back({x + 5, y});
    }
    return places;
  }

  // With a line from the edge of what it names, if that is not around the line's end.
  Place WithLeader(Place place, const NamedPoint& from) const {
    const auto [x, y] = LeaderEnd(place, letter_);
    const double far = std::hypot(x - from.x, y - from.y), edge = from.radius / far;
    if (far <= from.radius) return place;
    place.has_leader = true;
    place.leader_x = from.x + edge * (x - from.x);
    place.leader_y = from.y + edge * (y - from.y);
    return place;
  }

  // In its row, then in rows above and below it.
  std::vector<Place> Beside(const NamedPoint& at, bool beyond_plot, int rows = 2) const {
    const double middle = at.y + 0.325 * letter_, line = letter_ + 3, reach = at.radius + 3;
    std::vector<Place> places;
    const auto add = [&](int shift) {
      for (const Anchor anchor : {Anchor::kStart, Anchor::kEnd}) {
        const double x = anchor == Anchor::kStart ? at.x + reach : at.x - reach;
        const Place place = {x, middle + shift * line, anchor, 0, beyond_plot};
        places.push_back(shift == 0 ? place : WithLeader(place, at));
      }
    };
    add(0);
    for (int away = 1; away <= rows; ++away) {
      add(-away);
      add(away);
    }
    return places;
  }

  // Around the points, in ever larger circles.
  std::vector<Place> FarPlaces(const std::vector<NamedPoint>& points) const {
    constexpr int kCorners = 12;
    std::vector<Place> places;
    for (const double away : {14.0, 24.0, 48.0, 76.0, 110.0, 150.0}) {
      for (const NamedPoint& point : points) {
        for (int corner = 0; corner < kCorners; ++corner) {
          const double angle = 2 * std::acos(-1.0) * (corner + 0.5) / kCorners;
          const double x = point.x + (point.radius + away) * std::cos(angle);
          const double y = point.y + (point.radius + away) * std::sin(angle) + 0.325 * letter_;
          const Anchor anchor = std::cos(angle) > 0 ? Anchor::kStart : Anchor::kEnd;
          places.push_back(WithLeader({x, y, anchor, 0, true}, point));
        }
      }
    }
    return places;
  }

  // From its second end on, but in no dot and no mark of a ridge: whose name would begin there?
  std::vector<NamedPoint> PointsOn(double x0, double y0, double x1, double y1) const {
    constexpr double kApart = 30;  // px
    const double length = std::hypot(x1 - x0, y1 - y0);
    std::vector<NamedPoint> points;
    for (double at = length - std::min(kApart, length) / 2; at > 0; at -= kApart) {
      const NamedPoint point = {x0 + at / length * (x1 - x0), y0 + at / length * (y1 - y0)};
      if (!IsInAMark(point)) points.push_back(point);
    }
    return points;
  }

  bool IsInAMark(const NamedPoint& point) const {
    const auto is_in = [&point](double x, double y, double radius) {
      constexpr double kAround = 3;  // px
      return std::hypot(point.x - x, point.y - y) < radius + kAround;
    };
    return std::any_of(chart_.dots.begin(), chart_.dots.end(),
                       [&](const ChartDot& dot) {
                         const DotSpot spot = SpotOf(dot, plot_);
                         return is_in(spot.x, spot.y, RadiusOf(dot, plot_.frame()));
                       }) ||
           std::any_of(chart_.ridges.begin(), chart_.ridges.end(), [&](const RidgePoint& ridge) {
             return is_in(plot_.X(ridge.x), plot_.Y(ridge.y), kRidgeMark);
           });
  }

  // Its mark shows where it is: on a line its name would be read as that of the line.
  std::optional<PlacedLabel> AddRidge(const RidgePoint& ridge) {
    constexpr int kRidgeRows = 6;
    const NamedPoint at = {plot_.X(ridge.x), plot_.Y(ridge.y), kRidgeMark};
    return placer_.Add({Text(ridge.label), Text(ridge.name)}, Beside(at, false, kRidgeRows));
  }

  bool IsTight() const { return plot_.frame().narrow() && chart_.dots.size() > kFewNarrowDots; }

  NamedPoint PointOf(const ChartDot& dot) const {
    const DotSpot spot = SpotOf(dot, plot_);
    return {spot.x, spot.y, RadiusOf(dot, plot_.frame())};
  }

  std::optional<PlacedLabel> AddMark(const ChartDot& dot) {
    constexpr int kMarkRows = 5;
    const std::vector<std::string> texts = MarkTexts(dot);
    const std::vector<Place> beside = Beside(PointOf(dot), true, kMarkRows);
    const std::vector<Place> far = FarPlaces({PointOf(dot)});
    auto label = IsTight() ? std::nullopt : placer_.Add({Text(texts[0], true)}, beside);
    for (size_t i = 1; i < texts.size() && !label; ++i) {
      label = placer_.Add({Text(texts[i], true)}, beside);
      if (!label) label = placer_.Add({Text(texts[i], true)}, far);
    }
    return label ? label : placer_.Add({Text(dot.key, true)}, beside);
  }

  // Its name beside it, or far from it with a line between them, or its key in the same way. In a
  // crowd far places are for the first few.
  std::optional<PlacedLabel> AddDot(const ChartDot& dot, size_t named) {
    const bool may_be_far = named < kSureNames || chart_.dots.size() <= kFewDots;
    const std::vector<Place> beside = Beside(PointOf(dot), true);
    const std::vector<Place> far = may_be_far ? FarPlaces({PointOf(dot)}) : std::vector<Place>();
    std::vector<LabelText> texts = {Text(dot.label, true), Text(dot.key, true)};
    if (IsTight() && named >= kNarrowNames) texts.erase(texts.begin());
    for (const LabelText& text : texts) {
      for (const std::vector<Place>* places : {&beside, &far}) {
        auto label = placer_.Add({text}, *places);
        if (label) return label;
      }
    }
    return std::nullopt;
  }

  const Chart& chart_;
  const LogPlot& plot_;
  double letter_;
  LabelPlacer placer_;
};

}  // namespace

std::vector<std::string> MarkTexts(const ChartDot& dot) {
  const std::string first = dot.beyond.substr(0, dot.beyond.find(", "));
  return {dot.label + ": " + dot.beyond, dot.key + ": " + dot.beyond, dot.key + ": " + first};
}

DotSpot SpotOf(const ChartDot& dot, const LogPlot& plot) {
  constexpr double kInside = 9;  // px: room for the mark and for half a name
  const double x = plot.X(dot.x), y = plot.Y(dot.y);
  if (dot.beyond.empty()) return {x, y};
  const PlotFrame& frame = plot.frame();
  const DataRange& range = plot.range();
  return {std::clamp(x, frame.left + kInside, frame.PlotRight() - kInside),
          std::clamp(y, frame.top + kInside, frame.PlotBottom() - kInside),
          (dot.x > range.x_max) - (dot.x < range.x_min),
          (dot.y < range.y_min) - (dot.y > range.y_max)};
}

// As far as they are longer than the dot is wide; an interval always.
DotBars BarsOf(const ChartDot& dot, const LogPlot& plot) {
  DotBars bars;
  if (!dot.beyond.empty()) return bars;
  const DataRange& range = plot.range();
  const double x = plot.X(dot.x), y = plot.Y(dot.y), radius = RadiusOf(dot, plot.frame());
  const auto across = [&](const Whisker& whisker) {
    return DotBar{plot.X(std::max(whisker.low, range.x_min)),
                  plot.X(std::min(whisker.high, range.x_max))};
  };
  if (dot.over_y.high > 0) {
    const DotBar bar = {plot.Y(std::max(dot.over_y.low, range.y_min)),
                        plot.Y(std::min(dot.over_y.high, range.y_max))};
    if (std::max(bar.from - y, y - bar.to) > radius) bars.over_y = bar;
  }
  if (dot.over_x.high > 0) {
    const DotBar bar = across(dot.over_x);
    if (std::max(x - bar.from, bar.to - x) > radius) bars.over_x = bar;
  }
  if (dot.within_x.high > 0) bars.within_x = across(dot.within_x);
  return bars;
}

double ArrowHead(const PlotFrame& frame) { return frame.narrow() ? 5.5 : 8; }

std::optional<ArrowPlace> PlaceArrow(const Chart& chart, const ChartArrow& arrow,
                                     const LogPlot& plot) {
  constexpr double kLeastSeen = 0.5, kLeastShaft = 4, kGap = 1.5;  // px
  const ChartDot &from = chart.dots[arrow.from], &to = chart.dots[arrow.to];
  const DotSpot tail = SpotOf(from, plot), tip = SpotOf(to, plot);
  const double far = std::hypot(tip.x - tail.x, tip.y - tail.y), head = ArrowHead(plot.frame());
  if (far < kLeastSeen) return std::nullopt;
  const double along_x = (tip.x - tail.x) / far, along_y = (tip.y - tail.y) / far;
  const double begin = RadiusOf(from, plot.frame()), end = RadiusOf(to, plot.frame()) + kGap;
  const auto between = [&](double first, double last, bool has_shaft) {
    return ArrowPlace{tail.x + first * along_x, tail.y + first * along_y, tail.x + last * along_x,
                      tail.y + last * along_y, has_shaft};
  };
  if (far >= begin + end + head + kLeastShaft) return between(begin, far - end, true);
  if (arrow.weight == Weight::kPale) return std::nullopt;
  return between(far + end, far + end + head, false);
}

double LetterSize(const PlotFrame& frame) { return frame.narrow() ? 10 : 12; }

// Area by time share; a region without one is still visible.
double RadiusOf(const ChartDot& dot, const PlotFrame& frame) {
  constexpr double kSpeck = 2.4;
  if (dot.weight == Weight::kAside) return kSpeck;
  if (!dot.beyond.empty()) return kEdgeMark;
  return (5 + dot.growth_px * std::sqrt(dot.share)) * (frame.narrow() ? 0.6 : 1);
}

std::vector<size_t> ByShare(const std::vector<ChartDot>& dots) {
  std::vector<size_t> order(dots.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (dots[a].weight != dots[b].weight) return dots[a].weight < dots[b].weight;
    return dots[a].share > dots[b].share;
  });
  return order;
}

ChartLayout LayOut(const Chart& chart, const LogPlot& plot) {
  return Layouter(chart, plot).LayOut();
}

}  // namespace roofmark
