// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lib/report/chart_layout.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/letters.h"
#include "lib/report/page_assets.h"

namespace roofmark {
namespace {

constexpr double kPixelsPerMm = 96 / 25.4;

double PixelsOf(const PictureStyle& style) {
  return style.width_mm > 0 ? style.width_mm * kPixelsPerMm : kSvgChartWidth;
}

}  // namespace

PlotFrame ChartFrame(double width) {
  return FrameOf(width, width >= kNarrowChart ? kSvgChartHeight : 0.72 * width + 112);
}

std::vector<size_t> MostImportant(size_t rows, const std::vector<size_t>& important) {
  std::vector<size_t> chosen;
  if (rows <= kMostPictureRows) {
    chosen.resize(rows);
    std::iota(chosen.begin(), chosen.end(), size_t{0});
    return chosen;
  }
  const size_t most = std::min(important.size(), kMostPictureRows);
  chosen.assign(important.begin(), important.begin() + static_cast<std::ptrdiff_t>(most));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Picture::Picture(const PictureStyle& style)
    : style_(style), frame_(ChartFrame(PixelsOf(style))), letter_(LetterSize(frame_)) {
  if (style.aspect <= 0) return;
  frame_.height = frame_.width / style.aspect - TitleHeight();
  frame_.keeps_height = true;
}

double Picture::TitleHeight() const { return style_.without_title ? 0 : letter_ + 14; }

void Picture::Add(const std::string& title, const Drawing& drawing, const PictureTable& table) {
  const double above = TitleHeight();
  body_ += fmt::format("<g{} transform=\"translate(0 {:.1f})\">",
                       frame_.narrow() ? " class=\"narrow\"" : "", y_);
  if (!style_.without_title) {
    body_ +=
        SvgText(12, letter_ + 8, "dot-name", Fitting(Printable(title), frame_.width - 24, letter_));
  }
  body_ += fmt::format("<g transform=\"translate(0 {:.1f})\">{}</g>", above, drawing.group);
  const double begin = above + drawing.height;
  y_ += begin;
  if (!style_.without_table && !table.rows.empty()) {
    body_ += fmt::format("<g transform=\"translate(0 {:.1f})\">{}</g>", begin, Table(table));
  }
  body_ += "</g>\n";
}

std::string Picture::Render(std::string_view style) const {
  const bool dark = style_.theme == SvgTheme::kDark;
  const double width_mm = style_.width_mm;
  const std::string size =
      width_mm > 0 ? fmt::format("width=\"{:.6g}mm\" height=\"{:.6g}mm\"", width_mm,
                                 width_mm * y_ / frame_.width)
                   : fmt::format("width=\"{:.0f}\" height=\"{:.0f}\"", frame_.width, y_);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" {}{} viewBox=\"0 0 {:.2f} {:.2f}\">\n"
      "<style>{}{}{}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
      size, dark ? " data-theme=\"dark\"" : "", frame_.width, y_, kChartStyle.text,
      dark ? kDarkStyle.text : "", style, body_);
}

// Of its head and its cells. Texts may be shortened.
double Picture::WidthOf(const PictureTable& table, size_t column) const {
  constexpr double kMostOfText = 0.3;  // of the picture
  double width = LettersWidth(table.columns[column].head, letter_);
  for (const Row& row : table.rows) {
    width = std::max(width, LettersWidth(row.cells[column], letter_));
  }
  return table.columns[column].is_text ? std::min(width, kMostOfText * frame_.width) : width;
}

Picture::Edges Picture::EdgesOf(const PictureTable& table) const {
  constexpr double kSide = 5, kBetweenTexts = 6;  // px
  Edges edges(table.columns.size());
  const bool is_roomy = frame_.width >= table.roomy_px;
  double right = frame_.width - kSide;
  for (size_t c = edges.size(); c-- > 0;) {
    const PictureColumn& column = table.columns[c];
    if (is_roomy) {
      edges[c] = column.x / kSvgChartWidth * frame_.width;
    } else if (column.in_narrow) {
      edges[c] = right;
      right -= WidthOf(table, c) + kBetweenTexts;
    }
  }
  return edges;
}

std::string Picture::Head(const PictureTable& table, const Edges& edges, double y) const {
  std::string out = SvgText(34, y, "tick", "region");
  for (size_t c = 0; c < edges.size(); ++c) {
    if (edges[c] > 0) out += SvgText(edges[c], y, "tick end", table.columns[c].head);
  }
  return out;
}

std::string Picture::Cells(const PictureTable& table, const Edges& edges, const Row& row,
                           double y) const {
  std::string out;
  double left = 0;  // where the last one ended
  for (size_t c = 0; c < edges.size(); ++c) {
    if (edges[c] == 0) continue;
    const std::string& cell = row.cells[c];
    const bool fits = !table.columns[c].is_text;
    out += SvgText(edges[c], y, "end",
                   fits ? cell : Fitting(cell, edges[c] - left - 4, letter_, false));
    left = edges[c];
  }
  return out;
}

std::string Picture::Line(const PictureTable& table, const Edges& edges, size_t index,
                          double y) const {
  constexpr double kGap = 5;  // px, between a name and the numbers
  const Row& row = table.rows[index];
  std::string out;
  const double indent = frame_.narrow() ? 0.4 * letter_ : letter_;
  const double x = 34 + indent * static_cast<double>(std::min<size_t>(row.depth, 8));
  if (!table.looks[index].empty()) {
    out += fmt::format("<circle class=\"{}\" cx=\"20\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n",
                       table.looks[index], y - 0.35 * letter_, 0.45 * letter_);
  }
  const auto first = static_cast<size_t>(
      std::find_if(edges.begin(), edges.end(), [](double edge) { return edge > 0; }) -
      edges.begin());
  const double end =
      first == edges.size() ? frame_.width : edges[first] - WidthOf(table, first) - kGap;
  const double room = end - x;
  const auto columns = static_cast<size_t>(std::max(6.0, room / (0.6 * letter_)));
  const std::string name = ShortName(row, columns, "…");
  out += SvgText(x, y, "dot-name",
                 Fitting(row.key.empty() ? name : row.key + " " + name, room, letter_));
  return out + Cells(table, edges, row, y);
}

std::string Picture::Table(const PictureTable& table) {
  const double line = letter_ + 7;
  double y = letter_ + 4;
  const Edges edges = EdgesOf(table);
  std::string out = Head(table, edges, y);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    y += line;
    out += Line(table, edges, i, y);
  }
  if (table.more > 0) {
    y += line;
    out += SvgText(34, y, "tick", fmt::format("and {} more {}", table.more, table.more_are));
  }
  if (!table.note.empty()) {
    y += line;
    out += SvgText(34, y, "tick", Fitting(table.note, frame_.width - 44, letter_, false));
  }
  y_ += y + line;
  return out;
}

}  // namespace roofmark
