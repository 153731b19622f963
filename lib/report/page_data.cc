// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "lib/model/advice.h"
#include "lib/report/advice_words.h"
#include "lib/report/chart_layout.h"
#include "lib/report/deed_words.h"
#include "lib/report/format.h"
#include "lib/report/letters.h"
#include "lib/report/loop_words.h"
#include "lib/report/page_loops.h"
#include "lib/report/rows.h"
#include "lib/report/svg_chart.h"
#include "lib/report/svg_legend.h"

namespace roofmark {
namespace {

// The script scales it: all letters of a chart have one size.
double Ems(const std::string& text, bool bold = false) {
  return std::round(LettersWidth(text, 1000, bold)) / 1000;
}

Json LabelJson(const std::string& text, bool bold = false) { return {text, Ems(text, bold)}; }

Json WhiskerJson(const Whisker& whisker) {
  if (whisker.high <= 0) return nullptr;
  return {Rounded(whisker.low), Rounded(whisker.high)};
}

// Its texts where a mark at the edge stands for it.
Json BeyondJson(const ChartDot& dot) {
  if (dot.beyond.empty()) return nullptr;
  Json texts = Json::array();
  for (const std::string& text : MarkTexts(dot)) texts.push_back(LabelJson(text, true));
  return texts;
}

// Of several phases all, as the region's lines have them.
std::string TooltipOf(const ReportJob& job, const ChartDot& dot) {
  const PathAnalysis& path =
      dot.is_program ? job.analysis.whole.back() : job.analysis.paths[dot.region];
  const std::string limit = path.limit.IsOfPhases() ? "; " + LimitSentence(path)
                                                    : fmt::format(", {}", InfoOf(dot.limit).name);
  return fmt::format("{}: {} FLOP/byte, {} GFLOP/s, {} of the time{}", dot.name, Plain(dot.x),
                     Plain(dot.y), Percent(dot.share), limit);
}

Json DotJson(const ReportJob& job, const ChartDot& dot, size_t rows) {
  return {{"region", dot.is_program ? rows - 1 : dot.region},
          {"key", LabelJson(dot.key, true)},
          {"label", LabelJson(dot.label, true)},
          {"x", Rounded(dot.x)},
          {"y", Rounded(dot.y)},
          {"share", Rounded(dot.share)},
          {"growth", dot.growth_px},
          {"beyond", BeyondJson(dot)},
          {"look", DotLook(dot)},
          {"by", InfoOf(dot.limit).css},
          {"title", TooltipOf(job, dot)},
          {"overX", WhiskerJson(dot.over_x)},
          {"overY", WhiskerJson(dot.over_y)}};
}

Json RangeJson(const Chart& chart) { return {chart.x_min, chart.x_max, chart.y_min, chart.y_max}; }

// As it is at first, with lines that reach as far as one can zoom out.
Json ChartJson(const ReportJob& job, ChartKind kind, std::string_view name, size_t rows) {
  const Chart chart = MakeChart(job, kind), whole = MakeChart(job, kind, ChartExtent::kWhole);
  Json lines = Json::array(), dots = Json::array(), walls = Json::array();
  Json ridges = Json::array(), hull = Json::array(), legend = Json::array();
  for (const ChartLine& line : whole.lines) lines.push_back(LineJson(line));
  for (const ChartDot& dot : chart.dots) dots.push_back(DotJson(job, dot, rows));
  for (const ChartWall& wall : whole.walls) walls.push_back(WallJson(wall));
  for (const RidgePoint& ridge : whole.ridges) {
    ridges.push_back({{"x", ridge.x},
                      {"y", ridge.y},
                      {"label", LabelJson(ridge.label)},
                      {"name", LabelJson(ridge.name)}});
  }
  for (const auto& [x, y] : whole.hull) hull.push_back({x, y});
  for (const LegendItem& item : LegendOf(chart)) {
    legend.push_back({item.look, LabelJson(item.text)});
  }
  return {{"name", name},
          {"range", RangeJson(chart)},
          {"whole", RangeJson(whole)},
          {"xAxis", LabelJson(chart.x_axis)},
          {"xAxisShort", LabelJson(chart.x_axis_short)},
          {"lines", lines},
          {"walls", walls},
          {"ridges", ridges},
          {"hull", hull},
          {"dots", dots},
          {"legend", legend}};
}

Json ChartsJson(const ReportJob& job, size_t rows) {
  Json charts = Json::array();
  const Chart plain = MakeChart(job);
  if (plain.lines.empty() && plain.dots.empty()) return charts;
  charts.push_back(ChartJson(job, ChartKind::kRoofline, "Roofline", rows));
  // Where only DRAM is known the other charts show nothing else.
  const bool levels =
      std::any_of(job.analysis.paths.begin(), job.analysis.paths.end(),
                  [](const PathAnalysis& path) { return HasDot(path) && path.intensity[0]; });
  if (!levels) return charts;
  charts.push_back(ChartJson(job, ChartKind::kHierarchical, "Hierarchical", rows));
  charts.push_back(ChartJson(job, ChartKind::kCacheAware, "Cache-aware", rows));
  return charts;
}

// Of a row of the table, for sorting.
Json SortKeys(const Derivation& of) {
  Json keys = Json::array();
  for (const DerivedInfo& info : TableValues()) {
    if (info.text != nullptr) {
      keys.push_back(info.text(of));
      continue;
    }
    const Value value = info.value(of);
    keys.push_back(value ? Json(Rounded(*value)) : Json(nullptr));
  }
  return keys;
}

Json LinesJson(const Chart& chart, const ReportJob& job, const PathAnalysis& path,
               const std::string& key) {
  const RegionLines own = LinesOfRegion(chart, job, path, key);
  Json json = {{"rungs", Json::array()}, {"walls", Json::array()}, {"family", Json::array()}};
  for (const ChartLine& line : own.rungs) json["rungs"].push_back(LineJson(line));
  for (const ChartWall& wall : own.walls) json["walls"].push_back(WallJson(wall));
  for (const ChartLine& line : own.family) json["family"].push_back(LineJson(line));
  return json;
}

Json RowJson(const ReportJob& job, size_t path, const Row& row, const Chart& chart,
             TextPool& pool) {
  Json json = RegionJson(job, path, pool);
  json["name"] = row.name;
  json["key"] = row.key;
  json["depth"] = row.depth;
  json["sort"] = SortKeys({job.profile, path, job.analysis.paths[path]});
  if (!row.key.empty()) json["own"] = LinesJson(chart, job, job.analysis.paths[path], row.key);
  return json;
}

Json JobJson(const ReportJob& job) {
  TextPool pool;
  const std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  const std::vector<Row> whole_rows = WholeRows(job);
  const Chart chart = MakeChart(job, ChartKind::kRoofline, ChartExtent::kWhole);
  Json regions = Json::array();
  for (size_t p = 0; p < rows.size(); ++p) {
    regions.push_back(RowJson(job, p, rows[p], chart, pool));
    regions.back()["loops"] = PageLoopsOf(job, p);
  }
  if (!whole_rows.empty()) {
    const ReportJob whole = WholeJob(job);
    // Of two rows both are shown, of one the last.
    const size_t skipped = whole.profile.paths.size() - whole_rows.size();
    for (size_t i = 0; i < whole_rows.size(); ++i) {
      regions.push_back(RowJson(whole, skipped + i, whole_rows[i], chart, pool));
      regions.back()["whole"] = true;
    }
    regions.back()["loops"] = PageLoopsOf(job, std::nullopt);
  }
  for (const Advice& advice : AdviceFor(job.profile, job.analysis)) {
    regions[advice.path]["advice"].push_back(AdviceSentence(advice, job));
  }
  const std::optional<size_t> first = FirstPath(job);
  return {{"name", Printable(job.name)},
          {"first", first ? Json(*first) : Json(nullptr)},
          {"charts", ChartsJson(job, rows.size() + whole_rows.size())},
          {"regions", std::move(regions)},
          {"order", TableOrder(job, TableRows(job))},
          {"loops", PageLoops(job)},
          {"whyNoLoops", job.loops.loops.empty() ? std::string(kNoHotLoops) : ""},
          {"texts", pool.texts()}};
}

}  // namespace

double Rounded(double value) { return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr); }

size_t TextPool::Add(std::string_view text) {
  const auto known = index_.find(text);
  if (known != index_.end()) return known->second;
  const size_t index = texts_.size();
  texts_.push_back(text);
  index_.emplace(text, index);
  return index;
}

Json LineJson(const ChartLine& line) {
  return {{"label", LabelJson(line.label)},
          {"name", LabelJson(line.name)},
          {"memory", line.memory},
          {"rung", line.rung},
          {"at", {line.x0, line.y0, line.x1, line.y1}}};
}

Json WallJson(const ChartWall& wall) {
  return {{"label", LabelJson(wall.label)},
          {"name", LabelJson(wall.name)},
          {"x", wall.x},
          {"y1", wall.y1}};
}

std::string PageData(const std::vector<ReportJob>& jobs) {
  Json all = Json::array();
  for (const ReportJob& job : jobs) all.push_back(JobJson(job));
  return ScriptText(all);
}

std::string ScriptText(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<' || c == '>' || c == '&' || c == '\'') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace roofmark
