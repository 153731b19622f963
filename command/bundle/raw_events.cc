// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/events/table.h"
#include "command/bundle/raw_totals.h"
#include "command/doctor/open_event.h"
#include "lib/core/status.h"

namespace roofmark::cli {
namespace {

// More than any core has names; a device with more is none of a core.
constexpr size_t kMostNames = 256;

class List {
 public:
  explicit List(RawEvents& raw) : raw_(raw) {}

  size_t Add(const events::EncodedEvent& event, uint32_t counters) {
    for (size_t i = 0; i < raw_.events.size(); ++i) {
      const events::EncodedEvent& known = raw_.events[i].event;
      if (known.type == event.type && known.config == event.config) return i;
    }
    const Opened opened = TryEvent(event);
    raw_.events.push_back({event, counters, opened.error, opened.error == 0 && opened.runs});
    return raw_.events.size() - 1;
  }

 private:
  RawEvents& raw_;
};

void AddTable(const events::EventTable& table, const events::Sysfs& sysfs, RawEvents& raw,
              List& list) {
  for (const events::Formula& formula : table.formulas) {
    RawFormula added{
        events::QuantityName(formula.quantity), std::string(StatusName(formula.status)), {}};
    for (const events::Term& term : formula.terms) {
      const Result<events::Encoding> encoding = events::EncodeTableEvent(sysfs, term.event);
      if (!encoding) continue;
      for (const events::EncodedEvent& event : encoding->events) {
        added.events.push_back(
            {list.Add(event, term.event.counters), term.Weight(events::SveVectorBits())});
      }
    }
    raw.formulas.push_back(std::move(added));
  }
}

void AddNamesOfCores(const events::Sysfs& sysfs, List& list) {
  const Result<events::Expansion> cores = sysfs.Expand(events::kCoreDevice);
  if (!cores) return;
  for (const events::Device& core : cores->devices) {
    if (core.events.size() > kMostNames) continue;
    for (const auto& [name, event] : core.events) {
      const Result<events::Encoding> encoding =
          events::EncodeUserEvent(sysfs, fmt::format("{}/{}/", core.name, name));
      if (!encoding) continue;
      for (const events::EncodedEvent& encoded : encoding->events) list.Add(encoded, 1);
    }
  }
}

}  // namespace

RawEvents ListRawEvents() {
  RawEvents raw;
  List list(raw);
  const events::Sysfs sysfs;
  const Result<events::CpuFacts> facts = events::ReadCpuFacts();
  const Result<events::CpuModel> cpu =
      facts ? events::IdentifyCpu(*facts) : Result<events::CpuModel>(Error{facts.error()});
  if (cpu) {
    raw.cpu = events::CpuKey(*cpu);
    AddTable(events::TableOf(*cpu), sysfs, raw, list);
  }
  AddNamesOfCores(sysfs, list);
  return raw;
}

}  // namespace roofmark::cli
