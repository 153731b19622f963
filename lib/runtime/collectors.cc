// SPDX-License-Identifier: BSD-3-Clause
#include "lib/runtime/collectors.h"

#include <fmt/format.h>

#include "collectors/counting/counting.h"
#include "collectors/declared/declared.h"
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
  std::unique_ptr<Collector> counting = MakeCountingCollector();
  const Result<std::vector<OfferedMetric>> offered = counting->Open(settings);
  if (offered) {
    Adopt(*counting, *offered, choice);
    choice.name = counting->Name();
    choice.counter = std::move(counting);
    choice.line = fmt::format("counting FLOPs, instructions{} under the engine; times are not real",
                              settings.count == "flops" ? "" : " and modelled cache traffic");
  } else if (settings.collector == "counting") {
    choice.error = offered.error();
    choice.line = "recording calls and time only";
  } else {
    choice.line = fmt::format("recording calls and time; FLOPs and bytes are {}", kNoCounts);
  }
  AdoptDerived(choice);
  return choice;
}

}  // namespace roofmark::runtime
