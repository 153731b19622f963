// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/core/table.h"
#include "lib/model/derived.h"
#include "lib/model/device_advice.h"
#include "lib/model/repeats.h"
#include "lib/report/csv_field.h"
#include "lib/report/devices.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

// One path's rows.
class PathRows {
 public:
  // `kind` is empty of what is no region, `device` of what the host did.
  PathRows(const JobProfile& job, size_t path, std::string_view kind, std::string_view device = "")
      : job_(job),
        row_(path),
        path_(CsvField(job.paths[path].path)),
        scope_(device.empty() ? "job" : CsvField(fmt::format("device {}", device))),
        kind_(kind) {}

  // A number that is derived from sums: it has no distribution.
  void Derived(std::string_view metric, std::string_view unit, const Value& value) {
    Line(metric, unit, value, value ? fmt::format("{}", *value) : "");
  }

  // The same of a count: no digit is lost.
  void Count(std::string_view metric, std::string_view unit, const Value& value,
             std::optional<uint64_t> count) {
    Line(metric, unit, value, count ? fmt::format("{}", *count) : "");
  }

  // A stored metric.
  void Stored(MetricId metric, std::string_view name, std::string_view unit) {
    const Cell& cell = job_.At(row_, metric);
    const MetricSource& source = job_.sources[metric];
    const Status status = cell.ranks > 0 ? Worst(cell.status_bits) : source.status;
    out_ += fmt::format("{},{},{},{},{},{},", path_, name, CsvField(unit), CsvField(source.origin),
                        StatusName(status), ScopeName(MetricScope(job_, metric)));
    if (cell.ranks == 0 || !HasValue(status)) {
      out_ += fmt::format(",,,,,,,,{}\n", kind_);
      return;
    }
    const std::string sum = cell.sum_high == 0 ? fmt::format("{}", cell.sum_low)
                                               : fmt::format("{}", cell.SumAsDouble());
    out_ += fmt::format("{},{},{},{},{},{},{},{},{}\n", cell.ranks, sum, cell.mean, cell.min,
                        cell.min_rank, cell.max, cell.max_rank, cell.StdDev(), kind_);
  }

  // Percentiles over the ranks, in units of `scale`.
  void Percentiles(Drawn drawn, const Value& like, std::string_view name, std::string_view unit,
                   double scale) {
    const Spread& spread = job_.SpreadAt(row_, drawn);
    if (spread.ranks < 2) return;
    for (const double p : kPercentiles) {
      const auto value = static_cast<double>(Percentile(spread, p)) * scale;
      Derived(fmt::format("{}_p{}", name, p), unit,
              Value::Of(value, Worst(spread.status_bits), like.origin));
    }
  }

  // The interval of what was extrapolated.
  void Within(const DerivedInfo& row, std::string_view unit, const Value& value) {
    if (!value || !value.within) return;
    const auto bound = [&](const char* name, double number) {
      Value one = std::isinf(number) ? Value::None(Reason::kNotCounted, value.status)
                                     : Value::Of(number, value.status, value.origin);
      Derived(fmt::format("{}_interval_{}", row.name, name), unit, one);
    };
    bound("least", value.within->least);
    bound("most", value.within->most);
  }

  // The region's time in the shortest and in the longest of several executions.
  void Repeats(const Value& like) {
    const std::optional<TimeInterval> times = RepeatsOf(job_.paths[row_]);
    if (!times) return;
    Derived("time_s_repeats_least", "s", Value::Of(times->least, like.status, like.origin));
    Derived("time_s_repeats_most", "s", Value::Of(times->most, like.status, like.origin));
  }

  void Stored(MetricId metric) {
    Stored(metric, CsvField(MetricLabel(job_, metric)), MetricUnit(job_, metric));
  }

  const std::string& text() const { return out_; }

 private:
  void Line(std::string_view metric, std::string_view unit, const Value& value,
            const std::string& number) {
    out_ += fmt::format("{},{},{},{},{},{},,{},,,,,,,{}\n", path_, metric, CsvField(unit),
                        CsvField(value.origin), StatusName(value.status), scope_, number, kind_);
  }

  const JobProfile& job_;
  size_t row_;
  std::string path_, scope_, out_;
  std::string_view kind_;
};

// Two rows each; four where the counters leave an interval.
void AddCeilings(PathRows& rows, const RuntimeModel& runtime) {
  for (const Ceiling& ceiling : runtime.ceilings) {
    const std::string id(InfoOf(ceiling.shortfall).name);
    const std::string_view unit = AxisUnit(ceiling.axis, runtime);
    const auto both = [&](const std::string& name, std::string_view in, const Interval& interval) {
      rows.Derived(name, in, interval.least);
      if (!interval.least || interval.most <= *interval.least) return;
      Value most = interval.least;
      most.number = interval.most;
      rows.Derived(name + "_most", in, most);
    };
    both("ceiling_" + id, unit, ceiling.height);
    both("gain_" + id, "1", ceiling.gain);
  }
}

