// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/device_advice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "lib/model/advice.h"
#include "lib/profile/region_name.h"

namespace roofmark {
namespace {

DeviceShortfalls Without(DeviceShortfall cured) {
  DeviceShortfalls left = kAllLeft;
  return left.reset(Index(cured));
}

// What is left of the time that no resource explains, if it scales with the shortfall; 1: it stays.
double RestWithout(DeviceShortfall cured, const DeviceWork& work) {
  switch (cured) {
    case DeviceShortfall::kDivergence:
      return work.active();
    case DeviceShortfall::kOccupancy:
      return work.occupancy();
    case DeviceShortfall::kIlp:
      return work.chained();
    case DeviceShortfall::kSmImbalance:
      return 1 / work.imbalance();
    case DeviceShortfall::kGpuImbalance:
      return 1 / work.gpu_imbalance();
    default:
      return 1;
  }
}

// Whether other numbers are accurate enough, whether these are products of matrices, and whether L2
// could keep a line, is not counted, nor whether the link was busy while kernels ran.
bool MayNotBeDone(DeviceShortfall cured) {
  return cured == DeviceShortfall::kPrecision || cured == DeviceShortfall::kTensor ||
         cured == DeviceShortfall::kL2Misses || cured == DeviceShortfall::kLinks;
}

// Seconds of `kernels` that are left at least.
double LeftOfKernels(DeviceShortfall cured, double kernels, const DeviceWork& work) {
  const double needed = work.Times(kAllLeft, DeviceUntold::kMuch).Needed();
  const double without = work.Times(Without(cured), DeviceUntold::kMuch).Needed();
  const double scaled = without < needed ? kernels * without / needed : kernels;
  if (InfoOf(cured).part != DevicePart::kRest) return scaled;
  return std::min(scaled, std::max(std::min(kernels, without), kernels * RestWithout(cured, work)));
}

TimeInterval SavedInKernels(DeviceShortfall cured, double kernels, const DeviceWork& work) {
  const double needed = work.Times(kAllLeft, DeviceUntold::kLittle).Needed();
  const double without = work.Times(Without(cured), DeviceUntold::kLittle).Needed();
  const double most = std::clamp(kernels - LeftOfKernels(cured, kernels, work), 0.0, kernels);
  const double least = without < needed ? std::min(kernels, needed) * (1 - without / needed) : 0;
  return {MayNotBeDone(cured) ? 0 : std::clamp(least, 0.0, most), most};
}

double BusyOf(const DeviceSplit& split) { return split.kernels_s + split.copies_s; }

double ExpectedSeconds(DeviceShortfall shortfall, const TimeInterval& saves,
                       const DeviceSplit& split, const DeviceWork& work) {
  const bool of_resource = InfoOf(shortfall).part == DevicePart::kResource;
  if (!of_resource || MayNotBeDone(shortfall) || split.kernels_s <= 0) {
    return (saves.least + saves.most) / 2;
  }
  const double needed = work.Times(kAllLeft, DeviceUntold::kLittle).Needed();
  const double explained = std::min(1.0, needed / split.kernels_s);
  return explained * saves.most + (1 - explained) * saves.least;
}

bool DoesNotApply(DeviceShortfall shortfall, const DeviceDerivation& of) {
  const Value extent = InfoOf(shortfall).value(of);
  if (!extent) return true;
  return shortfall == DeviceShortfall::kTensor && *extent > 0;  // it uses them
}

// Of those for the same shortfall of the same region the first.
void KeepTheWorstDevice(std::vector<DeviceAdvice>& sorted) {
  std::set<std::pair<size_t, DeviceShortfall>> known;
  std::erase_if(sorted, [&](const DeviceAdvice& each) {
    return !known.emplace(each.path, each.gain.shortfall).second;
  });
}

}  // namespace

std::vector<bool> FramesOnDevice(const std::vector<DeviceDerivation>& regions) {
  constexpr double kMostly = 0.5;
  std::map<std::string_view, double> below;
  std::vector<double> own;
  for (const DeviceDerivation& of : regions) {
    own.push_back(BusyOf(SplitOnDevice(of)));
    below[ParentPath(of.job.paths[of.path].path)] += own.back();
  }
  std::vector<bool> frames;
  for (size_t i = 0; i < regions.size(); ++i) {
    const auto at = below.find(regions[i].job.paths[regions[i].path].path);
    frames.push_back(at != below.end() && at->second > kMostly * own[i]);
  }
  return frames;
}

TimeInterval SavedOnDevice(DeviceShortfall shortfall, const DeviceSplit& split,
                           const DeviceWork& work) {
  switch (shortfall) {
    case DeviceShortfall::kLaunches:
      return {0, split.launches_s};
    case DeviceShortfall::kCopies:
      return {0, split.copies_s};
    case DeviceShortfall::kIdle:
      return {0, split.idle_s};
    default:
      return SavedInKernels(shortfall, split.kernels_s, work);
  }
}

std::vector<DeviceGain> GainsOnDevice(const DeviceDerivation& of) {
  std::vector<DeviceGain> gains;
  const DeviceSplit split = SplitOnDevice(of);
  if (split.time_s <= 0) return gains;
  const DeviceWork work(of);
  for (const DeviceShortfallInfo& info : DeviceShortfallTable()) {
    if (DoesNotApply(info.id, of)) continue;
    const TimeInterval saves = SavedOnDevice(info.id, split, work);
    if (saves.most <= 0) continue;
    // What lies around kernels is at least 0 as it is.
    const double all = info.part == DevicePart::kAround ? saves.most : split.kernels_s;
    gains.push_back(
        {info.id, Widened(saves, 0, all), ExpectedSeconds(info.id, saves, split, work)});
  }
  return gains;
}

std::vector<DeviceAdvice> DeviceAdviceFor(const JobProfile& job, const JobAnalysis& analysis) {
  constexpr double kLeastOfRun = 0.01;
  const Value wall = WallTime(job);
  const double least = wall ? kLeastOfRun * *wall : 0;
  std::vector<DeviceAdvice> all;
  for (size_t d = 0; d < job.run.devices.size(); ++d) {
    const auto regions = RegionsOnDevice(job, job.run.devices[d], analysis.devices.at(d));
    const std::vector<bool> frames = FramesOnDevice(regions);
    for (size_t i = 0; i < regions.size(); ++i) {
      const size_t path = regions[i].path;
      if (frames[i] || IsFrame(job, analysis, path)) continue;
      for (const DeviceGain& gain : GainsOnDevice(regions[i])) all.push_back({d, path, gain});
    }
  }
  std::erase_if(all, [&](const DeviceAdvice& each) { return each.gain.expected_s < least; });
  // In nanoseconds, so that equals are equal on every machine.
  const auto score = [](const DeviceAdvice& each) {
    return std::llround(each.gain.expected_s * 1e9 /
                        static_cast<double>(InfoOf(each.gain.shortfall).ease));
  };
  std::stable_sort(all.begin(), all.end(), [&](const DeviceAdvice& a, const DeviceAdvice& b) {
    return score(a) > score(b);
  });
  KeepTheWorstDevice(all);
  return all;
}

}  // namespace roofmark
