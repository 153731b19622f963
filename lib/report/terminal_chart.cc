// SPDX-License-Identifier: BSD-3-Clause
//
// The chart in characters: lines in braille dots (2 x 4 to a cell) or in ASCII, labels and the
// regions' letters on top.
#include "lib/report/terminal_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "lib/report/chart.h"
#include "lib/report/device_charts.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/hot_paths.h"
#include "lib/report/limit_color.h"

namespace roofmark {
namespace {

constexpr int kAxisWidth = 7;  // "  100G |"
constexpr int kRungStep = 3;   // rungs are dotted: every third column of dots
constexpr const char* kNothing =
    "Nothing to draw: no region has both a time and an intensity, and there are no roofs.";

class Canvas {
 public:
  Canvas(const Chart& chart, int columns, int rows, const TextStyle& style)
      : chart_(chart),
        columns_(columns),
        rows_(rows),
        unicode_(style.unicode),
        color_(style.color),
        lines_(static_cast<size_t>(columns * rows)),
        text_(lines_.size(), '\0'),
        tones_(lines_.size(), Tone::kNone) {}

  int Column(double x) const { return static_cast<int>(XShare(x) * columns_); }
  int Row(double y) const { return static_cast<int>((1 - YShare(y)) * rows_); }

  void Draw(const ChartLine& line) {
    const int per_cell = unicode_ ? 2 : 1;
    for (int px = 0; px < columns_ * per_cell; ++px) {
      const double x =
          std::pow(10, std::log10(chart_.x_min) + (px + 0.5) / (columns_ * per_cell) * XDecades());
      if (x < line.x0 || x > line.x1 || (line.rung && px % kRungStep != 0)) continue;
      Plot(px, LineAt(line, x), line.memory ? '.' : '-');
    }
  }

  // From below up to the roof, dotted as rungs are.
  void Draw(const ChartWall& wall) {
    const int per_column = unicode_ ? 2 : 1, sub = unicode_ ? 4 : 1;
    const int px = static_cast<int>(XShare(wall.x) * columns_ * per_column);
    if (px < 0 || px >= columns_ * per_column) return;
    const int top = static_cast<int>((1 - YShare(wall.y1)) * rows_ * sub);
    for (int py = rows_ * sub - 1; py >= std::max(0, top); --py) {
      if (!unicode_ || py % 2 == 0) Mark(px, py, ':');
    }
  }

  // Straight, dotted as rungs are.
  void DrawArrow(const ChartDot& from, const ChartDot& to) {
    const int per_column = unicode_ ? 2 : 1, sub = unicode_ ? 4 : 1;
    const double x0 = XShare(from.x) * columns_ * per_column,
                 x1 = XShare(to.x) * columns_ * per_column;
    const double y0 = (1 - YShare(from.y)) * rows_ * sub, y1 = (1 - YShare(to.y)) * rows_ * sub;
    const int steps = static_cast<int>(std::max(std::abs(x1 - x0), std::abs(y1 - y0)));
    for (int step = 0; step <= steps; step += unicode_ ? 2 : 1) {
      const double share = steps > 0 ? static_cast<double>(step) / steps : 0;
      const int px = static_cast<int>(x0 + share * (x1 - x0));
      const int py = static_cast<int>(y0 + share * (y1 - y0));
      if (px < 0 || px >= columns_ * per_column || py < 0 || py >= rows_ * sub) continue;
      Mark(px, py, '*');
    }
  }

  // False if any of the cells is taken or outside.
  bool Write(int column, int row, const std::string& text, Tone tone = Tone::kNone) {
    const int length = static_cast<int>(text.size());
    if (row < 0 || row >= rows_ || column < 0 || column + length > columns_) return false;
    for (int i = 0; i < length; ++i) {
      if (text_[Index(column + i, row)] != '\0') return false;
    }
    for (int i = 0; i < length; ++i) {
      text_[Index(column + i, row)] = text[static_cast<size_t>(i)];
      tones_[Index(column + i, row)] = tone;
    }
    return true;
  }

