// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/attach.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collectors/cupti/errors.h"

namespace roofmark::cupti {
namespace {

// As nvidia-smi writes it.
std::string UuidText(const Uuid& uuid) {
  std::string text = "GPU-";
  for (size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid.bytes[i]);
  }
  return text;
}

std::string FindDevice(const Library& library, Context context, Device& device) {
  if (const int error = library.push_context(context); error != 0) {
    return ExplainDriver("cuCtxPushCurrent", error);
  }
  const int error = library.context_device(&device);
  Context popped = nullptr;
  library.pop_context(&popped);
  return error == 0 ? "" : ExplainDriver("cuCtxGetDevice", error);
}

// Fills in what is known, up to the first call that fails: its error.
std::string Identify(const Library& library, Context context, Attached& attached) {
  Device device = 0;
  if (std::string error = FindDevice(library, context, device); !error.empty()) return error;
  Uuid uuid{};
  if (const int error = library.device_uuid(&uuid, device); error != 0) {
    return ExplainDriver("cuDeviceGetUuid", error);
  }
  attached.uuid = UuidText(uuid);
  char name[256] = {};
  if (const int error = library.device_name(name, sizeof name - 1, device); error != 0) {
    return ExplainDriver("cuDeviceGetName", error);
  }
  attached.name = name;
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

counts::DeviceCounts& DeviceOf(const Attached& attached,
                               std::vector<counts::DeviceCounts>& devices) {
  const auto known = std::find_if(devices.begin(), devices.end(),
                                  [&](const auto& device) { return device.uuid == attached.uuid; });
  if (known != devices.end()) return *known;
  counts::DeviceCounts device;
  device.uuid = attached.uuid;
  device.name = attached.name;
  device.chip = attached.chip;
  return devices.emplace_back(std::move(device));
}

}  // namespace

Attached Attach(const Library& library, Context context, Group group) {
  Attached attached;
  attached.error = Identify(library, context, attached);
  if (!attached.error.empty()) return attached;
  Result<Plan> plan = MakePlan(library, attached.chip, group);
  if (!plan) {
    attached.error = plan.error();
    return attached;
  }
  attached.session = std::make_unique<Session>(library, context, std::move(*plan));
  return attached;
}

std::vector<counts::DeviceCounts> CountsByDevice(const std::vector<Attached>& contexts) {
  std::vector<counts::DeviceCounts> devices;
  for (const Attached& attached : contexts) {
    if (attached.uuid.empty()) continue;
    counts::DeviceCounts& device = DeviceOf(attached, devices);
    const std::string why = attached.WhyNot();
    for (size_t m = 0; m < kDeviceMetrics; ++m) {
      const std::string& missing = why.empty() ? attached.session->plan().missing[m] : why;
      if (device.missing[m].empty() || !why.empty()) device.missing[m] = missing;
    }
    if (attached.session == nullptr) continue;
    for (const auto& [path, sums] : attached.session->sums()) Add(sums, device.paths[path]);
  }
  return devices;
}

}  // namespace roofmark::cupti
