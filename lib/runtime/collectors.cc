// SPDX-License-Identifier: BSD-3-Clause
#include "lib/runtime/collectors.h"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "collectors/counting/counting.h"
#include "collectors/declared/declared.h"
#include "collectors/perf_event/perf_event.h"
#include "collectors/timer/timer.h"

namespace roofmark::runtime {
namespace {

constexpr char kNoCounts[] =
    "not counted in this run: use `roofmark run`, or set ROOFMARK_COLLECTOR=counting";

// Takes over what `collector` offers; what somebody gives already stays.
void Adopt(Collector& collector, const std::vector<OfferedMetric>& offered, Choice& choice) {
  for (const OfferedMetric& offer : offered) {
    MetricSource& source = choice.sources[offer.metric];
    if (HasValue(source.status)) continue;
    source = {HasValue(offer.status) ? std::string(collector.Name()) : "", offer.status,
              offer.reason};
  }
}

// Derived while folding: from the counts where there are any, else from the markers.
void AdoptDerived(Choice& choice) {
  const std::string origin = choice.name;
  choice.sources[metric::kWorkers] = {origin, Status::kMeasured, ""};
  if (choice.counter == nullptr) return;
  for (MetricId id : {metric::kWorkerFlopsMax, metric::kWorkerBytesMax}) {
    choice.sources[id] = {origin, Status::kMeasured, ""};
  }
}

void OpenAlways(std::unique_ptr<Collector> collector, const Settings& settings, Choice& choice) {
  const Result<std::vector<OfferedMetric>> offered = collector->Open(settings);
  if (offered) Adopt(*collector, *offered, choice);
}

// Makes `collector` the one that counts if it opens; else says why it does not.
std::string Try(std::unique_ptr<Collector> collector, const Settings& settings, Choice& choice,
                std::string line) {
  const Result<std::vector<OfferedMetric>> offered = collector->Open(settings);
  if (!offered) return offered.error();
  Adopt(*collector, *offered, choice);
  choice.name = collector->Name();
  choice.counter = std::move(collector);
  choice.line = std::move(line);
  return {};
}

// "; not counted: l1_read_bytes and 3 more (reason)": each reason once.
std::string NotCounted(const Choice& choice) {
  std::map<std::string, std::vector<MetricId>> missing;
  for (MetricId id = 0; id < kMetrics; ++id) {
    const MetricSource& source = choice.sources[id];
    if (!HasValue(source.status) && source.reason != kNoCounts) {
      missing[source.reason].push_back(id);
    }
  }
  std::string text;
  for (const auto& [reason, metrics] : missing) {
    text += fmt::format(
        "{} {}{} ({})", text.empty() ? "; not counted:" : ",", GetMetric(metrics.front()).name,
        metrics.size() == 1 ? "" : fmt::format(" and {} more", metrics.size() - 1), reason);
  }
  return text;
}

}  // namespace

Choice ChooseCollectors(const Settings& settings) {
  Choice choice;
  for (MetricSource& source : choice.sources) {
    source = {"", Status::kUnsupported, kNoCounts};
  }
  OpenAlways(MakeTimerCollector(), settings, choice);
  OpenAlways(MakeDeclaredCollector(), settings, choice);
  if (settings.collector == "timer") {
    choice.line = "recording calls and time, as asked; nothing is counted";
    AdoptDerived(choice);
    return choice;
  }
  // `auto` takes the engine only where the process runs under it already.
  const std::string why_no_engine =
      settings.collector == "perf_event"
          ? ""
          : Try(MakeCountingCollector(), settings, choice,
                fmt::format("counting FLOPs, instructions{} under the engine; times are not real",
                            settings.count == "flops" ? "" : " and modelled cache traffic"));
  std::string why_no_counters;
  if (choice.counter == nullptr && settings.collector != "counting") {
    why_no_counters =
        Try(MakePerfEventCollector(), settings, choice,
            fmt::format("counting events of ROOFMARK_GROUP={} by hardware ({} mode)",
                        settings.group, settings.kernel ? "user and kernel" : "user"));
    if (choice.counter != nullptr) choice.line += NotCounted(choice);
  }
  if (choice.counter == nullptr) {
    if (settings.collector == "auto") {
      choice.line =
          fmt::format("recording calls and time; FLOPs and bytes are {} (no hardware counters: {})",
                      kNoCounts, why_no_counters);
    } else {
      choice.error = settings.collector == "counting" ? why_no_engine : why_no_counters;
      choice.line = "recording calls and time only";
    }
  }
  AdoptDerived(choice);
  return choice;
}

}  // namespace roofmark::runtime
