// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of a region goes as its device sees it, and what limits the region.
#ifndef ROOFMARK_LIB_MODEL_DEVICE_SPLIT_H_
#define ROOFMARK_LIB_MODEL_DEVICE_SPLIT_H_

#include <cstdint>
#include <string_view>

#include "lib/model/device_derivation.h"
#include "lib/model/device_times.h"

namespace roofmark {

// The four parts add up to `time_s`. Kernels and copies are of another execution than the time of
// the region: where they took longer than it, they are scaled down to it.
struct DeviceSplit {
  double time_s = 0;      // of the region on its slowest rank, else what the device was busy
  double kernels_s = 0;   // at least one ran
  double copies_s = 0;    // copies ran, and no kernel
  double launches_s = 0;  // nothing ran, and launching its kernels takes so long
  double idle_s = 0;      // nothing ran for another reason
};

// All 0 where times of kernels and copies are not known, or the region has none of them.
DeviceSplit SplitOnDevice(const DeviceDerivation& of);

enum class DeviceLimit : uint8_t {
  kUnknown,
  kLaunches,
  kCopies,
  kIdle,
  kCompute,
  kIssue,
  kShared,
  kL1,
  kL2,
  kDram,
  kHostLink,
  kNvlink,
  kLatency,
};
// In files and tables; empty of kUnknown.
std::string_view NameOf(DeviceLimit limit);

// The largest part of the time. Of kernels what they need most of, where that explains their time;
// latency where it does not.
DeviceLimit LimitOnDevice(const DeviceSplit& split, const DeviceWork& work);
DeviceLimit LimitOnDevice(const DeviceDerivation& of);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_SPLIT_H_
