// SPDX-License-Identifier: BSD-3-Clause
#include "command/bundle/raw_totals.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "command/bundle/raw_counters.h"
#include "command/doctor/finding.h"
#include "lib/profile/profile.h"

namespace roofmark::cli {
namespace {

using nlohmann::ordered_json;

// Every exercise is run, whatever the event table makes of its events.
std::array<MetricSource, kMetrics> EveryMetric() {
  std::array<MetricSource, kMetrics> sources;
  sources.fill({"raw", Status::kMeasured, ""});
  return sources;
}

// The events of devices count what the whole package does: they say something of streams only.
bool Concerns(const RawEvent& event, Family family) {
  return event.event.scope != Scope::kPackage || family == Family::kDram;
}

// What `more` has beyond `less`: what surrounds a loop is in both.
std::vector<RawTotal> Difference(const std::vector<RawTotal>& more,
                                 const std::vector<RawTotal>& less) {
  std::vector<RawTotal> difference;
  for (RawTotal total : more) {
    for (const RawTotal& other : less) {
      if (other.event != total.event || other.cpu != total.cpu) continue;
      total.value -= other.value;
      total.enabled_ns -= other.enabled_ns;
      total.running_ns -= other.running_ns;
      difference.push_back(total);
    }
  }
  return difference;
}

Known OfAllRepeats(const Known& known, uint64_t repeats) {
  Known all;
  const auto factor = static_cast<double>(repeats);
  for (const auto& [metric, range] : known) {
    if (range.most > 0) all[metric] = {range.least * factor, range.most * factor};
  }
  return all;
}

ordered_json RawJson(const RawEvent& each) {
  const events::EncodedEvent& event = each.event;
  ordered_json json;
  json["name"] = event.name;
  json["device"] = event.device;
  json["type"] = event.type;
  json["config"] = event.config;
  json["scope"] = ScopeName(event.scope);
  json["cpus"] = event.cpus;
  json["counters"] = each.counters;
  json["errno"] = each.error == 0 ? ordered_json(nullptr) : ordered_json(ErrnoName(each.error));
  json["runs"] = each.runs;
  return json;
}

ordered_json RawJson(const RawFormula& formula) {
  ordered_json json = {{"quantity", formula.quantity}, {"status", formula.status}};
  json["events"] = ordered_json::array();
  for (const auto& [event, weight] : formula.events) {
    json["events"].push_back({{"event", event}, {"weight", weight}});
  }
  return json;
}

ordered_json RawJson(const RawTotal& total) {
  return {{"event", total.event},
          {"cpu", total.cpu < 0 ? ordered_json(nullptr) : ordered_json(total.cpu)},
          {"value", total.value},
          {"enabled_ns", total.enabled_ns},
          {"running_ns", total.running_ns}};
}

ordered_json RawJson(const RawExercise& exercise) {
  ordered_json json = {{"family", FamilyName(exercise.family)},
                       {"exercise", exercise.name},
                       {"repeats", exercise.repeats}};
  json["known"] = ordered_json::object();
  for (const auto& [metric, range] : exercise.known) {
    json["known"][metric] = {range.least, range.most};
  }
  json["totals"] = ordered_json::array();
  for (const RawTotal& total : exercise.totals) json["totals"].push_back(RawJson(total));
  return json;
}

template <typename T>
ordered_json TotalsList(const std::vector<T>& rows) {
  ordered_json list = ordered_json::array();
  for (const T& row : rows) list.push_back(RawJson(row));
  return list;
}

}  // namespace

void RunPlainExercises(Laboratory& laboratory) {
  RunFlopExercises(laboratory, /*probe_only=*/false);
  RunInstructionExercises(laboratory);
  RunMemoryExercises(laboratory);
}

std::vector<RawExercise> CountRaw(const RawEvents& raw, const Exercises& exercises,
                                  uint64_t region_ns) {
  RawCounters counters(raw);
  if (counters.CountRounds() == 0) return {};
  const std::array<MetricSource, kMetrics> sources = EveryMetric();
  Laboratory laboratory(counters, sources, region_ns);
  laboratory.SetRounds(counters.CountRounds());
  exercises(laboratory);
  std::vector<RawExercise> list;
  for (const Laboratory::Ran& ran : laboratory.ran()) {
    RawExercise exercise{ran.exercise.family,
                         ran.exercise.name,
                         ran.Repeats(),
                         OfAllRepeats(ran.exercise.known, ran.Repeats()),
                         {}};
    for (const RawTotal& total :
         Difference(counters.TotalsOf(ran.long_path), counters.TotalsOf(ran.short_path))) {
      if (Concerns(raw.events[total.event], exercise.family)) exercise.totals.push_back(total);
    }
    list.push_back(std::move(exercise));
  }
  return list;
}

std::string RawToJson(const RawEvents& raw, const std::vector<RawExercise>& exercises) {
  ordered_json json;
  json["cpu"] = raw.cpu.empty() ? ordered_json(nullptr) : ordered_json(raw.cpu);
  json["events"] = TotalsList(raw.events);
  json["formulas"] = TotalsList(raw.formulas);
  json["exercises"] = TotalsList(exercises);
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace roofmark::cli
