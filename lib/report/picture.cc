// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "lib/report/chart_layout.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/page_assets.h"

namespace roofmark {
namespace {

constexpr double kPixelsPerMm = 96 / 25.4;

double WidthOf(const PictureStyle& style) {
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
    : style_(style), frame_(ChartFrame(WidthOf(style))), letter_(LetterSize(frame_)) {}

void Picture::Add(const std::string& title, const Drawing& drawing, const PictureTable& table) {
  const double above = letter_ + 14;
  body_ += fmt::format("<g{} transform=\"translate(0 {:.1f})\">",
                       frame_.narrow() ? " class=\"narrow\"" : "", y_);
  body_ +=
      SvgText(12, letter_ + 8, "dot-name", Fitting(Printable(title), frame_.width - 24, letter_));
  body_ += fmt::format("<g transform=\"translate(0 {:.1f})\">{}</g>", above, drawing.group);
  const double begin = above + drawing.height;
  y_ += begin;
  if (!table.rows.empty()) {
    body_ += fmt::format("<g transform=\"translate(0 {:.1f})\">{}</g>", begin, Table(table));
  }
  body_ += "</g>\n";
}

std::string Picture::Render(std::string_view style) const {
  const bool dark = style_.theme == SvgTheme::kDark;
  const double width_mm = style_.width_mm;
  const std::string size =
      width_mm > 0 ? fmt::format("width=\"{:.4g}mm\" height=\"{:.4g}mm\"", width_mm,
                                 width_mm * y_ / frame_.width)
                   : fmt::format("width=\"{:.0f}\" height=\"{:.0f}\"", frame_.width, y_);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" {}{} viewBox=\"0 0 {:.2f} {:.2f}\">\n"
      "<style>{}{}{}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
      size, dark ? " data-theme=\"dark\"" : "", frame_.width, y_, kChartStyle.text,
      dark ? kDarkStyle.text : "", style, body_);
}

double Picture::X(const PictureTable& table, const PictureColumn& column) const {
  const bool narrow = frame_.width < table.roomy_px;
  return (narrow ? column.narrow_x : column.x) / kSvgChartWidth * frame_.width;
}

std::string Picture::Head(const PictureTable& table, double y) const {
  std::string out = SvgText(34, y, "tick", "region");
  for (const PictureColumn& column : table.columns) {
    if (X(table, column) == 0) continue;
    out += SvgText(X(table, column), y, "tick end",
                   frame_.narrow() ? column.narrow_head : column.head);
  }
  return out;
}

std::string Picture::Cells(const PictureTable& table, const Row& row, double y) const {
  std::string out;
  double left = 0;  // where the last one ended
  for (size_t c = 0; c < table.columns.size(); ++c) {
    const double x = X(table, table.columns[c]);
    if (x == 0) continue;
    const std::string& cell = row.cells[c];
    const bool fits = !table.columns[c].is_text;
    out += SvgText(x, y, "end", fits ? cell : Fitting(cell, x - left - 4, letter_, false));
    left = x;
  }
  return out;
}

std::string Picture::Line(const PictureTable& table, size_t index, double y) const {
  const Row& row = table.rows[index];
  std::string out;
  const double indent = frame_.narrow() ? 0.4 * letter_ : letter_;
  const double x = 34 + indent * static_cast<double>(std::min<size_t>(row.depth, 8));
  if (!table.looks[index].empty()) {
    out += fmt::format("<circle class=\"{}\" cx=\"20\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n",
                       table.looks[index], y - 0.35 * letter_, 0.45 * letter_);
  }
  const auto first =
      std::find_if(table.columns.begin(), table.columns.end(),
                   [&](const PictureColumn& column) { return X(table, column) > 0; });
  const double end = first == table.columns.end() ? frame_.width : X(table, *first);
  const double room = end - table.first_px - x;
  const auto columns = static_cast<size_t>(std::max(6.0, room / (0.6 * letter_)));
  const std::string name = ShortName(row, columns, "…");
  out += SvgText(x, y, "dot-name",
                 Fitting(row.key.empty() ? name : row.key + " " + name, room, letter_));
  return out + Cells(table, row, y);
}

std::string Picture::Table(const PictureTable& table) {
  const double line = letter_ + 7;
  double y = letter_ + 4;
  std::string out = Head(table, y);
  for (size_t i = 0; i < table.rows.size(); ++i) {
    y += line;
    out += Line(table, i, y);
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
