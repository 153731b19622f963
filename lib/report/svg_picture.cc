// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures to keep and to print: a chart, and below it what the table says of its dots.
#include <fmt/format.h>

#include <algorithm>

#include "lib/report/chart_layout.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/letters.h"
#include "lib/report/page_assets.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"
#include "lib/report/svg_chart.h"
#include "lib/report/xml_text.h"

namespace roofmark {
namespace {

constexpr size_t kMostRows = 40;  // of the legend; a picture is no table

struct LegendColumn {
  double x;               // px of kSvgChartWidth, right edge of the numbers
  double narrow_x;        // the same in a narrow picture; 0 if there is no room for it
  std::string_view name;  // of the derived value
};

// The picture's legend is the part of the table that speaks of the dots.
// The last one has room for two limits, chain+DRAM.
constexpr LegendColumn kLegend[] = {{425, 400, "time_share"},   {500, 500, "gflops"},
                                    {580, 0, "intensity_dram"}, {660, 0, "attainable_gflops"},
                                    {730, 610, "efficiency"},   {830, 830, "limit"}};

// Of a derived value that has a column.
size_t ColumnOf(std::string_view name) {
  const auto values = TableValues();
  const auto at = std::find_if(values.begin(), values.end(),
                               [name](const DerivedInfo& info) { return info.name == name; });
  return static_cast<size_t>(at - values.begin());
}

std::string Text(double x, double y, std::string_view css, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", css, x, y,
                     XmlText(text));
}

// A text that ends before `width`: fewer letters where it is longer.
std::string Fitting(const std::string& text, double width, double letter) {
  std::string fit = text;
  for (size_t most = 160; most > 4 && LettersWidth(fit, letter, true) > width; most -= 2) {
    fit = Shorten(text, most, "…");
  }
  return fit;
}

class Picture {
 public:
  explicit Picture(double width)
      : frame_(FrameOf(width, width >= kNarrowChart ? kSvgChartHeight : 0.72 * width + 112)),
        letter_(LetterSize(frame_)) {}

  void Add(const std::string& title, const Chart& chart, const std::vector<Row>& rows,
           const std::vector<std::string>& looks, size_t more = 0) {
    const double above = letter_ + 14;
    body_ += fmt::format("<g{} transform=\"translate(0 {:.1f})\">",
                         frame_.narrow() ? " class=\"narrow\"" : "", y_);
    body_ += Text(12, letter_ + 8, "dot-name", Fitting(title, frame_.width - 24, letter_));
    body_ +=
        fmt::format("<g transform=\"translate(0 {:.1f})\">{}</g>", above, SvgChart(chart, frame_));
    y_ += above + frame_.height;
    if (!rows.empty()) {
      const double begin = above + frame_.height;
      body_ += fmt::format("<g transform=\"translate(0 {:.1f})\">{}</g>", begin,
                           Legend(rows, looks, more));
    }
    body_ += "</g>\n";
  }

  // `width_mm`: 0 for a picture in pixels.
  std::string Render(double width_mm, SvgTheme theme = SvgTheme::kLight) const {
    const bool dark = theme == SvgTheme::kDark;
    const std::string size =
        width_mm > 0 ? fmt::format("width=\"{:.4g}mm\" height=\"{:.4g}mm\"", width_mm,
                                   width_mm * y_ / frame_.width)
                     : fmt::format("width=\"{:.0f}\" height=\"{:.0f}\"", frame_.width, y_);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" {}{} viewBox=\"0 0 {:.2f} {:.2f}\">\n"
        "<style>{}{}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{}</svg>\n",
        size, dark ? " data-theme=\"dark\"" : "", frame_.width, y_, kChartStyle.text,
        dark ? kDarkStyle.text : "", body_);
  }

 private:
  double X(const LegendColumn& column) const {
    return (frame_.narrow() ? column.narrow_x : column.x) / kSvgChartWidth * frame_.width;
  }

