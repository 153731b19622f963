// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/attach.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collectors/cupti/errors.h"
#include "lib/core/device_uuid.h"

namespace roofmark::cupti {
namespace {

std::string FindDevice(const Library& library, Context context, Device& device) {
  if (const int error = library.push_context(context); error != 0) {
    return ExplainDriver("cuCtxPushCurrent", error);
  }
  const int error = library.context_device(&device);
  Context popped = nullptr;
  library.pop_context(&popped);
  return error == 0 ? "" : ExplainDriver("cuCtxGetDevice", error);
}

// What the driver does not say remains 0: that is no error.
DeviceProperties PropertiesOf(const Library& library, Device device) {
  const auto ask = [&](int attribute) {
    int value = 0;
    const bool known = library.device_attribute(&value, attribute, device) == 0 && value > 0;
    return known ? static_cast<uint32_t>(value) : 0;
  };
  DeviceProperties properties;
  properties.major = ask(kCapabilityMajor);
  properties.minor = ask(kCapabilityMinor);
  properties.multiprocessors = ask(kMultiprocessorCount);
  properties.clock_khz = ask(kClockRate);
  properties.memory_clock_khz = ask(kMemoryClockRate);
  properties.memory_bus_bits = ask(kMemoryBusWidth);
  return properties;
}

// Fills in what is known, up to the first call that fails: its error.
std::string Identify(const Library& library, Context context, Attached& attached) {
  Device device = 0;
  if (std::string error = FindDevice(library, context, device); !error.empty()) return error;
  Uuid uuid{};
  if (const int error = library.device_uuid(&uuid, device); error != 0) {
    return ExplainDriver("cuDeviceGetUuid", error);
  }
  char name[256] = {};
  if (const int error = library.device_name(name, sizeof name - 1, device); error != 0) {
    return ExplainDriver("cuDeviceGetName", error);
  }
  attached.name = name;
  attached.uuid = DeviceUuid(uuid.bytes, name);
  attached.properties = PropertiesOf(library, device);
  auto initialize = Make<InitializeParams>();
  if (const CuptiResult result = library.initialize(&initialize); result != kSuccess) {
    return Explain(library, "cuptiProfilerInitialize", result);
  }
  auto chip = Make<ChipNameParams>();
  chip.device_index = static_cast<size_t>(device);
  if (const CuptiResult result = library.chip_name(&chip); result != kSuccess) {
    return Explain(library, "cuptiDeviceGetChipName", result);
  }
  attached.chip = chip.chip_name == nullptr ? "" : chip.chip_name;
  return {};
}

// Those of them that are counted where nothing else is.
std::vector<Link> LinksOf(const Library& library, Context context, const Plan& plan) {
  std::vector<Link> there;
  for (const Link link : kAllLinks) {
    const Result<Plan> alone = WithLinks(library, plan, {&link, 1}, "");
    if (alone && !Session(library, context, *alone).Refused()) there.push_back(link);
  }
  return there;
}

// A chip has counters of links that the board may not have (NVLink without a bridge or a switch,
// NVLink-C2C without a CPU in the same module): then those of the others are counted.
std::unique_ptr<Session> MakeSession(const Library& library, Context context, Group group,
                                     Plan plan) {
  auto session = std::make_unique<Session>(library, context, plan);
  if (group != Group::kLinks || !session->Refused()) return session;
  const std::string why = session->failed();
  session.reset();  // a context has one at a time
  Result<Plan> fewer = WithLinks(library, plan, LinksOf(library, context, plan), why);
  return std::make_unique<Session>(library, context, fewer ? std::move(*fewer) : std::move(plan));
}

counts::DeviceCounts& DeviceOf(const Attached& attached,
                               std::vector<counts::DeviceCounts>& devices) {
  const auto known = std::find_if(devices.begin(), devices.end(),
                                  [&](const auto& device) { return device.uuid == attached.uuid; });
  if (known != devices.end()) return *known;
  counts::DeviceCounts device;
  device.uuid = attached.uuid;
  device.name = attached.name;
  device.chip = attached.chip;
  device.properties = attached.properties;
  return devices.emplace_back(std::move(device));
}

}  // namespace

std::string Attached::WhyNot() const {
  if (session != nullptr) return session->failed();
  return trace != nullptr ? trace->failed() : error;
}

const std::map<uint32_t, counts::DeviceSums>& Attached::Sums() const {
  return session != nullptr ? session->sums() : trace->SumsOf(traced);
}

Attached Attach(const Library& library, Context context, Group group, Trace* trace) {
  Attached attached;
  attached.error = Identify(library, context, attached);
  if (!attached.error.empty()) return attached;
  if (trace != nullptr) {
    attached.traced = trace->added();
    if (trace->Add(context)) {
      attached.trace = trace;
    } else {
      attached.error = trace->failed();
    }
    return attached;
  }
  Result<Plan> plan = MakePlan(library, attached.chip, group);
  if (!plan) {
    attached.error = plan.error();
    return attached;
  }
  attached.session = MakeSession(library, context, group, std::move(*plan));
  return attached;
}

std::vector<counts::DeviceCounts> CountsByDevice(const std::vector<Attached>& contexts,
                                                 const std::string& around) {
  std::vector<counts::DeviceCounts> devices;
  for (const Attached& attached : contexts) {
    if (attached.uuid.empty()) continue;
    counts::DeviceCounts& device = DeviceOf(attached, devices);
    std::string why = attached.WhyNot();
    if (!why.empty() && !around.empty()) why += fmt::format(" ({})", around);
    const auto missing =
        attached.session != nullptr ? attached.session->plan().missing : Trace::Missing();
    for (size_t m = 0; m < kDeviceMetrics; ++m) {
      if (!why.empty()) device.missing[m] = why;
      if (device.missing[m].empty()) device.missing[m] = missing[m];
    }
    if (attached.session == nullptr && attached.trace == nullptr) continue;
    for (const auto& [path, sums] : attached.Sums()) Add(sums, device.paths[path]);
  }
  return devices;
}

}  // namespace roofmark::cupti