// Most runs cannot have it: no line says so.
bool IsOptional(MetricId m) {
  return IsUser(m) || GetMetric(m).scope == Scope::kPackage || IsOfWrappers(m) || IsOfKernel(m) ||
         m == metric::kLongestVisitNs || m == metric::kApportionedDramBytes ||
         m == metric::kMarkerNs || IsApart(m) || IsMargin(m);
}

// The row that a stored metric has among the derived values, under its name there.
const DerivedInfo* DerivedOf(MetricId m) {
  const auto rows = DerivedValues();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [m](const DerivedInfo& info) { return info.stored == m; });
  return row == rows.end() ? nullptr : &*row;
}

// Where a total has no distribution its derived number stands in: declared work, or a sum alone.
bool StandsIn(const JobProfile& job, size_t index, MetricId m) {
  return IsTotal(m) && job.At(index, m).ranks == 0;
}

void AddMetrics(PathRows& rows, const JobProfile& job, size_t index) {
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (IsFlops(m) && job.At(index, m).max == 0) continue;
    if (StandsIn(job, index, m)) continue;
    if (IsOptional(m) && job.sources[m].status == Status::kUnsupported) continue;
    if (const DerivedInfo* row = DerivedOf(m)) {
      rows.Stored(m, row->name, row->unit);
    } else {
      rows.Stored(m);
    }
  }
}

void AddDerived(PathRows& rows, const Derivation& of) {
  for (const DerivedInfo& row : DerivedValues()) {
    const MetricId stored = row.stored;
    if (row.value == nullptr) continue;
    const Value value = row.value(of);
    rows.Within(row, UnitOf(row, of.analysis), value);
    if (stored != kMetrics && !StandsIn(of.job, of.path, stored)) continue;
    if (value || !row.is_optional) rows.Derived(row.name, UnitOf(row, of.analysis), value);
  }
}

std::string RowsOf(const ReportJob& job, size_t index, std::string_view kind) {
  const PathAnalysis& path = job.analysis.paths[index];
  constexpr auto kDram = static_cast<size_t>(MemoryLevel::kDram);
  PathRows rows(job.profile, index, kind);
  AddMetrics(rows, job.profile, index);
  rows.Percentiles(Drawn::kTime, path.time_s, "time_s", "s", 1e-9);
  rows.Repeats(path.time_s);
  rows.Percentiles(Drawn::kFlops, path.total_flops, "flops", "flops", 1);
  rows.Percentiles(Drawn::kDramBytes, path.traffic_bytes[kDram], "dram_bytes", "bytes", 1);
  AddDerived(rows, {job.profile, index, path});
  AddCeilings(rows, path.runtime);
  return rows.text();
}

// What is stored, then what is derived; of what nobody counted on the device the latter alone.
std::string RowsOf(const DeviceDerivation& of) {
  const std::string_view kind = RowOf(kRegionKindNames, of.job.paths[of.path].kind);
  PathRows rows(of.job, of.path, kind, of.device.uuid);
  for (const DeviceMetricInfo& metric : kDeviceMetricTable) {
    if (of.device.SourceOf(metric.id).counted == 0) continue;
    const Value stored = StoredOf(of, metric.id);
    rows.Count(metric.name, metric.unit, stored,
               stored ? ValueOf(of.device, of.row, metric.id) : std::nullopt);
  }
  for (const DeviceValueInfo& info : DeviceValues()) {
    const auto stored = FindByName(kDeviceMetricTable, info.name);
    if (info.value == nullptr || (stored && of.device.SourceOf(*stored).counted > 0)) continue;
    rows.Derived(info.name, info.unit, info.value(of));
  }
  for (const DeviceGain& gain : GainsOnDevice(of)) {
    const std::string name = fmt::format("saves_{}", InfoOf(gain.shortfall).name);
    rows.Derived(name, "s", ModelledOnDevice(gain.saves.least));
    rows.Derived(name + "_most", "s", ModelledOnDevice(gain.saves.most));
  }
  return rows.text();
}

}  // namespace

std::string RenderCsv(const ReportJob& job) {
  std::string out =
      "path,metric,unit,origin,status,scope,ranks,sum,mean,min,min_rank,max,max_rank,stddev,kind\n";
  for (size_t p = 0; p < job.profile.paths.size(); ++p) {
    out += RowsOf(job, p, RowOf(kRegionKindNames, job.profile.paths[p].kind));
  }
  const ReportJob whole = WholeJob(job);
  for (size_t p = 0; p < whole.profile.paths.size(); ++p) out += RowsOf(whole, p, "");
  for (size_t device = 0; device < job.profile.run.devices.size(); ++device) {
    for (const DeviceDerivation& of : RegionsOf(job, device)) out += RowsOf(of);
  }
  return out;
}

}  // namespace roofmark
