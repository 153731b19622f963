// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/collectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/events/package_list.h"
#include "collectors/hardware/events/user_list.h"
#include "collectors/list/list.h"

namespace roofmark::runtime {
namespace {

constexpr char kNoCounts[] =
    "not counted in this run: use `roofmark run`, or set ROOFMARK_COLLECTOR=counting";

// Takes over what `collector` offers, except metrics that another collector supplies already.
void Adopt(Collector& collector, const std::vector<OfferedMetric>& offered, Choice& choice) {
  for (const OfferedMetric& offer : offered) {
    MetricSource& source = choice.sources[offer.metric];
    if (HasValue(source.status)) continue;
    const std::string origin = offer.origin.empty() ? std::string(collector.Name()) : offer.origin;
    source = {HasValue(offer.status) ? origin : "",
              offer.status,
              offer.reason,
              offer.label,
              offer.unit,
              offer.scope};
  }
}

// Derived while folding: from the counts where there are any, else from the markers.
void AdoptDerived(Choice& choice) {
  const std::string origin = choice.name;
  choice.sources[metric::kWorkers] = {origin, Status::kMeasured, ""};
  if (choice.counter == nullptr || choice.counter->CountsDevices()) return;
  for (MetricId id : {metric::kWorkerFlopsMax, metric::kWorkerBytesMax}) {
    choice.sources[id] = {origin, Status::kMeasured, ""};
  }
  choice.sources[metric::kWorkerDependenceCyclesMax] = choice.sources[metric::kDependenceCycles];
}

void OpenAlways(std::unique_ptr<Collector> collector, const Settings& settings, Choice& choice) {
  const Result<std::vector<OfferedMetric>> offered = collector->Open(settings);
  if (offered) Adopt(*collector, *offered, choice);
}

// A collector that was opened to see what it can count.
struct Attempt {
  const CollectorRow* row;
  std::unique_ptr<Collector> collector;  // nullptr: it does not open
  std::string error;
  std::vector<OfferedMetric> offered;

