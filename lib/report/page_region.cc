// SPDX-License-Identifier: BSD-3-Clause
//
// One region as the page's script shows it when it is selected.
#include <fmt/format.h>

#include <algorithm>

#include "lib/model/advice.h"
#include "lib/model/repeats.h"
#include "lib/model/work.h"
#include "lib/report/advice_words.h"
#include "lib/report/format.h"
#include "lib/report/guidance.h"
#include "lib/report/over_ranks.h"
#include "lib/report/page_data.h"
#include "lib/report/rows.h"
#include "lib/report/words.h"

namespace roofmark {
namespace {

// Name, unit, text, status, origin, reason: indices of the pool but for the text.
Json CounterJson(std::string_view name, std::string_view unit, const std::string& text,
                 const Value& value, TextPool& pool) {
  const std::string reason = value ? "" : Printable(ReasonText(value.reason));
  return {pool.Add(name),
          pool.Add(unit),
          text,
          pool.Add(StatusName(value.status)),
          pool.Add(Printable(value.origin)),
          pool.Add(reason)};
}

Json DerivedJson(const Derivation& of, TextPool& pool) {
  Json counters = Json::array();
  for (const DerivedInfo& info : DerivedValues()) {
    if (info.value == nullptr) continue;
    const Value value = info.value(of);
    if (!value && info.is_optional) continue;
    counters.push_back(
        CounterJson(info.name, UnitOf(info, of.analysis), CellOf(info, of), value, pool));
  }
  return counters;
}

// What the file stores of the path, summed over ranks.
void AddStored(Json& counters, const JobProfile& job, size_t path, TextPool& pool) {
  for (MetricId m = 0; m < kMetrics; ++m) {
    const Cell& cell = job.At(path, m);
    if (cell.ranks == 0 || (IsFlops(m) && cell.max == 0)) continue;
    const Value sum = MetricSum(job, path, m);
    counters.push_back(CounterJson(Printable(MetricLabel(job, m)), Printable(MetricUnit(job, m)),
                                   OrDash(sum, Si), sum, pool));
  }
}

std::string Shown(Drawn drawn, double value) {
  return drawn == Drawn::kTime ? Seconds(value * 1e-9) : Si(value);
}

Json RankedJson(const JobProfile& job, const Ranked& ranked, Drawn drawn) {
  const auto host = job.rank_hosts.find(ranked.rank);
  return {ranked.rank, host == job.rank_hosts.end() ? "" : Printable(host->second), ranked.value,
          Shown(drawn, static_cast<double>(ranked.value))};
}

Json SpreadJson(const JobProfile& job, size_t path, Drawn drawn) {
  const Spread& spread = job.SpreadAt(path, drawn);
  Json low = Json::array(), high = Json::array(), bars = Json::array(), quantiles = Json::array();
  for (uint32_t i = 0; i < spread.Named(); ++i) {
    low.push_back(RankedJson(job, spread.lowest[i], drawn));
    high.push_back(RankedJson(job, spread.highest[i], drawn));
  }
  spread.sketch.ForEach([&](uint16_t bucket, uint32_t count) {
    bars.push_back({BucketBegin(bucket), BucketLast(bucket), count});
  });
  for (const double percentile : kPercentiles) {
    const auto value = static_cast<double>(Percentile(spread, percentile));
    quantiles.push_back({percentile, value, Shown(drawn, value)});
  }
  return {{"of", DrawnName(drawn)}, {"ranks", spread.ranks}, {"low", low},
          {"high", high},           {"bars", bars},          {"quantiles", quantiles}};
}

Json SpreadsJson(const JobProfile& job, size_t path) {
  Json spreads = Json::array();
  for (const Drawn drawn : {Drawn::kTime, Drawn::kFlops, Drawn::kDramBytes}) {
    if (job.SpreadAt(path, drawn).ranks > 1) spreads.push_back(SpreadJson(job, path, drawn));
  }
  return spreads;
}

std::string IntervalOf(const Interval& interval, std::string (*render)(double)) {
  if (!interval.least) return "-";
  const std::string least = render(*interval.least), most = render(interval.most);
  return least == most ? least : fmt::format("{} to {}", least, most);
}

// Seconds by the rule of the run's advice: what the cure makes the region's own work need less.
std::string SavedSeconds(const Ceiling& ceiling, const PathAnalysis& path) {
  const bool known = ceiling.gain.least && !path.limit.IsOfPhases();
  if (!known || ceiling.gain.most < kLeastGain) return "-";
  return IntervalText(SavedBy(ceiling, path));
}

// Its runtime-oriented ceilings: name, height, gain, seconds, or the reason why it is not known,
// and whether it costs the region anything.
Json CeilingsJson(const PathAnalysis& path, TextPool& pool) {
  Json ceilings = Json::array();
  for (const Ceiling& ceiling : path.runtime.ceilings) {
    const ShortfallInfo& info = InfoOf(ceiling.shortfall);
    const Value& height = ceiling.height.least;
    const std::string gain = ceiling.gain.least ? IntervalOf(ceiling.gain, Plain) + "x" : "-";
    ceilings.push_back({pool.Add(info.label), pool.Add(info.doc), IntervalOf(ceiling.height, Plain),
                        pool.Add(AxisUnit(ceiling.axis, path.runtime)), gain,
                        SavedSeconds(ceiling, path),
                        pool.Add(height ? "" : Printable(ReasonText(height.reason))),
                        ceiling.gain.least && ceiling.gain.most >= kLeastGain});
  }
  return ceilings;
}

Json PrecisionsJson(const PathAnalysis& path) {
  Json names = Json::array();
  for (size_t p = 0; p < kPrecisions; ++p) {
    if (path.flops[p] && *path.flops[p] > 0)
      names.push_back(PrecisionName(static_cast<Precision>(p)));
  }
  return names;
}

Json CallPathJson(std::string_view path) {
  Json names = Json::array();
  for (std::string_view rest = path; !rest.empty(); rest = ParentPath(rest)) {
    names.insert(names.begin(), Printable(LeafName(rest)));
  }
  return names;
}

}  // namespace

std::vector<PanelSection> MoreOfRegion(const ReportJob& job, size_t path) {
  std::vector<PanelSection> sections;
  if (const auto repeats = RepeatsOf(job.profile.paths[path])) {
    sections.push_back({"Executions for time",
                        {fmt::format("{} of them: {} to {}", job.profile.run.repeats_s.size(),
                                     Seconds(repeats->least), Seconds(repeats->most))}});
  }
  return sections;
}

Json RegionJson(const ReportJob& job, size_t index, TextPool& pool) {
  const PathInfo& info = job.profile.paths[index];
  const PathAnalysis& path = job.analysis.paths[index];
  Json json = {
      {"path", Printable(info.path)},
      {"callPath", CallPathJson(info.path)},
      {"kind", kRegionKindNames[static_cast<size_t>(info.kind)]},
      {"source", info.file.empty() ? "" : Printable(fmt::format("{}:{}", info.file, info.line))},
      {"share", path.time_share ? FiniteOrNull(*path.time_share) : Json(nullptr)},
      {"precisions", PrecisionsJson(path)},
      {"by", InfoOf(LimitColorOf(path.limit)).css},
      {"limit", path.limit.what == LimitedBy::kPhases ? "several limits, one after another"
                                                      : InfoOf(LimitColorOf(path.limit)).name},
      {"lines", StandingLines(job, index)},
      {"ceilings", CeilingsJson(path, pool)},
      {"counters", DerivedJson({job.profile, index, path}, pool)},
      {"spreads", SpreadsJson(job.profile, index)}};
  AddStored(json["counters"], job.profile, index, pool);
  for (const PanelSection& section : MoreOfRegion(job, index)) {
    json["more"].push_back({section.title, section.lines});
  }
  return json;
}

}  // namespace roofmark
