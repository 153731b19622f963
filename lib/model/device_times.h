// SPDX-License-Identifier: BSD-3-Clause
//
// Seconds that the kernels of a region need at least of each resource of their device, by what they
// executed and what the device sustains. Resources work side by side: the longest of them is what
// the kernels need.
#ifndef ROOFMARK_LIB_MODEL_DEVICE_TIMES_H_
#define ROOFMARK_LIB_MODEL_DEVICE_TIMES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "lib/model/device_derivation.h"
#include "lib/model/device_shortfall.h"

namespace roofmark {

enum class DeviceResource : uint8_t {
  kCompute,
  kIssue,
  kShared,
  kL1,
  kL2,
  kDram,
  kHostLink,
  kNvlink,
};
inline constexpr size_t kDeviceResources = 8;

struct DeviceTimes {
  std::array<double, kDeviceResources> seconds{};  // 0: not used, or not known

  // From the outermost on, so that equals are told as the outermost.
  DeviceResource Longest() const;
  double Needed() const { return seconds[static_cast<size_t>(Longest())]; }
};

// How much of what counters leave open is put down to the shortfalls: whether threads that are not
// active lie in floating-point instructions, whether what a sector has besides is asked for later,
// whether instructions on shared memory are all alike.
enum class DeviceUntold : uint8_t { kLittle, kMuch };

class DeviceWork {
 public:
  explicit DeviceWork(const DeviceDerivation& of);

  // With the shortfalls that are `left`. Never rises if one is cured.
  DeviceTimes Times(const DeviceShortfalls& left, DeviceUntold untold) const;
  double active() const { return active_; }
  double imbalance() const { return imbalance_; }
  double occupancy() const { return occupancy_; }
  double chained() const { return chained_; }
  double gpu_imbalance() const { return gpu_imbalance_; }

 private:
  struct Arithmetic {
    double add = 0, mul = 0, fma = 0;  // FLOPs
    double peak = 0, tensor = 0;       // FLOP/s of FMAs, of tensor cores; 0: not known
  };
  static double Seconds(const Arithmetic& of, double peak, const DeviceShortfalls& left);
  double ComputeSeconds(const DeviceShortfalls& left, DeviceUntold untold) const;
  double Wavefronts(const DeviceShortfalls& left, DeviceUntold untold) const;

  Arithmetic dp_, sp_;
  // With all shortfalls but imbalance.
  double tensor_s_, issue_s_, wavefront_s_, l1_s_, l2_s_, dram_s_, host_link_s_, nvlink_s_;
  double wavefronts_, shared_instructions_, shared_bytes_;
  double active_ = 1, imbalance_ = 1, sector_use_ = 1, occupancy_ = 1;
  double chained_ = 1, gpu_imbalance_ = 1;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DEVICE_TIMES_H_
