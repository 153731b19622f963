// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/papi/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "collectors/hardware/events/encode.h"
#include "collectors/hardware/package/cpus.h"
#include "collectors/hardware/papi/api.h"
#include "collectors/hardware/papi/component.h"
#include "collectors/hardware/papi/package_sets.h"

namespace roofmark::papi {
namespace {

MetricId MetricOfDirection(bool write) {
  return write ? metric::kPackageDramWriteBytes : metric::kPackageDramReadBytes;
}

class Planner {
 public:
  Planner() { plan_.opener = std::make_shared<PackageOpener>(); }

  // The name, as Plan's opener takes it, on one of these CPUs of each package.
  void Add(MetricId metric, std::string name, std::string device, std::set<uint32_t> cpus,
           double bytes) {
    auto rule = std::find_if(plan_.rules.begin(), plan_.rules.end(),
                             [&](const package::Rule& known) { return known.metric == metric; });
    if (rule == plan_.rules.end()) rule = plan_.rules.insert(rule, {metric, {}});
    rule->terms.push_back({plan_.events.size(), bytes});
    plan_.opened_by_it.insert(plan_.events.size());
    events::EncodedEvent event;
    event.name = std::move(name);
    event.device = std::move(device);
    event.scope = Scope::kPackage;
    event.cpus = std::move(cpus);
    plan_.events.push_back(std::move(event));
  }
  package::Plan Take() { return std::move(plan_); }

