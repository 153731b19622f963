// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "collectors/hardware/events/groups.h"
#include "collectors/hardware/events/package_list.h"
#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/package/controllers.h"
#include "collectors/hardware/package/cpus.h"
#include "collectors/hardware/papi/memory.h"
#include "collectors/hardware/placing.h"
#include "collectors/hardware/threads/threads.h"

namespace roofmark {
namespace {

constexpr MetricId kTraffic[] = {metric::kPackageDramReadBytes, metric::kPackageDramWriteBytes,
                                 metric::kPackageDramBytes};

bool IsTraffic(MetricId metric) {
  return std::find(std::begin(kTraffic), std::end(kTraffic), metric) != std::end(kTraffic);
}

const events::Group& GroupOf(const Settings& settings) {
  const events::Group* group = events::FindGroup(settings.group == "auto" ? "mem" : settings.group);
  return group == nullptr ? *events::FindGroup("mem") : *group;
}

bool IsWanted(const Settings& settings) {
  const std::vector<events::Measure>& measures = GroupOf(settings).measures;
  return std::find(measures.begin(), measures.end(), events::Measure::kDramReadBytes) !=
         measures.end();
}

// Of the CPU's table, or nothing if there is none.
events::Selection Selected(const Settings& settings) {
  const auto facts = events::ReadCpuFacts();
  const auto cpu = facts ? events::IdentifyCpu(*facts) : Result<events::CpuModel>(Error{""});
  return cpu ? events::Select(events::TableOf(*cpu), GroupOf(settings)) : events::Selection{};
}

std::vector<papi::TableTraffic> TrafficIn(const std::vector<events::Formula>& formulas) {
  std::vector<papi::TableTraffic> traffic;
  for (const events::Formula& formula : formulas) {
    const auto metric = perf::MetricOf(formula);
    if (metric && perf::IsOfPackage(formula)) traffic.push_back({&formula, *metric});
  }
  return traffic;
}

// As this process would at the start; empty, or why not.
std::string WhyNotOpened(const package::Plan& plan) {
  for (const uint32_t cpu : package::CpusOf(plan)) {
    const auto package = package::PackageOf(cpu);
    if (!package) continue;
    const auto opened = package::Controllers::Open(plan, *package, threads::DescriptorBudget());
    return opened ? "" : opened.error();
  }
  return "the operating system lists no memory controller";
}

}  // namespace

void AddMemoryOfPapi(const Settings& settings, HardwarePlan& plan) {
  if (!settings.package_events.empty() || !IsWanted(settings)) return;
  const events::Selection selection = Selected(settings);
  const std::vector<papi::TableTraffic> wanted = TrafficIn(selection.formulas);
  const events::Sysfs sysfs;
  Result<package::Plan> through_papi = papi::PlanMemory(sysfs, wanted);
  if (through_papi) return package::Append(std::move(*through_papi), plan.packages);
  package::Plan kernels;
  kernels.note = fmt::format("perf_event reads it, PAPI does not: {}", through_papi.error());
  for (const papi::TableTraffic& traffic : wanted) {
    std::string why = perf::AddToPackage(sysfs, *traffic.formula, traffic.metric, kernels);
    if (why.empty()) continue;
    plan.offered.push_back({traffic.metric, Status::kUnsupported, std::move(why)});
  }
  for (const events::Refusal& refusal : selection.missing) {
    for (const MetricId metric : perf::MetricsOf(refusal.measure)) {
      if (!IsTraffic(metric)) continue;
      plan.offered.push_back({metric, Status::kUnsupported, refusal.reason});
    }
  }
  package::Append(std::move(kernels), plan.packages);
}

std::string TakeListedMemory(const Settings& settings, HardwarePlan& plan) {
  if (settings.package_events.empty()) return {};
  const Result<std::vector<events::ListedTraffic>> listed =
      events::ParsePackageList(settings.package_events);
  if (!listed) return listed.error();
  package::Remove({std::begin(kTraffic), std::end(kTraffic)}, plan.packages);
  std::erase_if(plan.offered, [](const OfferedMetric& offer) { return IsTraffic(offer.metric); });
  if (settings.collector == "perf_event") {
    for (const MetricId metric : {metric::kPackageDramReadBytes, metric::kPackageDramWriteBytes}) {
      plan.offered.push_back({metric, Status::kUnsupported,
                              "ROOFMARK_PACKAGE_EVENTS is counted through PAPI: set "
                              "ROOFMARK_COLLECTOR to papi or auto"});
    }
    return {};
  }
  papi::ListedMemory memory = papi::PlanListedMemory(*listed, events::Sysfs());
  std::move(memory.refused.begin(), memory.refused.end(), std::back_inserter(plan.offered));
  if (!memory.plan.rules.empty()) package::Append(std::move(memory.plan), plan.packages);
  return {};
}

void AskPapiIfDenied(const Settings& settings, const events::CpuFacts& cpu, HardwarePlan& plan) {
  const bool asked = settings.collector == "auto" && settings.events.empty() &&
                     settings.package_events.empty() && IsWanted(settings);
  if (!asked || !cpu.cpu.starts_with("POWER")) return;
  const std::string why = WhyNotOpened(plan.packages);
  if (why.empty()) return;
  Result<package::Plan> through_papi = papi::PlanMemory(events::Sysfs(), {});
  if (!through_papi) return;
  package::Remove({std::begin(kTraffic), std::end(kTraffic)}, plan.packages);
  through_papi->note = fmt::format("PAPI reads it, perf_event does not: {}", why);
  package::Append(std::move(*through_papi), plan.packages);
}

}  // namespace roofmark
