// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/device_profile.h"

#include <algorithm>

#include "lib/core/messages/recording.h"
#include "lib/fold/fold_devices.h"

namespace roofmark::runtime {

void AddDevices(const Collector& counter, const FoldInput& input, RunInfo& run) {
  run.devices = FoldDevices(counter.Devices(), input.nodes, input.names, run.hosts.front().name);
  for (const DeviceInfo& device : run.devices) {
    const auto counted = [](const DeviceSource& source) { return source.counted > 0; };
    if (std::any_of(device.sources.begin(), device.sources.end(), counted)) continue;
    run.warnings.push_back(
        InWords(message::kNothingCountedOnGpu, device.name, device.uuid, device.sources[0].reason));
  }
}

}  // namespace roofmark::runtime