 private:
  package::Plan plan_;
};

std::string OnFirstCpu(const std::string& name, const std::set<uint32_t>& cpus) {
  return name + std::to_string(*cpus.begin());
}

// libpfm4's names, which are those of PAPI's component for devices outside the cores.
Result<package::Plan> PlanUncore(const events::Sysfs& sysfs,
                                 const std::vector<TableTraffic>& wanted) {
  Planner planner;
  for (const TableTraffic& traffic : wanted) {
    for (const events::Term& term : traffic.formula->terms) {
      if (term.event.pfm_name.empty()) {
        return Error{fmt::format("{} has no events of this CPU's memory controllers", Version())};
      }
      const Result<events::Encoding> encoding = events::EncodeTableEvent(sysfs, term.event);
      if (!encoding) return Error{encoding.error()};
      for (const events::EncodedEvent& event : encoding->events) {
        std::string name = term.event.pfm_name;
        if (const size_t at = name.find("{}"); at != std::string::npos) {
          name.replace(at, 2, events::DeviceNumber(event.device));
        }
        name += ":cpu=";
        const std::string tried = OnFirstCpu(name, event.cpus);
        if (const Result<Native> found = FindNative(tried); !found) {
          return Error{fmt::format("{}: {}", tried, found.error())};
        }
        planner.Add(traffic.metric, std::move(name), event.device, event.cpus,
                    term.Weight(events::SveVectorBits()));
      }
    }
  }
  return planner.Take();
}

// One event of pcp on POWER.
struct NestEvent {
  std::string controller;  // "nest_mba0_imc"
  bool write = false;
  uint32_t cpu = 0;
};

std::optional<uint32_t> TakeNumber(std::string_view& text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

bool Take(std::string_view expected, std::string_view& text) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

std::optional<NestEvent> ParseNest(std::string_view name) {
  NestEvent event;
  if (!Take("pcp:::perfevent.hwcounters.nest_mba", name)) return std::nullopt;
  const auto controller = TakeNumber(name);
  if (!controller || !Take("_imc.PM_MBA", name)) return std::nullopt;
  if (TakeNumber(name) != controller) return std::nullopt;
  event.write = Take("_WRITE_BYTES", name);
  if (!event.write && !Take("_READ_BYTES", name)) return std::nullopt;
  if (!Take(".value:cpu", name)) return std::nullopt;
  const auto cpu = TakeNumber(name);
  if (!cpu || !name.empty()) return std::nullopt;
  event.controller = fmt::format("nest_mba{}_imc", *controller);
  event.cpu = *cpu;
  return event;
}

// What an event belongs to, so that reads and writes of one controller are put together:
// "skx_unc_imc0", or what a component's name says before the event's own.
std::string ControllerOf(std::string_view name) {
  const size_t colons = name.find("::");
  if (ComponentOf(name) == kUncore) return std::string(name.substr(0, colons));
  std::string_view path = name.substr(colons + 3);
  for (int i = 0; i < 2; ++i) {
    if (const size_t dot = path.rfind('.'); dot != std::string_view::npos) {
      path = path.substr(0, dot);
    }
  }
  return fmt::format("{}:::{}", ComponentOf(name), path.substr(0, path.find(':')));
}

// On which CPUs a listed event is opened: the one that it names, else one of each package.
Result<std::set<uint32_t>> CpusFor(const events::ListedTraffic& traffic, const events::Sysfs& sysfs,
                                   const std::string& root) {
  if (traffic.cpu) {
    if (!package::PackageOf(*traffic.cpu, root)) {
      return Error{
          fmt::format("this node has no CPU {} that is on line: name another CPU of the "
                      "package",
                      *traffic.cpu)};
    }
    return std::set<uint32_t>{*traffic.cpu};
  }
  // The kernel's device may name CPUs on which alone it can be opened.
  if (ComponentOf(traffic.name) == kUncore) {
    const Result<events::Encoding> encoding = events::EncodeUserEvent(sysfs, traffic.name);
    if (encoding && !encoding->events.front().cpus.empty()) return encoding->events.front().cpus;
  }
  const std::set<uint32_t> cpus = package::OneCpuOfEachPackage(root);
  if (ComponentOf(traffic.name) != kUncore && cpus.size() != 1) {
    return Error{
        fmt::format("it does not say for which of this node's {} packages it counts: name "
                    "one that ends with a CPU, as in :cpu0",
                    cpus.size())};
  }
  return cpus;
}

// Empty, or why the event cannot be counted.
std::string AddListed(const events::ListedTraffic& traffic, const events::Sysfs& sysfs,
                      const std::string& root, Planner& planner) {
  Result<std::set<uint32_t>> cpus = CpusFor(traffic, sysfs, root);
  if (!cpus) return cpus.error();
  std::string name = traffic.name;
  if (!events::TakesCpu(name) && ComponentOf(name) == kUncore) name += ":cpu=";
  const Result<Native> found = FindNative(events::TakesCpu(name) ? OnFirstCpu(name, *cpus) : name);
  if (!found) return found.error();
  planner.Add(MetricOfDirection(traffic.write), std::move(name), ControllerOf(traffic.name),
              std::move(*cpus), traffic.bytes);
  return {};
}

}  // namespace

package::Plan PlanPcp(const std::vector<std::string>& names, const std::string& root) {
  // Every CPU of a package may have its own name for the same count: the first of each is taken.
  std::map<std::tuple<uint32_t, std::string, bool>, uint32_t> cpu_of;
  std::map<std::tuple<uint32_t, std::string, bool>, std::string> name_of;
  for (const std::string& name : names) {
    const std::optional<NestEvent> event = ParseNest(name);
    const auto package = event ? package::PackageOf(event->cpu, root) : std::nullopt;
    if (!package) continue;
    const std::tuple key(*package, event->controller, event->write);
    const auto [known, added] = cpu_of.try_emplace(key, event->cpu);
    if (!added && known->second <= event->cpu) continue;
    known->second = event->cpu;
    name_of[key] = name.substr(0, name.size() - std::to_string(event->cpu).size());
  }
  Planner planner;
  for (const auto& [key, cpu] : cpu_of) {
    const auto& [package, controller, write] = key;
    // The names say bytes, but a count is one of 64 of them, as in the event table.
    planner.Add(MetricOfDirection(write), name_of[key], controller, {cpu}, events::kLineBytes);
  }
  return planner.Take();
}

Result<package::Plan> PlanMemory(const events::Sysfs& sysfs,
                                 const std::vector<TableTraffic>& wanted, const std::string& root) {
  if (const std::string why = WhyNoLibrary(); !why.empty()) return Error{why};
  package::Plan pcp = PlanPcp(NamesIn("pcp"), root);
  if (!pcp.rules.empty()) return pcp;
  if (wanted.empty())
    return Error{fmt::format("{} has no events of memory controllers", Version())};
  return PlanUncore(sysfs, wanted);
}

ListedMemory PlanListedMemory(const std::vector<events::ListedTraffic>& listed,
                              const events::Sysfs& sysfs, const std::string& root) {
  Planner planner;
  std::map<MetricId, std::string> refused;
  for (const events::ListedTraffic& traffic : listed) {
    const std::string why = AddListed(traffic, sysfs, root, planner);
    if (!why.empty()) {
      refused.try_emplace(MetricOfDirection(traffic.write),
                          fmt::format("{}: {}", traffic.text, why));
    }
  }
  ListedMemory memory;
  memory.plan = planner.Take();
  // A part of the traffic is not the traffic.
  for (const auto& [metric, why] : refused) {
    package::Remove({metric}, memory.plan);
    memory.refused.push_back({metric, Status::kUnsupported, why});
  }
  return memory;
}

}  // namespace roofmark::papi
