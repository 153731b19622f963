// SPDX-License-Identifier: BSD-3-Clause
//
// What can keep a region's kernels from the roof of their device, and the device from work. The
// table of them lies in device_shortfall_table.cc; a new one is a row there, its enumerator here,
// and what it costs in device_times.cc or device_advice.cc.
#ifndef ROOFMARK_LIB_MODEL_DEVICE_SHORTFALL_H_
#define ROOFMARK_LIB_MODEL_DEVICE_SHORTFALL_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "lib/model/device_derivation.h"
#include "lib/model/shortfall.h"

namespace roofmark {

enum class DeviceShortfall : uint8_t {
  kFma,
  kPrecision,
  kTensor,
  kDivergence,
  kBankConflicts,
  kSectors,
  kL2Misses,
  kLinks,
  kOccupancy,
  kIlp,
  kSmImbalance,
  kGpuImbalance,
  kLaunches,
  kCopies,
  kIdle,
};
inline constexpr size_t kDeviceShortfalls = 15;
constexpr size_t Index(DeviceShortfall shortfall) { return static_cast<size_t>(shortfall); }

using DeviceShortfalls = std::bitset<kDeviceShortfalls>;
inline constexpr DeviceShortfalls kAllLeft{(1U << kDeviceShortfalls) - 1};

// Where its seconds are.
enum class DevicePart : uint8_t {
  kResource,  // of what kernels need of a resource
  kRest,      // of what no resource explains of their time, too
  kAround,    // not in kernels
};

enum class DeviceExtent : uint8_t { kShare, kFactor, kSeconds };

struct DeviceShortfallInfo {
  DeviceShortfall id;
  std::string_view name;   // in files: "divergence"
  std::string_view label;  // for people
  DevicePart part;
  Ease ease;
  std::string_view cure;    // as an order: "Let all lanes of a warp go the same way"
  std::string_view extent;  // the number behind it, "{}" in words: "{} of the lanes are active"
  DeviceExtent extent_kind;
  std::string_view doc;     // the region without it
  std::string_view source;  // of the rule
  // How far it goes; without a number the counters do not tell.
  Value (*value)(const DeviceDerivation&);
};

std::span<const DeviceShortfallInfo> DeviceShortfallTable();
const DeviceShortfallInfo& InfoOf(DeviceShortfall shortfall);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_SHORTFALL_H_
