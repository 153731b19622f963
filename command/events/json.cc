// SPDX-License-Identifier: BSD-3-Clause
#include <nlohmann/json.hpp>

#include "command/events/list.h"

namespace roofmark::cli {
namespace {

using nlohmann::ordered_json;

void AddDiagnosis(const Diagnosis& diagnosis, ordered_json& json) {
  json["status"] = StateName(diagnosis.state);
  json["errno"] =
      diagnosis.error == 0 ? ordered_json(nullptr) : ordered_json(ErrnoName(diagnosis.error));
  json["cause"] = diagnosis.cause;
  json["cure"] = diagnosis.cure;
}

ordered_json ToJson(const events::Term& term) {
  return {{"name", term.event.name},     {"device", term.event.device},
          {"fields", term.event.fields}, {"kernel_name", term.event.kernel_name},
          {"weight", term.weight},       {"per_128_bits", term.per_128_bits}};
}

ordered_json ToJson(const ProbedEvent& probed) {
  const events::EncodedEvent& event = probed.event;
  ordered_json json = {
      {"name", event.name},     {"device", event.device},          {"type", event.type},
      {"config", event.config}, {"scope", ScopeName(event.scope)}, {"cpus", event.cpus}};
  AddDiagnosis(probed.diagnosis, json);
  return json;
}

ordered_json ToJson(const events::Formula& formula, const ProbedFormula* probed) {
  ordered_json json = {{"metric", events::QuantityName(formula.quantity)},
                       {"trust", StatusName(formula.status)},
                       {"note", formula.note},
                       {"terms", ordered_json::array()}};
  for (const events::Term& term : formula.terms) json["terms"].push_back(ToJson(term));
  if (probed == nullptr) return json;
  AddDiagnosis(probed->diagnosis, json);
  json["opened"] = ordered_json::array();
  for (const ProbedEvent& event : probed->events) json["opened"].push_back(ToJson(event));
  return json;
}

ordered_json ToJson(const CpuEvents& cpu) {
  const events::EventTable& table = cpu.table;
  ordered_json json = {{"cpu", events::CpuKey(table.cpu)},
                       {"title", events::CpuTitle(table.cpu.microarch)},
                       {"here", cpu.here},
                       {"formulas", ordered_json::array()},
                       {"refused", ordered_json::array()},
                       {"groups", ordered_json::array()}};
  for (size_t i = 0; i < table.formulas.size(); ++i) {
    json["formulas"].push_back(ToJson(table.formulas[i], cpu.here ? &cpu.probed[i] : nullptr));
  }
  for (const events::Refusal& refusal : table.refusals) {
    json["refused"].push_back(
        {{"metric", events::MeasureName(refusal.measure)}, {"reason", refusal.reason}});
  }
  for (const events::Group& group : events::Groups()) {
    ordered_json metrics = ordered_json::array();
    for (const events::Formula& formula : events::Select(table, group).formulas) {
      metrics.push_back(events::QuantityName(formula.quantity));
    }
    json["groups"].push_back({{"name", group.name}, {"doc", group.doc}, {"metrics", metrics}});
  }
  return json;
}

ordered_json ToJson(const events::Device& device) {
  ordered_json json = {
      {"name", device.name},
      {"type", device.type},
      {"cpus", device.cpumask ? ordered_json(*device.cpumask) : ordered_json(nullptr)},
      {"events", ordered_json::array()}};
  for (const auto& [name, event] : device.events) {
    json["events"].push_back(
        {{"name", name}, {"fields", event.fields}, {"scale", event.scale}, {"unit", event.unit}});
  }
  return json;
}

}  // namespace

std::string EventListJson(const EventList& list) {
  ordered_json json = {
      {"format", "roofmark-events"},
      {"version", 1},
      {"this_cpu", list.here.empty() ? ordered_json(nullptr) : ordered_json(list.here)},
      {"why_no_table", list.why_none},
      {"cpus", ordered_json::array()},
      {"software_events", ordered_json::array()},
      {"why_no_libpfm", list.why_no_names},
      {"pmus", ordered_json::array()}};
  for (const CpuEvents& cpu : list.cpus) json["cpus"].push_back(ToJson(cpu));
  for (const NamedEvent& event : list.software) {
    ordered_json named = {{"name", event.name}};
    AddDiagnosis(event.diagnosis, named);
    json["software_events"].push_back(std::move(named));
  }
  for (const events::Device& device : list.pmus) json["pmus"].push_back(ToJson(device));
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace roofmark::cli
