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
    for (const ChartWall& wall : chart_.walls) {
      layout.walls.push_back(
          placer_.Add({Text(wall.label), Text(wall.name)}, WallPlaces(wall), Crowding::kOnLines));
    }
    size_t named = 0;
    for (const size_t i : order) {
      const ChartDot& dot = chart_.dots[i];
      if (!dot.beyond.empty() || dot.label.empty()) continue;
      if (named == kMostNames) break;
      const Crowding most = named < kSureNames ? Crowding::kOnDots : Crowding::kOnLines;
      const bool whole = !IsTight() || named < kNarrowNames;
      layout.dots[i] = whole ? AddDot(dot, most) : AddKey(dot, most);
      ++named;
    }
    return layout;
  }

 private:
  LabelText Text(const std::string& text, bool bold = false) const {
    return {text, LettersWidth(text, letter_, bold)};
  }

  void AddObstacles() {
    for (const ChartDot& dot : chart_.dots) {
      if (dot.weight == Weight::kAside) continue;
      const DotSpot spot = SpotOf(dot, plot_);
      placer_.AddDot(spot.x, spot.y, RadiusOf(dot, plot_.frame()));
    }
    for (const ChartLine& line : chart_.lines) {
      placer_.AddLine(plot_.X(line.x0), plot_.Y(line.y0), plot_.X(line.x1), plot_.Y(line.y1));
    }
    for (const ChartArrow& arrow : chart_.arrows) {
      if (arrow.weight == Weight::kAside) continue;
      const auto place = PlaceArrow(chart_, arrow, plot_);
      if (place) placer_.AddLine(place->x0, place->y0, place->x1, place->y1);
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

  // Along the line, from its lower end up: above it, then below.
  std::vector<Place> SlopePlaces(const ChartLine& line) const {
    const double degrees = plot_.SlopeDegrees(), angle = degrees * std::acos(-1.0) / 180;
    const double left = plot_.X(line.x0), right = plot_.X(line.x1);
    std::vector<Place> places;
    for (double x = left + 12; x < right; x += 20) {
      const double y = plot_.Y(line.y0) - (x - left) * std::tan(angle);
      for (const double above : {5.0, -(letter_ + 2)}) {
        places.push_back(
            {x - above * std::sin(angle), y - above * std::cos(angle), Anchor::kStart, -degrees});
      }
    }
    return places;
  }

  // Close to its line in short rather than in full where another line is nearer. Far from it rather
  // than struck through by a line, or on a dot.
  std::optional<PlacedLabel> AddLine(const ChartLine& line) {
    const std::vector<LabelText> texts = {Text(line.label), Text(line.name)};
    if (line.memory) return placer_.Add(texts, SlopePlaces(line), Crowding::kOnDots);
    for (const Crowding most : {Crowding::kOnNothing, Crowding::kOnLines, Crowding::kOnDots}) {
      for (const double away : {0.0, letter_ + 3, 2 * (letter_ + 3)}) {
        auto label = placer_.Add(texts, RoofPlaces(line, away), most);
        if (label) return label;
      }
    }
    return std::nullopt;
  }

  // Behind another roof a name would be read as that one's.
  bool HasRoofBetween(const ChartLine& line, double top, double bottom) const {
    return std::any_of(chart_.lines.begin(), chart_.lines.end(), [&](const ChartLine& other) {
      const double y = plot_.Y(other.y0);
      return &other != &line && !other.memory && y > top && y < bottom;
    });
  }

  // From its right end on: above it, then below.
  std::vector<Place> RoofPlaces(const ChartLine& line, double away) const {
    const double y = plot_.Y(line.y0);
    const bool above = away == 0 || !HasRoofBetween(line, y - 5 - away - letter_, y);
    const bool below = away == 0 || !HasRoofBetween(line, y, y + letter_ + 2 + away);
    std::vector<Place> places;
    for (double x = plot_.X(line.x1) - 6; x > plot_.X(line.x0); x -= 20) {
      if (above) places.push_back({x, y - 5 - away, Anchor::kEnd});
      if (below) places.push_back({x, y + letter_ + 2 + away, Anchor::kEnd});
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

  // In its row, then in rows above and below it.
  std::vector<Place> Beside(double x, double y, double reach, bool beyond_plot,
                            int rows = 2) const {
    const double middle = y + 0.325 * letter_, line = letter_ + 3;
    std::vector<Place> places;
    const auto add = [&](int shift) {
      const double at = middle + shift * line;
      places.push_back({x + reach, at, Anchor::kStart, 0, beyond_plot});
      places.push_back({x - reach, at, Anchor::kEnd, 0, beyond_plot});
    };
    add(0);
    for (int away = 1; away <= rows; ++away) {
      add(-away);
      add(away);
    }
    return places;
  }

  // Its mark shows where it is: on a line its name would be read as that of the line.
  std::optional<PlacedLabel> AddRidge(const RidgePoint& ridge) {
    constexpr int kRidgeRows = 6;
    return placer_.Add({Text(ridge.label), Text(ridge.name)},
                       Beside(plot_.X(ridge.x), plot_.Y(ridge.y), 8, false, kRidgeRows),
                       Crowding::kOnNothing);
  }

  // Around it, in ever larger circles.
  std::vector<Place> FarPlaces(const DotSpot& spot, double radius) const {
    constexpr int kCorners = 12;
    std::vector<Place> places;
    for (const double away : {24.0, 48.0, 76.0, 110.0}) {
      for (int corner = 0; corner < kCorners; ++corner) {
        const double angle = 2 * std::acos(-1.0) * (corner + 0.5) / kCorners;
        const double x = spot.x + (radius + away) * std::cos(angle);
        const double y = spot.y + (radius + away) * std::sin(angle) + 0.325 * letter_;
        places.push_back({x, y, std::cos(angle) > 0 ? Anchor::kStart : Anchor::kEnd, 0, true, true,
                          spot.x, spot.y});
      }
    }
    return places;
  }

  bool IsTight() const { return plot_.frame().narrow() && chart_.dots.size() > kFewNarrowDots; }

  std::optional<PlacedLabel> AddKey(const ChartDot& dot, Crowding most) {
    const DotSpot spot = SpotOf(dot, plot_);
    return placer_.Add({Text(dot.key, true)},
                       Beside(spot.x, spot.y, RadiusOf(dot, plot_.frame()) + 3, true), most);
  }

  std::optional<PlacedLabel> AddMark(const ChartDot& dot) {
    constexpr int kMarkRows = 5;
    const DotSpot spot = SpotOf(dot, plot_);
    const LabelText name = Text(dot.label + ": " + dot.beyond, true);
    const LabelText key = Text(dot.key + ": " + dot.beyond, true);
    const std::vector<Place> beside = Beside(spot.x, spot.y, kEdgeMark + 3, true, kMarkRows);
    auto label = IsTight() ? std::nullopt : placer_.Add({name}, beside, Crowding::kOnLines);
    if (!label) label = placer_.Add({key}, beside, Crowding::kOnLines);
    return label ? label : placer_.Add({key, Text(dot.key, true)}, beside, Crowding::kOnDots);
  }

  // Its name beside it, or far from it with a line between them, or its key; then on lines, then on
  // other dots, if it may.
  std::optional<PlacedLabel> AddDot(const ChartDot& dot, Crowding most) {
    const DotSpot spot = SpotOf(dot, plot_);
    const double radius = RadiusOf(dot, plot_.frame());
    const LabelText name = Text(dot.label, true), key = Text(dot.key, true);
    const std::vector<Place> beside = Beside(spot.x, spot.y, radius + 3, true);
    if (chart_.dots.size() <= kFewDots) {
      auto label = placer_.Add({name}, beside, Crowding::kOnNothing);
      if (!label && !plot_.frame().narrow()) {
        label = placer_.Add({name}, FarPlaces(spot, radius), Crowding::kOnNothing);
      }
      if (!label) label = placer_.Add({name, key}, beside, Crowding::kOnLines);
      if (label) return label;
    }
    return placer_.Add({name, key}, beside, most);
  }

  const Chart& chart_;
  const LogPlot& plot_;
  double letter_;
  LabelPlacer placer_;
};

}  // namespace

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
