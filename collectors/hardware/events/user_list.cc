// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/user_list.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <algorithm>

#include "collectors/hardware/events/event_text.h"
#include "collectors/hardware/events/generic.h"
#include "collectors/hardware/events/libpfm.h"
#include "collectors/hardware/events/nearest.h"

namespace roofmark::events {
namespace {

std::string Suggestion(const std::string& text) {
  std::vector<std::string> names;
  for (const GenericEvent& event : GenericEvents()) names.emplace_back(event.name);
  const std::vector<std::string> libpfms = PfmNames();
  names.insert(names.end(), libpfms.begin(), libpfms.end());
  const std::string nearest = Nearest(text, names);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

ListedEvent Generic(const GenericEvent& event) {
  EncodedEvent encoded;
  encoded.name = event.name;
  encoded.type = event.type;
  encoded.config = {event.config, 0, 0};
  ListedEvent listed;
  listed.events = {std::move(encoded)};
  listed.unit = event.unit;
  return listed;
}

// The kernel's units are made for floating-point numbers; roofmark stores integers.
void SetUnit(const EncodedEvent& event, ListedEvent& listed) {
  struct Known {
    std::string_view kernels, ours;
    double factor;
  };
  constexpr Known kKnown[] = {
      {"MiB", "bytes", 1048576}, {"Bytes", "bytes", 1}, {"Joules", "nJ", 1e9}, {"ns", "ns", 1}};
  if (event.unit.empty() && event.scale == 1) return;
  const auto* const known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                         [&](const Known& k) { return k.kernels == event.unit; });
  if (known != std::end(kKnown)) {
    listed.weight = event.scale * known->factor;
    listed.unit = known->ours;
  } else if (event.scale >= 1) {
    listed.weight = event.scale;
    listed.unit = event.unit.empty() ? "count" : event.unit;
  } else {  // raw counts, so that nothing is rounded away
    listed.unit = fmt::format("{} {}", event.scale, event.unit.empty() ? "counts" : event.unit);
  }
}

// What the kernel itself calls cycles and instructions is just that on every CPU.
void SetStandardMetric(const EncodedEvent& event, ListedEvent& listed) {
  if (event.type != PERF_TYPE_HARDWARE || event.config[1] != 0 || event.config[2] != 0) return;
  if (event.config[0] == PERF_COUNT_HW_CPU_CYCLES) listed.also = metric::kCycles;
  if (event.config[0] == PERF_COUNT_HW_INSTRUCTIONS) listed.also = metric::kInstructions;
}

}  // namespace

Result<std::vector<std::string>> ParseUserList(std::string_view list) {
  std::vector<std::string> names = SplitEventList(list);
  if (names.empty()) {
    return Error{
        fmt::format("ROOFMARK_EVENTS=\"{}\" names no event: write names separated by commas, as in "
                    "task-clock,page-faults",
                    list)};
  }
  if (names.size() > kUserMetrics) {
    return Error{
        fmt::format("ROOFMARK_EVENTS names {} events, but at most {} are possible: count the "
                    "others in a second run",
                    names.size(), kUserMetrics)};
  }
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name) {
      return Error{fmt::format("ROOFMARK_EVENTS names {} twice: remove one", *name)};
    }
  }
  return names;
}

Result<ListedEvent> EncodeListed(const Sysfs& sysfs, const std::string& text) {
  ListedEvent listed;
  if (const GenericEvent* generic = FindGeneric(text)) {
    listed = Generic(*generic);
  } else if (text.starts_with("PAPI_")) {
    return Error{"it is a preset of PAPI: use ROOFMARK_COLLECTOR=papi"};
  } else if (text.find(":::") != std::string::npos) {
    return Error{
        fmt::format("{} is a component of PAPI that does not count for threads: if the event "
                    "counts memory traffic, name it in ROOFMARK_PACKAGE_EVENTS",
                    text.substr(0, text.find(":::")))};
  } else {
    Result<Encoding> encoding = EncodeUserEvent(sysfs, text);
    if (!encoding) {
      return Error{encoding.error() + (IsPmuText(text) ? "" : Suggestion(text))};
    }
    listed.events = std::move(encoding->events);
    SetUnit(listed.events.front(), listed);
  }
  listed.scope = listed.events.front().scope;
  SetStandardMetric(listed.events.front(), listed);
  return listed;
}

}  // namespace roofmark::events
