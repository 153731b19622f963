// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_split.h"

#include <algorithm>

#include "lib/core/table.h"
#include "lib/model/work.h"

namespace roofmark {
namespace {

constexpr Named<DeviceLimit> kLimitNames[] = {
    {DeviceLimit::kUnknown, ""},        {DeviceLimit::kLaunches, "launches"},
    {DeviceLimit::kCopies, "copies"},   {DeviceLimit::kIdle, "idle"},
    {DeviceLimit::kCompute, "compute"}, {DeviceLimit::kIssue, "issue"},
    {DeviceLimit::kShared, "shared"},   {DeviceLimit::kL1, "L1"},
    {DeviceLimit::kL2, "L2"},           {DeviceLimit::kDram, "DRAM"},
    {DeviceLimit::kHostLink, "link"},   {DeviceLimit::kNvlink, "NVLink"},
    {DeviceLimit::kLatency, "latency"}};
static_assert(InOrder(kLimitNames, DeviceLimit::kLatency));

constexpr DeviceLimit kLimitOfResource[] = {
    DeviceLimit::kCompute, DeviceLimit::kIssue, DeviceLimit::kShared,   DeviceLimit::kL1,
    DeviceLimit::kL2,      DeviceLimit::kDram,  DeviceLimit::kHostLink, DeviceLimit::kNvlink};
static_assert(std::size(kLimitOfResource) == kDeviceResources);

// Of files that do not have the time in which the device was busy, the sum over kernels and copies.
double BusySeconds(const DeviceDerivation& of, DeviceMetric busy, double sum_ns) {
  const Value stored = StoredOf(of, busy);
  return (stored ? *stored : sum_ns) * 1e-9;
}

}  // namespace

std::string_view NameOf(DeviceLimit limit) { return RowOf(kLimitNames, limit).name; }

DeviceSplit SplitOnDevice(const DeviceDerivation& of) {
  using Metric = DeviceMetric;
  DeviceSplit split;
  if (!StoredOf(of, Metric::kKernelNs)) return split;
  const double kernels_ns = StoredOr0(of, Metric::kKernelNs);
  const double copies_ns = StoredOr0(of, Metric::kToDeviceNs) + StoredOr0(of, Metric::kToHostNs);
  double kernels = BusySeconds(of, Metric::kKernelBusyNs, kernels_ns);
  double busy = std::max(kernels, BusySeconds(of, Metric::kBusyNs, kernels_ns + copies_ns));
  if (busy <= 0) return split;
  const Value time = SlowestTime(of.job, of.path);
  split.time_s = time ? *time : busy;
  if (busy > split.time_s) {
    kernels = std::min(split.time_s, kernels * (split.time_s / busy));
    busy = split.time_s;
  }
  split.kernels_s = kernels;
  split.copies_s = busy - kernels;
  const double nothing_ran = split.time_s - busy;
  const double launch_s = of.roofs.Of(DeviceRoof::kLaunch).number.value_or(0) * 1e-9;
  split.launches_s = std::min(nothing_ran, launch_s * StoredOr0(of, Metric::kKernels));
  split.idle_s = nothing_ran - split.launches_s;
  return split;
}

DeviceLimit LimitOnDevice(const DeviceSplit& split, const DeviceWork& work) {
  // Of the peak of any unit: below it Nsight Compute speaks of latency, too.
  constexpr double kExplains = 0.6;
  if (split.time_s <= 0) return DeviceLimit::kUnknown;
  const double most = std::max({split.kernels_s, split.copies_s, split.launches_s, split.idle_s});
  if (split.kernels_s < most) {
    if (split.launches_s == most) return DeviceLimit::kLaunches;
    return split.copies_s == most ? DeviceLimit::kCopies : DeviceLimit::kIdle;
  }
  const DeviceTimes times = work.Times(kAllLeft, DeviceUntold::kLittle);
  if (times.Needed() < kExplains * split.kernels_s) return DeviceLimit::kLatency;
  return kLimitOfResource[static_cast<size_t>(times.Longest())];
}

DeviceLimit LimitOnDevice(const DeviceDerivation& of) {
  return LimitOnDevice(SplitOnDevice(of), DeviceWork(of));
}

}  // namespace roofmark
