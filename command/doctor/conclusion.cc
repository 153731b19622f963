// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>

#include "command/doctor/report.h"
#include "lib/core/settings.h"
#include "markers/runtime/collectors.h"

namespace roofmark::cli {
namespace {

struct MetricKind {
  std::string_view name;
  std::string_view prefixes[2];
};
// Of metric names, for a user who wants to know whether a roofline comes out.
constexpr MetricKind kMetricKinds[] = {
    {"FLOPs", {"flops_", "flops_"}},
    {"instructions", {"instructions", "instructions"}},
    {"cycles", {"cycles", "cycles"}},
    {"cache traffic", {"l1_", "l2_"}},
    {"DRAM traffic", {"dram_", "package_dram_"}},
};

bool GivesAny(const MetricKind& kind, const runtime::Choice& choice) {
  for (MetricId id = 0; id < kMetrics; ++id) {
    const MetricSource& source = choice.sources[id];
    if (!HasValue(source.status) || source.origin == "timer" || source.origin == "declared")
      continue;
    const std::string& name = GetMetric(id).name;
    for (const std::string_view prefix : kind.prefixes) {
      if (name.starts_with(prefix)) return true;
    }
  }
  return false;
}

// In this order: what stands first is worth most to the user.
constexpr std::string_view kFirstThings[] = {
    "perf_event_open", "core_events", "flops",        "dram",         "counting_engine",
    "open_files",      "affinity",    "machine_file", "shared_memory"};

// What a user or administrator can allow, install or change comes before what needs other hardware;
// that is no task at all while the engine counts.
const Finding* FirstThing(const Findings& findings, bool engine) {
  for (const bool unsupported : {false, true}) {
    for (const std::string_view id : kFirstThings) {
      const Finding* finding = Find(findings, id);
      if (finding == nullptr || finding->Ok() || finding->diagnosis.cure.empty()) continue;
      if ((finding->diagnosis.state == State::kUnsupported) != unsupported) continue;
      if (!unsupported || !engine) return finding;
    }
  }
  return nullptr;
}

bool Counts(const Findings& findings, std::string_view engine) {
  const Finding* finding = Find(findings, engine);
  return finding != nullptr && finding->Ok();
}

}  // namespace

Automatic AskAutomatic() {
  Settings settings;
  settings.on = true;
  const runtime::Choice choice = runtime::ChooseCollectors(settings);
  Automatic automatic;
  automatic.collector = choice.name;
  automatic.why = choice.line;
  if (choice.counter != nullptr) {
    const std::map<std::string, std::string> facts = choice.counter->Facts();
    if (const auto events = facts.find("events"); events != facts.end()) {
      for (const char letter : events->second) automatic.events += letter == ' ';
      ++automatic.events;
    }
  }
  for (const MetricKind& kind : kMetricKinds) {
    (GivesAny(kind, choice) ? automatic.gives : automatic.lacks).emplace_back(kind.name);
  }
  return automatic;
}

Conclusion Conclude(const Findings& findings, const Automatic& automatic) {
  const bool engine = Counts(findings, "counting_engine");
  const bool native = Counts(findings, "native_engine");
  Conclusion conclusion;
  conclusion.counts = automatic.Counts() || engine || native;
  if (automatic.Counts()) {
    conclusion.summary = fmt::format(
        "hardware counters give {}{}", fmt::join(automatic.gives, ", "),
        automatic.lacks.empty() ? std::string()
                                : fmt::format("; not {}", fmt::join(automatic.lacks, ", ")));
    conclusion.with = "ROOFMARK=on mpirun ... ./app";
    if (engine && !automatic.lacks.empty()) {
      conclusion.summary += "; `roofmark run` counts the rest in a second run";
    }
  } else if (engine) {
    conclusion.summary =
        "no hardware counters; the counting engine gives exact FLOPs and modelled traffic, in a "
        "second run";
    conclusion.with = "roofmark run -- mpirun -n 4 ./app";
  } else if (native) {
    conclusion.summary =
        "no hardware counters; the native engine gives exact FLOPs and modelled traffic of "
        "regions, in a second run";
    conclusion.with = "roofmark run --engine native -- mpirun -n 4 ./app";
  } else {
    conclusion.summary =
        "only visits and time: neither hardware counters nor the counting engine work";
    conclusion.with = "ROOFMARK=on mpirun ... ./app";
  }
  if (const Finding* first = FirstThing(findings, engine || native)) {
    conclusion.first =
        fmt::format("{}: {}", first->title,
                    first->diagnosis.cause.empty() ? first->found : first->diagnosis.cause);
    conclusion.first_cure = first->diagnosis.cure;
  }
  return conclusion;
}

}  // namespace roofmark::cli
