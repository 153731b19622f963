// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command/events/list.h"
#include "lib/core/cpu_list.h"

namespace roofmark::cli {
namespace {

// "uncore_imc_#/event=0x04,umask=0x03/ x 64".
std::string TermText(const events::Term& term) {
  const events::Event& event = term.event;
  std::string text =
      fmt::format("{}/{}/", event.device, event.fields.empty() ? event.kernel_name : event.fields);
  if (std::abs(term.weight) != 1) text += fmt::format(" x {}", std::abs(term.weight));
  if (term.per_128_bits) text += " x VL/128";
  return term.weight < 0 ? "- " + text : text;
}

std::string StateText(const Diagnosis& diagnosis) {
  if (diagnosis.error == 0) return std::string(StateName(diagnosis.state));
  return fmt::format("{} {}", StateName(diagnosis.state), ErrnoName(diagnosis.error));
}

std::string DevicesText(const ProbedFormula& probed) {
  if (probed.events.size() < 2 || probed.events[0].event.scope == Scope::kThread) return "";
  return fmt::format("  ({} of {} open)", probed.opened, probed.events.size());
}

std::string FormulaText(const events::Formula& formula, const ProbedFormula* probed) {
  std::string text = fmt::format("  {:<27}", events::QuantityName(formula.quantity));
  if (probed != nullptr) text += fmt::format("{:<20} ", StateText(probed->diagnosis));
  const size_t indent = text.size();
  for (const events::Term& term : formula.terms) {
    if (&term != &formula.terms[0]) text += fmt::format("\n{:{}}", "", indent);
    text += fmt::format("{}  {}", TermText(term), term.event.name);
  }
  return text + (probed == nullptr ? "" : DevicesText(*probed)) + "\n";
}

// Each reason once, below the table.
std::string WhyNot(const std::vector<ProbedFormula>& probed) {
  std::string text;
  std::vector<std::string> told;
  for (const ProbedFormula& each : probed) {
    const Diagnosis& diagnosis = each.diagnosis;
    if (diagnosis.state == State::kOk) continue;
    if (std::find(told.begin(), told.end(), diagnosis.cause) != told.end()) continue;
    told.push_back(diagnosis.cause);
    text += fmt::format("  {}: {}\n", StateText(diagnosis), diagnosis.cause);
    if (!diagnosis.cure.empty()) text += fmt::format("      fix: {}\n", diagnosis.cure);
  }
  return text.empty() ? "" : "\n" + text;
}

std::string NotesText(const events::EventTable& table) {
  std::string text;
  std::vector<std::string> told;
  for (const events::Formula& formula : table.formulas) {
    if (formula.note.empty() || std::find(told.begin(), told.end(), formula.note) != told.end()) {
      continue;
    }
    told.push_back(formula.note);
    text += fmt::format("  {}: {}\n", events::QuantityName(formula.quantity), formula.note);
  }
  return text.empty() ? "" : "\nTo know\n" + text;
}

std::string GroupsText(const events::EventTable& table) {
  std::string text = "\nROOFMARK_GROUP\n";
  for (const events::Group& group : events::Groups()) {
    std::string names;
    for (const events::Formula& formula : events::Select(table, group).formulas) {
      names += (names.empty() ? "" : " ") + events::QuantityName(formula.quantity);
    }
    text += fmt::format("  {:<6} {}\n         {}\n", group.name, group.doc,
                        names.empty() ? "nothing of it on this CPU" : names);
  }
  return text;
}

std::string CpuText(const CpuEvents& cpu) {
  const events::EventTable& table = cpu.table;
  std::string text =
      fmt::format("{}{} ({}){}\n\n", events::CpuTitle(table.cpu.microarch),
                  table.cpu.client ? ", desktop and laptop relatives" : "",
                  events::CpuKey(table.cpu), cpu.here ? ": this machine, each event opened" : "");
  for (size_t i = 0; i < table.formulas.size(); ++i) {
    text += FormulaText(table.formulas[i], cpu.here ? &cpu.probed[i] : nullptr);
  }
  text += WhyNot(cpu.probed);
  if (!table.refusals.empty()) text += "\nNot counted\n";
  for (const events::Refusal& refusal : table.refusals) {
    text += fmt::format("  {}: {}\n", events::MeasureName(refusal.measure), refusal.reason);
  }
  return text + NotesText(table) + GroupsText(table);
}

std::string SoftwareText(const EventList& list) {
  std::string text = "\nROOFMARK_EVENTS takes\n";
  for (const NamedEvent& event : list.software) {
    text += fmt::format("  {:<27}{}\n", event.name, StateText(event.diagnosis));
  }
  text += fmt::format("  {:<27}{}\n", "device/field=value,.../",
                      "any PMU of this Linux kernel: roofmark events --pmus");
  text += fmt::format(
      "  {:<27}{}\n", "names of libpfm4",
      list.why_no_names.empty() ? "as `showevtinfo` of libpfm4 lists them" : list.why_no_names);
  return text;
}

std::string PmuText(const events::Device& device) {
  std::string text = fmt::format(
      "{} (type {}, counts {})\n", device.name, device.type,
      device.PerPackage() ? "for CPUs " + FormatCpuList(*device.cpumask) : "for threads");
  for (const auto& [name, event] : device.events) {
    text += fmt::format("  {:<40} {}", fmt::format("{}/{}/", device.name, name), event.fields);
    if (!event.unit.empty()) text += fmt::format("  x {} {}", event.scale, event.unit);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string EventListText(const EventList& list, bool with_pmus) {
  std::string text;
  if (with_pmus) {
    for (const events::Device& device : list.pmus) text += PmuText(device);
    return text.empty() ? "this Linux kernel has no PMUs in /sys/bus/event_source/devices\n" : text;
  }
  for (const CpuEvents& cpu : list.cpus) text += (text.empty() ? "" : "\n\n") + CpuText(cpu);
  if (list.cpus.empty()) {
    text +=
        fmt::format("{}\nroofmark events --cpu all lists the CPUs of the table\n", list.why_none);
  }
  return text + SoftwareText(list);
}

}  // namespace roofmark::cli
