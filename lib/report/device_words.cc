// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/device_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lib/model/device_links.h"
#include "lib/report/advice_words.h"
#include "lib/report/devices.h"
#include "lib/report/format.h"

namespace roofmark {
namespace {

std::string ExtentText(const DeviceShortfallInfo& info, const Value& extent) {
  const auto render = info.extent_kind == DeviceExtent::kShare    ? Percent
                      : info.extent_kind == DeviceExtent::kFactor ? Plain
                                                                  : Seconds;
  return fmt::format(fmt::runtime(info.extent), render(*extent));
}

bool IsAroundKernels(DeviceLimit limit) {
  return limit == DeviceLimit::kLaunches || limit == DeviceLimit::kCopies ||
         limit == DeviceLimit::kIdle;
}

std::string LimitText(DeviceLimit limit, const DeviceSplit& split, const Value& copy_efficiency) {
  const char* verdict = limit == DeviceLimit::kLaunches ? "launches limit it"
                        : limit == DeviceLimit::kCopies ? "copies limit it"
                                                        : "an idle device limits it";
  const auto part = [&](double seconds) { return Percent(seconds / split.time_s); };
  std::string text =
      fmt::format("{}: of {} kernels take {}, copies beside them {}", verdict,
                  Seconds(split.time_s), part(split.kernels_s), part(split.copies_s));
  if (split.launches_s > 0) text += fmt::format(", launches {}", part(split.launches_s));
  text += fmt::format("; nothing runs in {}", part(split.idle_s));
  if (limit == DeviceLimit::kCopies && copy_efficiency) {
    text += fmt::format("; its copies run at {} of what pinned memory was measured to reach",
                        Percent(*copy_efficiency));
  }
  return text;
}

// Of one device: its regions, and their rows in its table.
struct RegionsOfDevice {
  std::vector<DeviceDerivation> regions;
  std::vector<Row> rows;

  size_t IndexOf(size_t path) const {  // O(log regions)
    const auto at = std::lower_bound(
        regions.begin(), regions.end(), path,
        [](const DeviceDerivation& of, size_t wanted) { return of.path < wanted; });
    return static_cast<size_t>(at - regions.begin());
  }
};

std::vector<RegionsOfDevice> AllRegions(const ReportJob& job) {
  std::vector<std::vector<Row>> rows = DeviceRows(job);
  std::vector<RegionsOfDevice> all;
  for (size_t device = 0; device < rows.size(); ++device) {
    all.push_back({RegionsOf(job, device), std::move(rows[device])});
  }
  return all;
}

std::string RegionName(const ReportJob& job, const DeviceAdvice& advice, const Row& row) {
  std::string name = NameOf(row);
  const auto& devices = job.profile.run.devices;
  if (devices.size() > 1) name += " on " + Printable(devices[advice.device].uuid);
  const Value& share = job.analysis.paths[advice.path].time_share;
  return share ? fmt::format("{} ({} of the run)", name, Percent(*share)) : name;
}

}  // namespace

std::string DeviceGainSentence(const DeviceDerivation& of, const DeviceGain& gain) {
  const DeviceShortfallInfo& info = InfoOf(gain.shortfall);
  return fmt::format("{}: {}; saves {}", info.cure, ExtentText(info, info.value(of)),
                     IntervalText(gain.saves));
}

std::vector<std::string> DeviceLimitSentences(const std::vector<DeviceDerivation>& regions,
                                              const std::vector<Row>& rows) {
  constexpr size_t kMostRegions = 3;
  std::vector<std::pair<double, std::string>> found;
  const std::vector<bool> frames = FramesOnDevice(regions);
  for (size_t i = 0; i < regions.size(); ++i) {
    const DeviceSplit split = SplitOnDevice(regions[i]);
    const DeviceLimit limit = LimitOnDevice(split, DeviceWork(regions[i]));
    if (frames[i] || !IsAroundKernels(limit)) continue;
    found.emplace_back(split.time_s,
                       fmt::format("{}: {}", NameOf(rows[i]),
                                   LimitText(limit, split, CopyEfficiencyOnDevice(regions[i]))));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> lines;
  for (size_t i = 0; i < std::min(kMostRegions, found.size()); ++i) {
    lines.push_back(found[i].second);
  }
  return lines;
}

std::vector<DeviceAdviceLine> DeviceAdviceLines(const ReportJob& job) {
  std::vector<DeviceAdviceLine> lines;
  if (job.profile.run.devices.empty()) return lines;
  const std::vector<RegionsOfDevice> all = AllRegions(job);
  for (const DeviceAdvice& advice : DeviceAdviceFor(job.profile, job.analysis)) {
    const RegionsOfDevice& device = all[advice.device];
    const size_t region = device.IndexOf(advice.path);
    lines.push_back({advice, fmt::format("{}: {}", RegionName(job, advice, device.rows[region]),
                                         DeviceGainSentence(device.regions[region], advice.gain))});
  }
  return lines;
}

std::vector<std::string> FirstOnDevices(const ReportJob& job, size_t most) {
  std::vector<std::string> lines;
  for (const DeviceAdviceLine& line : DeviceAdviceLines(job)) {
    if (lines.size() < most) lines.push_back(line.sentence);
  }
  return lines;
}

}  // namespace roofmark
