// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/controllers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collectors/hardware/events/attributes.h"
#include "collectors/hardware/events/package_list.h"
#include "collectors/hardware/package/cpus.h"
#include "collectors/hardware/perf/explain.h"
#include "collectors/hardware/perf/pack.h"

namespace roofmark::package {
namespace {

// The events of one device, as numbers of the plan.
struct OnDevice {
  std::string device;
  int cpu;
  std::vector<uint32_t> events;
};

std::vector<OnDevice> DevicesIn(const Plan& plan, uint32_t package, const std::string& root) {
  std::vector<OnDevice> devices;
  const std::set<uint32_t> inside = CpusIn(package, CpusOf(plan), root);
  for (uint32_t i = 0; i < plan.events.size(); ++i) {
    const events::EncodedEvent& event = plan.events[i];
    const auto cpu = std::find_if(event.cpus.begin(), event.cpus.end(),
                                  [&](uint32_t each) { return inside.contains(each); });
    if (cpu == event.cpus.end()) continue;
    auto known = std::find_if(devices.begin(), devices.end(),
                              [&](const OnDevice& each) { return each.device == event.device; });
    if (known == devices.end()) {
      known = devices.insert(known, {event.device, static_cast<int>(*cpu), {}});
    }
    known->events.push_back(i);
  }
  return devices;
}

// Those of a device that the plan's opener opens.
std::vector<Wanted> TakeWanted(const Plan& plan, OnDevice& device) {
  std::vector<Wanted> wanted;
  std::vector<uint32_t> kernels;
  for (const uint32_t event : device.events) {
    if (!plan.opened_by_it.contains(event)) {
      kernels.push_back(event);
      continue;
    }
    std::string name = plan.events[event].name;
    if (events::TakesCpu(name)) name += std::to_string(device.cpu);
    wanted.push_back({event, std::move(name)});
  }
  device.events = std::move(kernels);
  return wanted;
}

}  // namespace

Result<Controllers> Controllers::Open(const Plan& plan, uint32_t package, size_t budget,
                                      const std::string& root) {
  Controllers controllers;
  std::vector<OnDevice> devices = DevicesIn(plan, package, root);
  if (devices.empty()) {
    return Error{fmt::format(
        "the operating system lists no memory controller of package {}: its CPUs may be offline",
        package)};
  }
  std::vector<Wanted> wanted;
  for (OnDevice& device : devices) {
    std::vector<Wanted> some = TakeWanted(plan, device);
    std::move(some.begin(), some.end(), std::back_inserter(wanted));
    std::vector<perf_event_attr> events;
    for (const uint32_t event : device.events)
      events.push_back(events::Attributes(plan.events[event]));
    if (events.size() > budget) return Error{perf::ExplainDevice(EMFILE).reason};
    budget -= events.size();
    const perf::Packed packed = perf::Pack(events, false, device.cpu);
    for (size_t i = 0; i < events.size(); ++i) {
      if (packed.number[i]) continue;
      const auto name = plan.events[device.events[i]].name;
      return Error{fmt::format("{}: {}", name, packed.refused[i].reason)};
    }
    auto next = device.events.begin();
    for (const std::vector<perf_event_attr>& group : packed.set.groups) {
      perf::OpenFailure failure;
      auto opened = perf::Group::Open(group, -1, device.cpu, false, &failure);
      if (!opened) {
        return Error{fmt::format("{}: {}", plan.events[*next].name,
                                 perf::ExplainDevice(failure.error).reason)};
      }
      const auto end = next + static_cast<ptrdiff_t>(group.size());
      controllers.groups_.push_back({std::move(*opened), {next, end}});
      next = end;
    }
  }
  if (wanted.empty()) return controllers;
  if (wanted.size() > budget) return Error{perf::ExplainDevice(EMFILE).reason};
  Result<std::unique_ptr<Reader>> reader = plan.opener->Open(wanted);
  if (!reader) return Error{reader.error()};
  controllers.reader_ = std::move(*reader);
  controllers.of_reader_.resize(wanted.size());
  return controllers;
}

Controllers Controllers::Adopt(const std::vector<GroupPass>& passes,
                               const std::vector<int>& descriptors,
                               std::shared_ptr<Reader> reader) {
  Controllers controllers;
  if (reader != nullptr) controllers.of_reader_.resize(reader->Events().size());
  controllers.reader_ = std::move(reader);
  auto next = descriptors.begin();
  for (const GroupPass& pass : passes) {
    const std::vector<uint64_t> ids(pass.ids.begin(), pass.ids.begin() + pass.count);
    controllers.groups_.push_back({perf::Group::Adopt({next, next + pass.count}, ids),
                                   {pass.events.begin(), pass.events.begin() + pass.count}});
    next += pass.count;
  }
  return controllers;
}

std::vector<GroupPass> Controllers::Passes() const {
  std::vector<GroupPass> passes;
  for (const Opened& opened : groups_) {
    GroupPass& pass = passes.emplace_back();
    pass.count = static_cast<uint32_t>(opened.events.size());
    std::copy(opened.events.begin(), opened.events.end(), pass.events.begin());
    const std::vector<uint64_t> ids = opened.group.Ids();
    std::copy(ids.begin(), ids.end(), pass.ids.begin());
  }
  return passes;
}

std::vector<EventDescriptor> Controllers::Descriptors() const {
  std::vector<EventDescriptor> descriptors;
  for (const Opened& opened : groups_) {
    const std::vector<EventDescriptor> own = opened.group.Descriptors();
    descriptors.insert(descriptors.end(), own.begin(), own.end());
  }
  return descriptors;
}

bool Controllers::Read(threads::Total* totals) const noexcept {
  perf::Reading reading;
  for (const Opened& opened : groups_) {
    if (opened.group.Read(reading) != perf::ReadStatus::kOk) return false;
    for (size_t i = 0; i < opened.events.size(); ++i) {
      totals[opened.events[i]] = {reading.values[i], reading.enabled_ns, reading.running_ns};
    }
  }
  return reader_ == nullptr || ReadReader(totals);
}

bool Controllers::ReadReader(threads::Total* totals) const noexcept {
  if (!reader_->Read(of_reader_.data())) return false;
  const std::vector<uint32_t>& events = reader_->Events();
  for (size_t i = 0; i < events.size(); ++i) totals[events[i]] = of_reader_[i];
  return true;
}

std::vector<uint32_t> Controllers::Events() const {
  std::vector<uint32_t> events;
  if (reader_ != nullptr) events = reader_->Events();
  for (const Opened& opened : groups_) {
    events.insert(events.end(), opened.events.begin(), opened.events.end());
  }
  return events;
}

void Controllers::CloseInChild() noexcept {
  for (Opened& opened : groups_) opened.group.CloseInChild();
  if (reader_ != nullptr) reader_->CloseInChild();
}

}  // namespace roofmark::package
