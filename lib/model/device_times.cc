// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_times.h"

#include <algorithm>

#include "lib/model/device_links.h"
#include "lib/model/device_peaks.h"
#include "lib/model/device_shares.h"

namespace roofmark {
namespace {

constexpr double kGiga = 1e9;

double RoofOr0(const DeviceDerivation& of, DeviceRoof roof) {
  return of.roofs.Of(roof).number.value_or(0) * kGiga;
}

// 0 where the rate is not known.
double SecondsAt(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

bool IsLeft(const DeviceShortfalls& left, DeviceShortfall shortfall) {
  return left.test(Index(shortfall));
}

}  // namespace

DeviceResource DeviceTimes::Longest() const {
  const auto at = std::max_element(seconds.rbegin(), seconds.rend());
  return static_cast<DeviceResource>(seconds.rend() - at - 1);
}

DeviceWork::DeviceWork(const DeviceDerivation& of) {
  using Metric = DeviceMetric;
  dp_ = {StoredOr0(of, Metric::kDpAdd), StoredOr0(of, Metric::kDpMul),
         StoredOr0(of, Metric::kDpFma), RoofOr0(of, DeviceRoof::kDp),
         RoofOr0(of, DeviceRoof::kTensorDp)};
  sp_ = {StoredOr0(of, Metric::kSpAdd), StoredOr0(of, Metric::kSpMul),
         StoredOr0(of, Metric::kSpFma), RoofOr0(of, DeviceRoof::kSp),
         RoofOr0(of, DeviceRoof::kTensorTf32)};
  tensor_s_ = SecondsAt(StoredOr0(of, Metric::kTensorDpFlops), RoofOr0(of, DeviceRoof::kTensorDp));
  const double cycles = CyclesASecond(of.device.properties);
  issue_s_ = SecondsAt(StoredOr0(of, Metric::kWarpInstructions), kSchedulers * cycles);
  wavefronts_ = StoredOr0(of, Metric::kSharedWavefronts);
  shared_instructions_ = StoredOr0(of, Metric::kSharedInstructions);
  shared_bytes_ = StoredOr0(of, Metric::kSharedBytes);
  const double shared = RoofOr0(of, DeviceRoof::kShared);
  wavefront_s_ = shared > 0 ? kWavefrontBytes / shared : SecondsAt(1, cycles);
  l1_s_ = SecondsAt(StoredOr0(of, Metric::kL1Bytes), RoofOr0(of, DeviceRoof::kL1));
  l2_s_ = SecondsAt(StoredOr0(of, Metric::kL2Bytes), RoofOr0(of, DeviceRoof::kL2));
  dram_s_ =
      SecondsAt(StoredOr0(of, Metric::kDramReadBytes) + StoredOr0(of, Metric::kDramWriteBytes),
                RoofOr0(of, DeviceRoof::kDram));
  host_link_s_ = HostLinkSecondsOfKernels(of);
  nvlink_s_ = NvlinkSecondsOfKernels(of);
  active_ = ActiveLanesOnDevice(of).number.value_or(1);
  imbalance_ = SmImbalanceOnDevice(of).number.value_or(1);
  sector_use_ = SectorUseOnDevice(of).number.value_or(1);
  occupancy_ = OccupancyOnDevice(of).number.value_or(1);
  chained_ = ChainedOnDevice(of).number.value_or(1);
  gpu_imbalance_ = GpuImbalanceOnDevice(of).number.value_or(1);
}

// An addition or a multiplication takes as long as an FMA. At best each addition is fused with a
// multiplication.
double DeviceWork::Seconds(const Arithmetic& of, double peak, const DeviceShortfalls& left) {
  const bool fma_left = IsLeft(left, DeviceShortfall::kFma);
  const double single = fma_left ? of.add + of.mul : std::max(of.add, of.mul);
  const double seconds = SecondsAt(of.fma + 2 * single, peak);
  if (IsLeft(left, DeviceShortfall::kTensor) || of.tensor <= 0) return seconds;
  return std::min(seconds, (of.fma + of.add + of.mul) / of.tensor);
}

double DeviceWork::ComputeSeconds(const DeviceShortfalls& left, DeviceUntold untold) const {
  const bool in_single = !IsLeft(left, DeviceShortfall::kPrecision) && dp_.peak > 0;
  const double dp_peak = in_single ? std::max(dp_.peak, sp_.peak) : dp_.peak;
  const double seconds = Seconds(dp_, dp_peak, left) + Seconds(sp_, sp_.peak, left);
  const bool diverges =
      IsLeft(left, DeviceShortfall::kDivergence) && untold == DeviceUntold::kMuch && active_ > 0;
  return (diverges ? seconds / active_ : seconds) + tensor_s_;
}

// Its instructions need one each, and one for each 128 bytes: the larger of the sums at least, both
// together at most.
double DeviceWork::Wavefronts(const DeviceShortfalls& left, DeviceUntold untold) const {
  if (IsLeft(left, DeviceShortfall::kBankConflicts)) return wavefronts_;
  const double by_bytes = shared_bytes_ / kWavefrontBytes;
  const double needed = untold == DeviceUntold::kMuch ? std::max(shared_instructions_, by_bytes)
                                                      : shared_instructions_ + by_bytes;
  return std::min(wavefronts_, needed);
}

DeviceTimes DeviceWork::Times(const DeviceShortfalls& left, DeviceUntold untold) const {
  const bool much = untold == DeviceUntold::kMuch;
  // Of what each multiprocessor does by itself, the busiest one decides.
  const double busiest = IsLeft(left, DeviceShortfall::kSmImbalance) ? imbalance_ : 1;
  const double issued = IsLeft(left, DeviceShortfall::kDivergence) ? 1 : active_;
  const double used = IsLeft(left, DeviceShortfall::kSectors) ? 1 : sector_use_;
  const double from_dram = IsLeft(left, DeviceShortfall::kL2Misses) ? 1 : 0;
  const double over_links = IsLeft(left, DeviceShortfall::kLinks) ? 1 : 0;
  DeviceTimes times;
  times.seconds = {busiest * ComputeSeconds(left, untold),
                   busiest * issued * issue_s_,
                   busiest * Wavefronts(left, untold) * wavefront_s_,
                   busiest * used * l1_s_,
                   used * l2_s_,
                   from_dram * (much ? used : 1) * dram_s_,
                   over_links * host_link_s_,
                   over_links * nvlink_s_};
  if (!IsLeft(left, DeviceShortfall::kGpuImbalance)) {
    for (double& seconds : times.seconds) seconds /= gpu_imbalance_;
  }
  return times;
}

}  // namespace roofmark