  std::string RowText(int row) const {
    std::string out;
    for (int column = 0; column < columns_; ++column) {
      const size_t cell = Index(column, row);
      out += Toned(color_, tones_[cell], CellText(cell));
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  }

  int columns() const { return columns_; }
  int rows() const { return rows_; }

 private:
  double XDecades() const { return std::log10(chart_.x_max / chart_.x_min); }
  double XShare(double x) const { return std::log10(x / chart_.x_min) / XDecades(); }
  double YShare(double y) const {
    return std::log10(y / chart_.y_min) / std::log10(chart_.y_max / chart_.y_min);
  }
  size_t Index(int column, int row) const { return static_cast<size_t>(row * columns_ + column); }

  void Plot(int px, double y, char ascii) {
    const int sub = unicode_ ? 4 : 1;
    const int py = static_cast<int>((1 - YShare(y)) * rows_ * sub);
    if (py < 0 || py >= rows_ * sub) return;
    Mark(px, py, ascii);
  }

  void Mark(int px, int py, char ascii) {
    if (!unicode_) {
      lines_[Index(px, py)] = static_cast<unsigned char>(ascii);
      return;
    }
    // Bits of a braille cell, by row and column (Unicode 2800 block).
    constexpr unsigned char kBits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    lines_[Index(px / 2, py / 4)] |= kBits[py % 4][px % 2];
  }

  std::string CellText(size_t index) const {
    if (text_[index] != '\0') return std::string(1, text_[index]);
    const unsigned char bits = lines_[index];
    if (bits == 0) return " ";
    if (!unicode_) return std::string(1, static_cast<char>(bits));
    // U+2800 + bits in UTF-8.
    return {static_cast<char>(0xE2), static_cast<char>(0xA0 | (bits >> 6)),
            static_cast<char>(0x80 | (bits & 0x3F))};
  }

  const Chart& chart_;
  int columns_, rows_;
  bool unicode_, color_;
  std::vector<unsigned char> lines_;  // braille bits, or the ASCII character
  std::string text_;
  std::vector<Tone> tones_;  // of the text
};

// A taken cell moves a letter to the next free one, in its own row if there is one. What was found
// is hollow: its letter stands in brackets.
void PlaceDot(Canvas& canvas, const ChartDot& dot) {
  const std::string text = dot.is_found ? "(" + dot.key + ")" : dot.key;
  const int column =
      std::clamp(canvas.Column(dot.x), 0, canvas.columns() - 1) - (dot.is_found ? 1 : 0);
  const int row = std::clamp(canvas.Row(dot.y), 0, canvas.rows() - 1);
  for (const int down : {0, 1, -1}) {
    for (const int shift : {0, 1, -1, 2, -2, 3, -3}) {
      if (canvas.Write(column + shift, row + down, text, InfoOf(dot.limit).tone)) return;
    }
  }
}

// Blanks part a rung's name from the lines around it.
std::string LabelOf(const ChartLine& line) {
  return line.rung ? " " + line.label + " " : line.label;
}

// Names of horizontal roofs, which stand in the order of their roofs: each at its right end, above
// or below.
class RoofNames {
 public:
  explicit RoofNames(Canvas& canvas) : canvas_(canvas) {}

  void Place(const ChartLine& line) {
    const std::string label = LabelOf(line);
    const int row = canvas_.Row(line.y0), length = static_cast<int>(label.size());
    for (int column = canvas_.columns() - length; column > canvas_.Column(line.x0); column -= 2) {
      for (const int at : {row - 1, row + 1}) {
        if (!IsInOrder(line.y0, at) || !canvas_.Write(column, at, label)) continue;
        placed_.push_back({line.y0, at});
        return;
      }
    }
  }

 private:
  struct Placed {
    double y;
    int row;  // counted from above
  };

  bool IsInOrder(double y, int row) const {
    return std::all_of(placed_.begin(), placed_.end(), [&](const Placed& other) {
      return other.y == y || (other.y > y ? other.row <= row : other.row >= row);
    });
  }