  std::string Head(double y) const {
    std::string out = Text(34, y, "tick", "region");
    for (const LegendColumn& column : kLegend) {
      if (X(column) == 0) continue;
      const Column& head = ReportColumns()[ColumnOf(column.name)];
      out += Text(X(column), y, "tick end", frame_.narrow() ? head.head : HeadOf(head));
    }
    return out;
  }

  std::string Line(const Row& row, const std::string& look, double y) const {
    std::string out;
    const double x = 34 + letter_ * static_cast<double>(std::min<size_t>(row.depth, 8));
    if (!look.empty()) {
      out += fmt::format("<circle class=\"{}\" cx=\"20\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n", look,
                         y - 0.35 * letter_, 0.45 * letter_);
    }
    const double room = X(kLegend[0]) - 40 - x;
    const auto columns = static_cast<size_t>(std::max(6.0, room / (0.6 * letter_)));
    const std::string name = ShortName(row, columns, "…");
    out += Text(x, y, "dot-name",
                Fitting(row.key.empty() ? name : row.key + " " + name, room, letter_));
    for (const LegendColumn& column : kLegend) {
      if (X(column) == 0) continue;
      out += Text(X(column), y, "end", row.cells[ColumnOf(column.name)]);
    }
    return out;
  }

  std::string Legend(const std::vector<Row>& rows, const std::vector<std::string>& looks,
                     size_t more) {
    const double line = letter_ + 7;
    double y = letter_ + 4;
    std::string out = Head(y);
    for (size_t i = 0; i < rows.size(); ++i) {
      y += line;
      out += Line(rows[i], looks[i], y);
    }
    if (more > 0) {
      y += line;
      out += Text(34, y, "tick", fmt::format("and {} more with less time", more));
    }
    y_ += y + line;
    return out;
  }

  PlotFrame frame_;
  double letter_, y_ = 0;
  std::string body_;
};

constexpr double kPixelsPerMm = 96 / 25.4;

std::string Title(const ReportJob& job) {
  return job.analysis.roofs ? fmt::format("{} on {}", job.name, job.analysis.roofs->machine)
                            : job.name;
}

// The program is the last row.
size_t RowOf(const ChartDot& dot, size_t rows) { return dot.is_program ? rows - 1 : dot.region; }

// What takes the time, in the order of the table.
std::vector<size_t> Chosen(const std::vector<Row>& rows, const std::vector<ChartDot>& dots) {
  std::vector<size_t> chosen;
  if (rows.size() <= kMostRows) {
    for (size_t i = 0; i < rows.size(); ++i) chosen.push_back(i);
    return chosen;
  }
  for (const size_t i : ByShare(dots)) {
    if (chosen.size() < kMostRows) chosen.push_back(RowOf(dots[i], rows.size()));
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

std::string RenderSvg(const std::vector<ReportJob>& jobs, ChartKind kind, double width_mm,
                      SvgTheme theme) {
  Picture picture(width_mm > 0 ? width_mm * kPixelsPerMm : kSvgChartWidth);
  for (const ReportJob& job : jobs) {
    const std::vector<ChartDot> dots = ChartDots(job);
    const std::vector<Row> all = TableRows(job);
    std::vector<std::string> look_of(all.size());
    for (const ChartDot& dot : dots) {
      look_of[RowOf(dot, all.size())] = DotLook(dot);
    }
    std::vector<Row> rows;
    std::vector<std::string> looks;
    for (const size_t i : Chosen(all, dots)) {
      rows.push_back(all[i]);
      looks.push_back(look_of[i]);
    }
    picture.Add(Title(job), MakeChart(job, kind), rows, looks, all.size() - rows.size());
  }
  return picture.Render(width_mm, theme);
}

std::string RenderMachineSvg(const Machine& machine) {
  Picture picture(kSvgChartWidth);
  picture.Add(fmt::format("{}, {} core{}, {} measurement of {}", machine.cpu_model, machine.cores,
                          machine.cores == 1 ? "" : "s", machine.effort, machine.measured_at),
              MakeChart(machine), {}, {});
  return picture.Render(0);
}

}  // namespace roofmark