  size_t Missing() const {  // of the user's list
    return static_cast<size_t>(
        std::count_if(offered.begin(), offered.end(), [](const OfferedMetric& offer) {
          return IsUser(offer.metric) && !HasValue(offer.status);
        }));
  }
  std::string WhyNot(MetricId metric) const {
    if (!error.empty()) return error;
    const auto found = std::find_if(offered.begin(), offered.end(), [&](const auto& offer) {
      return offer.metric == metric && !HasValue(offer.status);
    });
    return found == offered.end() ? "" : found->reason;
  }
};

Attempt Open(const CollectorRow& row, const Settings& settings) {
  Attempt attempt{&row, row.make(), "", {}};
  Result<std::vector<OfferedMetric>> offered = attempt.collector->Open(settings);
  if (offered) {
    attempt.offered = std::move(*offered);
  } else {
    attempt.error = offered.error();
    attempt.collector.reset();
  }
  return attempt;
}

void Take(Attempt attempt, std::string line, Choice& choice) {
  Adopt(*attempt.collector, attempt.offered, choice);
  choice.name = attempt.row->name.id;
  choice.counter = std::move(attempt.collector);
  choice.line = std::move(line);
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
    const std::string& label = choice.sources[metrics.front()].label;
    text += fmt::format("{} {}{} ({})", text.empty() ? "; not counted:" : ",",
                        label.empty() ? GetMetric(metrics.front()).name : label,
                        metrics.size() == 1 ? "" : fmt::format(" and {} more", metrics.size() - 1),
                        reason);
  }
  return text;
}

std::string CountingLine(const Settings& settings, const CollectorName& name) {
  const char* modes = settings.kernel ? "user and kernel" : "user";
  if (!settings.events.empty()) {
    return fmt::format("counting ROOFMARK_EVENTS by {} ({} mode)", name.id, modes);
  }
  return fmt::format("counting {} ({} mode)",
                     fmt::format(fmt::runtime(name.counts), settings.group), modes);
}

// "perf_event: ...; papi: ..."; once and without names where all say the same.
std::string Reasons(const std::vector<Attempt>& attempts, MetricId metric) {
  std::vector<std::string> named, plain;
  for (const Attempt& attempt : attempts) {
    const std::string why = attempt.WhyNot(metric);
    if (why.empty()) continue;
    named.push_back(fmt::format("{}: {}", attempt.row->name.id, why));
    if (std::find(plain.begin(), plain.end(), why) == plain.end()) plain.push_back(why);
  }
  return fmt::format("{}", fmt::join(plain.size() > 1 ? named : plain, "; "));
}

// Of one kind, in the order of the list; the only one if it was asked for by name.
std::vector<const CollectorRow*> Candidates(CollectorKind kind, const Settings& settings) {
  std::vector<const CollectorRow*> rows;
  for (const CollectorRow& row : kCollectors) {
    const bool asked = settings.collector == "auto" || settings.collector == row.name.id;
    if (row.name.kind == kind && asked) rows.push_back(&row);
  }
  return rows;
}

// The list begins with perf_event: it is cheaper and checks every read. PAPI has names of its own,
// and may know a CPU that the event table does not; on one that the table knows nothing opens more
// than perf_event.
std::vector<const CollectorRow*> InOrder(const Settings& settings) {
  std::vector<const CollectorRow*> rows = Candidates(CollectorKind::kInProcess, settings);
  const auto facts = events::ReadCpuFacts();
  const bool known = facts && events::IdentifyCpu(*facts);
  if (known && settings.events.empty()) rows.resize(1);
  return rows;
}

// The first that counts all that was asked, else the one that counts most. Only one is open at a
// time: each is told of the process's threads. The text, if nothing opens: why.
std::string ChooseCounters(const Settings& settings, Choice& choice) {
  std::vector<Attempt> attempts;
  for (const CollectorRow* row : InOrder(settings)) {
    attempts.push_back(Open(*row, settings));
    Attempt& last = attempts.back();
    if (last.collector != nullptr && last.Missing() == 0) {
      const std::string line = CountingLine(settings, last.row->name);
      Take(std::move(last), line, choice);
      choice.line += NotCounted(choice);
      return {};
    }
    if (last.collector != nullptr) last.collector.reset();
  }
  const auto best =
      std::min_element(attempts.begin(), attempts.end(), [](const Attempt& a, const Attempt& b) {
        return std::pair(!a.error.empty(), a.Missing()) < std::pair(!b.error.empty(), b.Missing());
      });
  if (!best->error.empty()) return Reasons(attempts, 0);
  Attempt again = Open(*best->row, settings);
  if (again.collector == nullptr) return again.error;
  for (OfferedMetric& offer : again.offered) {
    if (IsUser(offer.metric) && !HasValue(offer.status)) {
      offer.reason = Reasons(attempts, offer.metric);
    }
  }
  Take(std::move(again), CountingLine(settings, best->row->name), choice);
  choice.line += NotCounted(choice);
  return {};
}

// Behind "engine": which one, if the program could not know it before.
std::string WhichEngine(const Collector& collector) {
  const std::map<std::string, std::string> facts = collector.Facts();
  const auto engine = facts.find("engine"), why = facts.find("engine_choice");
  if (engine == facts.end() || why == facts.end()) return {};
  return fmt::format(" {} ({})", engine->second, why->second);
}

// Under the engine already, or the error that says why not.
std::string ChooseEngine(const CollectorRow& engine, const Settings& settings, Choice& choice) {
  Attempt attempt = Open(engine, settings);
  if (attempt.collector == nullptr) return attempt.error;
  const std::string line =
      fmt::format("counting FLOPs, instructions{} under the counting engine{}; {}{}",
                  settings.count == "flops" ? "" : " and modelled cache traffic",
                  WhichEngine(*attempt.collector),
                  attempt.collector->TakesTurns() ? "visits are timed or counted, in turns"
                                                  : "times are not valid",
                  settings.events.empty() ? "" : "; the events of ROOFMARK_EVENTS are not counted");
  Take(std::move(attempt), line, choice);
  return {};
}

// One that is asked for by its name alone; false if none is.
bool ChooseByName(const Settings& settings, Choice& choice) {
  const std::vector<const CollectorRow*> rows = Candidates(CollectorKind::kByName, settings);
  if (rows.empty() || settings.collector == "auto") return false;
  const CollectorRow& row = *rows.front();
  Attempt attempt = Open(row, settings);
  if (attempt.collector == nullptr) {
    choice.line = "recording visits and time only";
    choice.error = choice.why_no_counters = attempt.error;
    return true;
  }
  Take(std::move(attempt),
       fmt::format("counting {}; times are not valid",
                   fmt::format(fmt::runtime(row.name.counts), settings.group)),
       choice);
  return true;
}

void ChooseCounter(const Settings& settings, Choice& choice) {
  if (ChooseByName(settings, choice)) return;
  // `auto` takes an engine only where the process runs under it already.
  std::string why_no_engine;
  for (const CollectorRow* engine : Candidates(CollectorKind::kEngine, settings)) {
    why_no_engine = ChooseEngine(*engine, settings, choice);
    if (choice.counter != nullptr) return;
  }
  choice.line = "recording visits and time only";
  if (Candidates(CollectorKind::kInProcess, settings).empty()) {
    choice.error = why_no_engine;
    return;
  }
  if (!settings.events.empty()) {
    if (const auto names = events::ParseUserList(settings.events); !names) {
      choice.error = choice.why_no_counters = names.error();
      return;
    }
  }
  if (!settings.package_events.empty()) {
    if (const auto list = events::ParsePackageList(settings.package_events); !list) {
      choice.error = list.error();
      return;
    }
  }
  const std::string why = ChooseCounters(settings, choice);
  if (choice.counter != nullptr) return;
  choice.why_no_counters = why;
  if (settings.collector != "auto" || !settings.events.empty()) {
    choice.error = why;
  } else {
    choice.line =
        fmt::format("recording visits and time; FLOPs and bytes are {} (no hardware counters: {})",
                    kNoCounts, why);
  }
}

}  // namespace

Choice ChooseCollectors(const Settings& settings) {
  Choice choice;
  for (MetricSource& source : choice.sources) {
    source = {"", Status::kUnsupported, kNoCounts};
  }
  for (const CollectorRow& row : kCollectors) {
    if (row.name.kind == CollectorKind::kAlways) OpenAlways(row.make(), settings, choice);
  }
  if (settings.collector == "timer") {
    choice.line = "recording visits and time, as requested; nothing is counted";
  } else {
    ChooseCounter(settings, choice);
  }
  AdoptDerived(choice);
  return choice;
}

}  // namespace roofmark::runtime
