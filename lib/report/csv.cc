// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "lib/report/over_ranks.h"
#include "lib/report/report.h"

namespace roofmark {
namespace {

std::string Quoted(const std::string& field) {
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string quoted = "\"";
  for (char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

// One path's rows.
class PathRows {
 public:
  PathRows(const ReportJob& job, size_t path)
      : job_(job.profile), row_(path), path_(Quoted(job.profile.paths[path].path)) {}

  // A number that is derived from sums: it has no distribution.
  void Derived(std::string_view metric, std::string_view unit, const Value& value) {
    out_ += fmt::format("{},{},{},{},{},job,,{},,,,,,\n", path_, metric, unit, Quoted(value.origin),
                        StatusName(value.status), value ? fmt::format("{}", *value) : "");
  }

  // A stored metric in units of `scale`.
  void Stored(MetricId metric, std::string_view name, std::string_view unit, double scale) {
    const Cell& cell = job_.At(row_, metric);
    const MetricSource& source = job_.sources[metric];
    const Status status = cell.ranks > 0 ? Worst(cell.status_bits) : source.status;
    out_ += fmt::format("{},{},{},{},{},{},", path_, name, unit, Quoted(source.origin),
                        StatusName(status), ScopeName(MetricScope(job_, metric)));
    if (cell.ranks == 0 || !HasValue(status)) {
      out_ += ",,,,,,,\n";
      return;
    }
    const auto number = [scale](double value) { return fmt::format("{}", value * scale); };
    const auto exact = [&](uint64_t value) {
      return scale == 1 ? fmt::format("{}", value) : number(static_cast<double>(value));
    };
    const std::string sum = cell.sum_high == 0 ? exact(cell.sum_low) : number(cell.SumAsDouble());
    out_ += fmt::format("{},{},{},{},{},{},{},{}\n", cell.ranks, sum, number(cell.mean),
                        exact(cell.min), cell.min_rank, exact(cell.max), cell.max_rank,
                        number(cell.StdDev()));
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

  void Stored(MetricId metric) {
    Stored(metric, Quoted(MetricLabel(job_, metric)), MetricUnit(job_, metric), 1);
  }

  const std::string& text() const { return out_; }

 private:
  const JobProfile& job_;
  size_t row_;
  std::string path_, out_;
};

void AddVerdict(PathRows& rows, const PathAnalysis& path) {
  const Verdict& verdict = path.verdict;
  rows.Derived("dram_gbs", "GB/s", verdict.dram_gbs);
  rows.Derived("ridge_point", "flops/byte", verdict.ridge_point);
  rows.Derived("efficiency_top_roof", "1", verdict.top_efficiency);
  rows.Derived("efficiency_no_fma_roof", "1", verdict.no_fma_efficiency);
  rows.Derived("measured_over_declared_flops", "1", verdict.measured_over_canonical);
  rows.Derived("flops_divides_at_cost", "flops", verdict.flops_at_cost);
  rows.Derived("operation_rate", "1e9/s", path.operation_rate);
  const bool flops = path.runtime.unit == "FLOP";
  rows.Derived("attainable_by_mix", flops ? "GFLOP/s" : "1e9/s", path.runtime.attainable);
  rows.Derived("gain_up", "1", path.runtime.gain_up);
  rows.Derived("gain_right", "1", path.runtime.gain_right);
}

// Two rows each; four where the counters leave an interval.
void AddCeilings(PathRows& rows, const RuntimeModel& runtime) {
  for (const RuntimeCeiling& ceiling : runtime.ceilings) {
    const std::string id(InfoOf(ceiling.shortfall).id);
    const char* units[] = {runtime.unit == "FLOP" ? "GFLOP/s" : "1e9/s", "GB/s",
                           runtime.unit == "FLOP" ? "flops/byte" : "operations/byte"};
    const char* unit = units[static_cast<size_t>(AxisOf(ceiling.shortfall))];
    const auto both = [&](const std::string& name, const char* in, const Interval& interval) {
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

void AddRates(PathRows& rows, const PathAnalysis& path) {
  rows.Derived("gflops", "GFLOP/s", path.gflops);
  rows.Derived("attainable_gflops", "GFLOP/s", path.bound.attainable_gflops);
  rows.Derived("ceiling_gflops", "GFLOP/s", path.ceiling.gflops);
  rows.Derived("efficiency", "1", path.efficiency);
  rows.Derived("time_share", "1", path.time_share);
  if (path.mpi_share) rows.Derived("mpi_share", "1", path.mpi_share);
  rows.Derived("imbalance_time_ranks", "1", path.time_imbalance);
  rows.Derived("imbalance_flops_ranks", "1", path.flop_imbalance);
  rows.Derived("imbalance_flops_workers", "1", path.worker_imbalance);
  AddVerdict(rows, path);
  AddCeilings(rows, path.runtime);
}

// Most runs cannot have it: no line says so.
bool IsOptional(MetricId m) {
  return IsUser(m) || GetMetric(m).scope == Scope::kPackage || m == metric::kMpiNs ||
         m == metric::kOutsideMpiNs || m == metric::kApportionedDramBytes || m == metric::kMarkerNs;
}

std::string RowsOf(const ReportJob& job, size_t index) {
  const PathAnalysis& path = job.analysis.paths[index];
  constexpr auto kDram = static_cast<size_t>(MemoryLevel::kDram);
  PathRows rows(job, index);
  rows.Stored(metric::kVisits);
  rows.Stored(metric::kTimeNs, "time_s", "s", 1e-9);
  for (size_t p = 0; p < kPrecisions; ++p) {
    rows.Derived(fmt::format("flops_{}", PrecisionName(static_cast<Precision>(p))), "flops",
                 path.flops[p]);
  }
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (m == metric::kVisits || m == metric::kTimeNs) continue;
    if (IsFlops(m) && job.profile.At(index, m).max == 0) continue;
    if (IsOptional(m) && job.profile.sources[m].status == Status::kUnsupported) continue;
    rows.Stored(m);
  }
  rows.Percentiles(Drawn::kTime, path.time_s, "time_s", "s", 1e-9);
  rows.Percentiles(Drawn::kFlops, path.total_flops, "flops", "flops", 1);
  rows.Percentiles(Drawn::kDramBytes, path.traffic_bytes[kDram], "dram_bytes", "bytes", 1);
  if (const Value share = MarkerShare(job.profile, index)) rows.Derived("marker_share", "1", share);
  rows.Derived("dram_bytes", "bytes", path.traffic_bytes[kDram]);
  if (path.miss_bytes) rows.Derived("last_level_miss_bytes", "bytes", path.miss_bytes);
  rows.Derived("intensity_l1", "flops/byte", path.intensity[0]);
  rows.Derived("intensity_l2", "flops/byte", path.intensity[1]);
  rows.Derived("intensity_l3", "flops/byte", path.intensity[2]);
  rows.Derived("intensity_dram", "flops/byte", path.intensity[kDram]);
  AddRates(rows, path);
  return rows.text();
}

}  // namespace

std::string RenderCsv(const ReportJob& job) {
  std::string out =
      "path,metric,unit,origin,status,scope,ranks,sum,mean,min,min_rank,max,max_rank,stddev\n";
  for (size_t p = 0; p < job.profile.paths.size(); ++p) out += RowsOf(job, p);
  return out;
}

}  // namespace roofmark
