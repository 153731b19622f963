// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_shares.h"

#include <algorithm>
#include <functional>

#include "lib/model/device_peaks.h"

namespace roofmark {
namespace {

using SharesOf = DeviceDerivation;
using Counted = DeviceMetric;

Value AtMost1(const Value& share) {
  return Combine(share, share, [](double number, double) { return std::min(number, 1.0); });
}
Value AtLeast1(const Value& factor) {
  return Combine(factor, factor, [](double number, double) { return std::max(number, 1.0); });
}
Value FromDriver(uint32_t property) {
  return property == 0 ? Value::None(Reason::kNoDeviceProperties)
                       : Value::Of(property, Status::kMeasured, "");
}
Value FlopsOfThreads(const SharesOf& of) { return Plus(DpFlopsOnDevice(of), SpFlopsOnDevice(of)); }

// FLOPs of threads and those of tensor cores, which are all fused and in double precision. As they
// are where nobody counted tensor cores.
Value WithTensorCores(const SharesOf& of, const Value& of_threads) {
  return HasTensorFlops(of) ? Plus(of_threads, TensorFlopsOnDevice(of)) : of_threads;
}

}  // namespace

Value OccupancyOnDevice(const SharesOf& of) {
  const Value room = Combine(StoredOf(of, Counted::kSmCycles),
                             FromDriver(MaxWarpsOf(of.device.properties)), std::multiplies<>());
  return AtMost1(Quotient(StoredOf(of, Counted::kWarpCycles), room, Reason::kNoKernels));
}

Value ActiveLanesOnDevice(const SharesOf& of) {
  const Value lanes = Times(StoredOf(of, Counted::kWarpInstructions), kLanesOfWarp);
  return AtMost1(Quotient(StoredOf(of, Counted::kThreadInstructions), lanes, Reason::kNoKernels));
}

Value SectorUseOnDevice(const SharesOf& of) {
  const Value moved = Times(StoredOf(of, Counted::kGlobalSectors), kSectorBytes);
  return AtMost1(Quotient(StoredOf(of, Counted::kGlobalBytes), moved, Reason::kNoBytesAtLevel));
}

Value BankConflictsOnDevice(const SharesOf& of) {
  const Value wavefronts = StoredOf(of, Counted::kSharedWavefronts);
  const Value needed =
      Combine(StoredOf(of, Counted::kSharedInstructions), StoredOf(of, Counted::kSharedBytes),
              [](double n, double bytes) { return std::max(n, bytes / kWavefrontBytes); });
  const Value more = Combine(wavefronts, needed,
                             [](double all, double least) { return std::max(0., all - least); });
  return Quotient(more, wavefronts, Reason::kNoBytesAtLevel);
}

Value L2MissesOnDevice(const SharesOf& of) {
  return AtMost1(Quotient(StoredOf(of, Counted::kL2Misses), StoredOf(of, Counted::kL2Lookups),
                          Reason::kNoBytesAtLevel));
}

Value SmImbalanceOnDevice(const SharesOf& of) {
  const Value busiest =
      Combine(StoredOf(of, Counted::kSmCyclesMax), FromDriver(of.device.properties.multiprocessors),
              std::multiplies<>());
  return AtLeast1(Quotient(busiest, StoredOf(of, Counted::kSmCycles), Reason::kNoKernels));
}

Value ChainedOnDevice(const SharesOf& of) {
  const Value flops = FlopsOfThreads(of);
  const Value warps = Quotient(StoredOf(of, Counted::kWarpCycles), StoredOf(of, Counted::kSmCycles),
                               Reason::kNoKernels);
  if (!flops || !warps) return Combine(flops, warps, std::plus<>());
  if (*flops <= 0) return Value::None(Reason::kNoFlops);
  const bool on_tensor_cores = *flops < StoredOr0(of, Counted::kTensorDpFlops);
  if (on_tensor_cores) return Value::None(Reason::kNotMeasuredOnDevice);
  const bool in_double = 2 * DpFlopsOnDevice(of).number.value_or(0) >= *flops;
  const FmaCurves& curves = in_double ? of.roofs.dp : of.roofs.sp;
  const double independent = RateAt(curves.independent, *warps);
  const double chained = RateAt(curves.chained, *warps);
  if (independent <= 0 || chained <= 0) return Value::None(Reason::kNotMeasuredOnDevice);
  return ModelledOnDevice(std::min(1.0, chained / independent));
}

Value GpuImbalanceOnDevice(const SharesOf& of) {
  const std::vector<DeviceInfo>& devices = of.job.run.devices;
  if (devices.size() < 2) return Value::None(Reason::kOneDevice);
  const Value own = StoredOf(of, Counted::kKernelBusyNs);
  const DeviceRow nothing;
  Value all = Times(own, 0);
  for (const DeviceInfo& device : devices) {
    const DeviceRow* row = FindRow(device, of.row.path);
    const DeviceDerivation there = {of.job, device, row == nullptr ? nothing : *row, of.path,
                                    of.roofs};
    all = Plus(all, StoredOf(there, Counted::kKernelBusyNs));
  }
  const Value mean = Times(all, 1.0 / static_cast<double>(devices.size()));
  return AtLeast1(Quotient(own, mean, Reason::kNoKernels));
}

Value DpFlopsOnDevice(const SharesOf& of) {
  return Plus(Plus(StoredOf(of, Counted::kDpAdd), StoredOf(of, Counted::kDpMul)),
              StoredOf(of, Counted::kDpFma));
}

Value SpFlopsOnDevice(const SharesOf& of) {
  return Plus(Plus(StoredOf(of, Counted::kSpAdd), StoredOf(of, Counted::kSpMul)),
              StoredOf(of, Counted::kSpFma));
}

Value TensorFlopsOnDevice(const SharesOf& of) { return StoredOf(of, Counted::kTensorDpFlops); }

bool HasTensorFlops(const SharesOf& of) { return StoredOr0(of, Counted::kTensorDpFlops) > 0; }

Value FlopsOnDevice(const SharesOf& of) { return WithTensorCores(of, FlopsOfThreads(of)); }

Value FusedOnDevice(const SharesOf& of) {
  const Value fused = Plus(StoredOf(of, Counted::kDpFma), StoredOf(of, Counted::kSpFma));
  return Quotient(WithTensorCores(of, fused), FlopsOnDevice(of), Reason::kNoFlops);
}

Value DoubleOnDevice(const SharesOf& of) {
  return Quotient(WithTensorCores(of, DpFlopsOnDevice(of)), FlopsOnDevice(of), Reason::kNoFlops);
}

}  // namespace roofmark
