// SPDX-License-Identifier: BSD-3-Clause
//
// What people read: tables and drawings for the terminal, pages, pictures, CSV. Everything is
// returned as text; nothing is printed or written here.
#ifndef ROOFMARK_LIB_REPORT_REPORT_H_
#define ROOFMARK_LIB_REPORT_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/incore/loop_view.h"
#include "lib/model/analysis.h"
#include "lib/profile/profile.h"

namespace roofmark {

// A job to report on. Several make one table and one drawing each, under their names.
struct ReportJob {
  std::string name;  // heading: the file's name
  JobProfile profile;
  JobAnalysis analysis;
  incore::LoopsView loops = {};  // of the whole run, where they were asked for
  bool has_loops = false;        // `roofmark loops` shows the code of the file
  // What drawings show, in this order: indices of paths, and behind them that of the program.
  // Nothing: all of it.
  std::optional<std::vector<size_t>> drawn = std::nullopt;

  bool Draws(size_t row) const;
};

inline constexpr int kMinWidth = 76;

// How much a report says. kShort: what takes at least 1 % of the run.
enum class Detail : uint8_t { kShort, kAll };

struct TextStyle {
  int width = 80;       // columns; at least kMinWidth are used
  bool unicode = true;  // braille lines; otherwise ASCII
  Detail detail = Detail::kShort;
  bool color = false;  // with the marks of lib/core/tone.h
};

// kRoofline: one dot a region at its DRAM intensity. kHierarchical: one for each memory level, at
// that level's intensity, to be held against that level's slope; the lowest intercept binds.
// kCacheAware: one at the intensity of loads and stores (L1), against every slope: it falls from
// slope to slope as locality is lost.
enum class ChartKind : uint8_t { kRoofline, kHierarchical, kCacheAware };

enum class SvgTheme { kLight, kDark };

struct PictureStyle {
  double width_mm = 0;  // exactly so wide, for papers; 0: 860 pixels
  SvgTheme theme = SvgTheme::kLight;
  // Width over height of each roofline with its title and legend; 0: as high as is usual. It is
  // higher where too little would be left for the plot.
  double aspect = 0;
  bool without_title = false, without_table = false;
};

// Regions in tree order, then how it was measured, what is missing and why, and warnings.
std::string RenderTable(const std::vector<ReportJob>& jobs, const TextStyle& style);

// The roofline, log-log, with the letters of the table. Says so if there is nothing to draw.
std::string RenderChart(const std::vector<ReportJob>& jobs, const TextStyle& style,
                        ChartKind kind = ChartKind::kRoofline);

// A machine alone, without regions, all of its cores busy: its roofs and the ceilings below them.
std::string RenderMachine(const Machine& machine, const TextStyle& style);
std::string RenderMachineSvg(const Machine& machine);

// Long form with RFC 4180 quoting and '\n':
// path,metric,unit,origin,status,scope,ranks,sum,mean,min,min_rank,max,max_rank,stddev,kind. A
// derived number stands in `sum`; what is missing has empty values and its status.
std::string RenderCsv(const ReportJob& job);

// The analysis as JSON ("format": "roofmark-analysis"): advice, verdicts and every runtime-oriented
// ceiling. What is missing is null with its reason.
std::string RenderJson(const std::vector<ReportJob>& jobs);

// Health, what to do first, and the table of regions as GitHub's Markdown: a comment of a pull
// request. Names are text, whatever they are.
std::string RenderMarkdown(const std::vector<ReportJob>& jobs);

// Self-contained: no script, no font, nothing fetched.
// A page has all kinds of charts for which there are dots.
std::string RenderSvg(const std::vector<ReportJob>& jobs, ChartKind kind = ChartKind::kRoofline,
                      const PictureStyle& style = {});
std::string RenderHtml(const std::vector<ReportJob>& jobs);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_REPORT_H_
