// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/portability.h"

#include <algorithm>
#include <set>

#include "lib/model/derived.h"
#include "lib/model/device_shares.h"
#include "lib/model/device_values.h"
#include "lib/model/work.h"

namespace roofmark {
namespace {

constexpr std::array<bool, kPairings> kFused = {true, true, false};  // of the roofs of devices

// Of a region on all devices of the job: FLOPs, and those that the time of its kernels allows.
struct OnDevices {
  double flops = 0, attainable = 0;
  bool known = true;
};

OnDevices SumOnDevices(const Platform& platform, size_t path, bool fused) {
  OnDevices sum;
  const std::vector<DeviceInfo>& devices = platform.job->run.devices;
  for (size_t d = 0; d < std::min(devices.size(), platform.analysis->devices.size()); ++d) {
    const DeviceRow* row = FindRow(devices[d], platform.job->paths[path].path);
    if (row == nullptr) continue;
    const DeviceDerivation of = {*platform.job, devices[d], *row, path,
                                 platform.analysis->devices[d]};
    const double flops = FlopsOnDevice(of).number.value_or(0);
    if (flops <= 0) continue;
    sum.flops += flops;
    const Value share =
        Quotient(AttainableOnDevice(of, fused), GflopsOnDevice(of), Reason::kNoTime);
    sum.known = sum.known && share;
    if (share) sum.attainable += flops * *share;
  }
  return sum;
}

// A region is on the devices if most of its FLOPs are.
std::optional<double> EfficiencyOf(const Platform& platform, size_t path, size_t pairing) {
  const OnDevices devices = SumOnDevices(platform, path, kFused[pairing]);
  if (devices.flops > TotalFlops(*platform.job, path).number.value_or(0)) {
    return devices.known ? std::optional(devices.flops / devices.attainable) : std::nullopt;
  }
  const DerivedInfo* info = FindDerived(kEfficiencies[pairing]);
  const Value value = info->value({*platform.job, path, platform.analysis->paths[path]});
  // Faster than its roof by more than is uncertain, so that the roof is wrong: it is at its roof.
  if (!value && value.reason.id == Reason::kBoundAboveTime) return 1;
  return value.number;
}

// An outermost region without an efficiency is left to the regions below it.
std::optional<double> WholeRun(const Platform& platform, size_t pairing) {
  double ideal = 0, took = 0;
  std::set<std::string> done;
  for (size_t p = 0; p < platform.job->paths.size(); ++p) {
    const std::string& name = platform.job->paths[p].path;
    const PathAnalysis& path = platform.analysis->paths[p];
    const bool within = done.count(std::string(ParentPath(name))) != 0;
    const std::optional<double> efficiency = EfficiencyOf(platform, p, pairing);
    const bool counts = efficiency && path.time_s;
    if (within || counts) done.insert(name);
    if (within || !counts) continue;
    ideal += *efficiency * *path.time_s;
    took += *path.time_s;
  }
  return took > 0 ? std::optional(ideal / took) : std::nullopt;
}

std::optional<double> OfRegion(const Platform& platform, const std::string& path, size_t pairing) {
  const int index = platform.job->FindPath(path);
  if (index < 0) return std::nullopt;
  return EfficiencyOf(platform, static_cast<size_t>(index), pairing);
}

}  // namespace

double Portability(const std::vector<std::optional<double>>& efficiencies) {
  double sum = 0;
  for (const std::optional<double>& efficiency : efficiencies) {
    if (!efficiency || !(*efficiency > 0)) return 0;
    sum += 1 / *efficiency;
  }
  return sum > 0 ? static_cast<double>(efficiencies.size()) / sum : 0;
}

std::vector<RegionPortability> PortabilityOf(const std::vector<Platform>& platforms) {
  std::set<std::string> paths;
  for (const Platform& platform : platforms) {
    for (const PathInfo& info : platform.job->paths) paths.insert(info.path);
  }
  std::vector<RegionPortability> regions;
  for (const std::string& path : paths) regions.push_back({path, {}, {}});
  regions.push_back({"", {}, {}});
  for (RegionPortability& region : regions) {
    for (size_t k = 0; k < kPairings; ++k) {
      for (const Platform& platform : platforms) {
        region.efficiency[k].push_back(region.path.empty() ? WholeRun(platform, k)
                                                           : OfRegion(platform, region.path, k));
      }
      region.portability[k] = Portability(region.efficiency[k]);
    }
  }
  return regions;
}

}  // namespace roofmark