  Canvas& canvas_;
  std::vector<Placed> placed_;
};

// To the right below it, where the slope runs away from the text.
void PlaceSlopeName(Canvas& canvas, const ChartLine& line) {
  const std::string label = LabelOf(line);
  for (double share = 0.02; share < 0.9; share += 0.05) {
    const double x = line.x0 * std::pow(line.x1 / line.x0, share);
    if (canvas.Write(canvas.Column(x) + 1, canvas.Row(LineAt(line, x)) + 1, label)) return;
  }
}

// Beside it, from the lowest row up.
void PlaceLabel(Canvas& canvas, const ChartWall& wall) {
  const std::string label = wall.label + " ";
  const int column = canvas.Column(wall.x), length = static_cast<int>(label.size());
  for (int row = canvas.rows() - 1; row > canvas.rows() / 2; --row) {
    if (canvas.Write(column + 1, row, label) || canvas.Write(column - length, row, label)) return;
  }
}

std::string YAxis(const Canvas& canvas, const Chart& chart, int row, bool unicode) {
  std::string tick;
  for (const double y : Decades(chart.y_min, chart.y_max)) {
    const int at = std::min(canvas.Row(y * 1.0000001), canvas.rows() - 1);
    if (at == row) tick = fmt::format("{:g}", y);
  }
  const char* bar = unicode ? (tick.empty() ? "│" : "┤") : (tick.empty() ? "|" : "+");
  return PadLeft(tick, kAxisWidth - 1) + bar;
}

std::string XAxis(const Canvas& canvas, const Chart& chart, bool unicode) {
  std::string line(kAxisWidth - 1, ' '),
      names(static_cast<size_t>(kAxisWidth + canvas.columns()), ' ');
  line += unicode ? "└" : "+";
  std::vector<int> ticks;
  for (const double x : Decades(chart.x_min, chart.x_max)) {
    const int column = std::min(canvas.Column(x * 1.0000001), canvas.columns() - 1);
    ticks.push_back(column);
    const std::string name = fmt::format("{:g}", x);
    const size_t begin =
        std::min(static_cast<size_t>(kAxisWidth + column), names.size() - name.size());
    names.replace(begin, name.size(), name);
  }
  for (int column = 0; column < canvas.columns(); ++column) {
    const bool tick = std::find(ticks.begin(), ticks.end(), column) != ticks.end();
    line += unicode ? (tick ? "┴" : "─") : (tick ? "+" : "-");
  }
  names.erase(names.find_last_not_of(' ') + 1);
  return line + "\n" + names + "\n";
}

// Their letters stand at the edge.
std::string Outside(const Chart& chart, size_t width) {
  std::string dots;
  for (const ChartDot& dot : chart.dots) {
    if (dot.beyond.empty()) continue;
    dots += fmt::format("{}{} at {}", dots.empty() ? "" : "; ", dot.key, dot.beyond);
  }
  return dots.empty() ? dots : Wrap("outside of the axes: " + dots, width, 2);
}

// The program's, and those of the regions that the table shows, where none were asked for. Says how
// many others there are.
std::string KeepHotDots(const ReportJob& job, const TextStyle& style, Chart& chart) {
  const HotPaths hot = HotPathsOf(job, style.detail);
  if (job.drawn || hot.left_out == 0) return {};
  const std::set<size_t> shown(hot.order.begin(), hot.order.end());
  const size_t all = chart.dots.size();
  std::erase_if(chart.dots, [&](const ChartDot& dot) {
    return !dot.is_program && shown.count(dot.region) == 0;
  });
  const size_t less = all - chart.dots.size();
  return less == 0 ? "" : fmt::format("{} of {} dots are left out (--all)", less, all);
}

}  // namespace

std::string DrawInTerminal(const Chart& chart, const TextStyle& style) {
  const int width = std::max(style.width, kMinWidth);
  if (chart.lines.empty() && chart.dots.empty())
    return Wrap(kNothing, static_cast<size_t>(width), 2);
  const int columns = width - kAxisWidth - 1;
  // A decade of y about as high as a decade of x is wide, cells being twice as high as wide.
  const double decades_x = std::log10(chart.x_max / chart.x_min);
  const double decades_y = std::log10(chart.y_max / chart.y_min);
  const int rows = std::clamp(static_cast<int>(columns * 0.35 * decades_y / decades_x), 14, 26);
  Canvas canvas(chart, columns, rows, style);
  for (const ChartWall& wall : chart.walls) canvas.Draw(wall);
  for (const ChartLine& line : chart.lines) canvas.Draw(line);
  for (const ChartArrow& arrow : chart.arrows) {
    canvas.DrawArrow(chart.dots[arrow.from], chart.dots[arrow.to]);
  }
  // Letters first, so that no label hides one.
  for (const ChartDot& dot : chart.dots) PlaceDot(canvas, dot);
  RoofNames roofs(canvas);
  for (const ChartLine& line : chart.lines) {
    line.memory ? PlaceSlopeName(canvas, line) : roofs.Place(line);
  }
  for (const ChartWall& wall : chart.walls) PlaceLabel(canvas, wall);
  std::string out = "GFLOP/s\n";
  for (int row = 0; row < rows; ++row) {
    out += YAxis(canvas, chart, row, style.unicode) + canvas.RowText(row) + "\n";
  }
  out += XAxis(canvas, chart, style.unicode) +
         PadLeft(chart.x_axis, static_cast<size_t>(columns + kAxisWidth)) + "\n";
  if (HasHollowDots(chart)) out += fmt::format("( ): {}\n", kFoundLegend);
  return out + Outside(chart, static_cast<size_t>(width));
}

std::string RenderChart(const std::vector<ReportJob>& jobs, const TextStyle& style,
                        ChartKind kind) {
  std::string out;
  for (const ReportJob& job : jobs) {
    if (jobs.size() > 1) {
      const int width = std::max(style.width, kMinWidth);
      out += Wrap(Printable(job.name) + ":", static_cast<size_t>(width), 2);
    }
    Chart chart = MakeChart(job, kind);
    const std::string left_out = KeepHotDots(job, style, chart);
    out += DrawInTerminal(chart, style) +
           (left_out.empty() ? "" : Wrap(left_out, static_cast<size_t>(style.width), 2));
    for (const DeviceChart& device : DeviceCharts(job, kind)) {
      const int width = std::max(style.width, kMinWidth);
      out += "\n" + Wrap(device.title, static_cast<size_t>(width), 2) +
             DrawInTerminal(device.chart, style);
    }
  }
  return out;
}

std::string RenderMachine(const Machine& machine, const TextStyle& style) {
  return DrawInTerminal(MakeChart(machine), style);
}

}  // namespace roofmark
