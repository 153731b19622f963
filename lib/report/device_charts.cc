// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/device_charts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "lib/model/device_shares.h"
#include "lib/model/device_values.h"
#include "lib/report/devices.h"
#include "lib/report/format.h"
#include "lib/report/found_words.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

constexpr std::pair<DeviceRoof, MemoryLevel> kDeviceLevels[] = {
    {DeviceRoof::kL1, MemoryLevel::kL1},
    {DeviceRoof::kL2, MemoryLevel::kL2},
    {DeviceRoof::kDram, MemoryLevel::kDram}};
constexpr std::pair<DeviceMetric, Precision> kFlopsOfPrecisions[] = {
    {DeviceMetric::kDpAdd, Precision::kDouble}, {DeviceMetric::kDpMul, Precision::kDouble},
    {DeviceMetric::kDpFma, Precision::kDouble}, {DeviceMetric::kTensorDpFlops, Precision::kDouble},
    {DeviceMetric::kSpAdd, Precision::kSingle}, {DeviceMetric::kSpMul, Precision::kSingle},
    {DeviceMetric::kSpFma, Precision::kSingle}};

using Indices = std::vector<size_t>;

bool AreOfOneKind(const DeviceInfo& a, const DeviceInfo& b) {
  return a.name == b.name && a.chip == b.chip && a.properties == b.properties;
}

// Indices of devices, kind by kind.
std::vector<Indices> KindsOfDevices(const std::vector<DeviceInfo>& devices) {
  std::vector<Indices> kinds;
  for (size_t d = 0; d < devices.size(); ++d) {
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const Indices& kind) {
      return AreOfOneKind(devices[kind[0]], devices[d]);
    });
    if (known == kinds.end()) {
      kinds.push_back({d});
    } else {
      known->push_back(d);
    }
  }
  return kinds;
}

std::optional<Roof> RoofBy(const DeviceRoofs& roofs, DeviceRoof id) {
  const Value& value = roofs.Of(id);
  const DeviceRoofInfo& info = RowOf(kDeviceRoofTable, id);
  if (!value) return std::nullopt;
  return Roof{std::string(info.ceiling), std::string(info.name), *value, 0};
}

JobRoofs RoofsForChart(const DeviceRoofs& roofs, bool with_tensor_cores) {
  JobRoofs chart;
  ComputeRoofs& in_double = chart.compute[static_cast<size_t>(Precision::kDouble)];
  in_double.peak = RoofBy(roofs, DeviceRoof::kDp);
  if (with_tensor_cores) in_double.tensor = RoofBy(roofs, DeviceRoof::kTensorDp);
  chart.compute[static_cast<size_t>(Precision::kSingle)].peak = RoofBy(roofs, DeviceRoof::kSp);
  for (const auto& [roof, level] : kDeviceLevels) {
    chart.bandwidth[static_cast<size_t>(level)] = RoofBy(roofs, roof);
  }
  return chart;
}

LimitColor ColorOf(std::string_view bound) {
  if (bound.empty()) return LimitColor::kOther;
  return bound == "compute" ? LimitColor::kCompute : LimitColor::kMemory;
}

// Of the run's time, in which the region's kernels ran.
double ShareOfRun(const ReportJob& job, const DeviceDerivation& of) {
  const PathAnalysis& path = job.analysis.paths[of.path];
  const Value ns = StoredOf(of, DeviceMetric::kKernelNs);
  if (!ns || !path.time_s || !path.time_share || *path.time_s <= 0) return 0;
  return std::clamp(*ns * 1e-9 / *path.time_s * *path.time_share, 0.0, 1.0);
}

bool IsOfChart(ChartKind kind, MemoryLevel level) {
  if (kind == ChartKind::kHierarchical) return true;
  return level == (kind == ChartKind::kRoofline ? MemoryLevel::kDram : MemoryLevel::kL1);
}

struct DotsOfKind {
  std::vector<ChartDot> dots;
  std::vector<Precision> used;
  bool on_tensor_cores = false;  // one of them
};

void AddDots(const ReportJob& job, const DeviceDerivation& of, const Row& row, ChartKind kind,
             DotsOfKind& into) {
  if (row.key.empty() || !job.Draws(of.path)) return;
  for (const auto& [metric, precision] : kFlopsOfPrecisions) {
    const Value flops = StoredOf(of, metric);
    const bool known = std::find(into.used.begin(), into.used.end(), precision) != into.used.end();
    if (flops && *flops > 0 && !known) into.used.push_back(precision);
  }
  if (HasTensorFlops(of)) into.on_tensor_cores = true;
  for (const auto& [roof, level] : kDeviceLevels) {
    const Value intensity = IntensityOnDevice(of, roof);
    if (!IsOfChart(kind, level) || !intensity || !IsDrawable(*intensity)) continue;
    ChartDot dot = {};
    const bool levels = kind == ChartKind::kHierarchical;
    dot.key = levels ? fmt::format("{}.{}", row.key, LevelName(level)) : row.key;
    dot.name = row.name;
    dot.listed = fmt::format("{} {}", row.key, ShortName(row, 24, "…"));
    dot.label = levels ? dot.key : dot.listed;
    dot.x = *intensity;
    dot.y = *GflopsOnDevice(of);
    dot.share = ShareOfRun(job, of);
    dot.region = of.path;
    dot.limit = ColorOf(BoundOnDevice(of));
    into.dots.push_back(dot);
  }
}

std::string TitleOfKind(const ReportJob& job, const Indices& kind) {
  const std::vector<DeviceInfo>& devices = job.profile.run.devices;
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(kFewDevices, kind.size()); ++i) {
    names.push_back(Printable(devices[kind[i]].uuid));
  }
  const size_t more = kind.size() - names.size();
  const std::string& measured = job.analysis.devices.at(kind[0]).measured_on;
  return fmt::format("{}: {}{}; {}", KindTitle(devices[kind[0]]), fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "",
                     measured.empty() ? "its ceilings were not measured"
                                      : "ceilings measured on " + Printable(measured));
}

}  // namespace

std::vector<DeviceChart> DeviceCharts(const ReportJob& job, ChartKind kind) {
  std::vector<DeviceChart> charts;
  const std::vector<DeviceInfo>& devices = job.profile.run.devices;
  if (devices.empty()) return charts;
  const std::vector<std::vector<Row>> rows = DeviceRows(job);
  for (const Indices& indices : KindsOfDevices(devices)) {
    DotsOfKind of_kind;
    for (const size_t d : indices) {
      const std::vector<DeviceDerivation> regions = RegionsOf(job, d);
      for (size_t i = 0; i < regions.size(); ++i) {
        AddDots(job, regions[i], rows[d][i], kind, of_kind);
      }
    }
    if (of_kind.dots.empty()) continue;
    std::sort(of_kind.used.begin(), of_kind.used.end());
    charts.push_back(
        {TitleOfKind(job, indices),
         MakeChart(RoofsForChart(job.analysis.devices.at(indices[0]), of_kind.on_tensor_cores),
                   std::move(of_kind.dots), of_kind.used, kind)});
  }
  return charts;
}

}  // namespace roofmark
