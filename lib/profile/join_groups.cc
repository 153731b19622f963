// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/join_groups.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "lib/profile/join.h"
#include "lib/profile/match_visits.h"
#include "lib/profile/totals.h"

namespace roofmark {
namespace {

constexpr Precision kToldApart[] = {Precision::kDouble, Precision::kSingle};

// `first` without counts: what JoinPasses() then takes from the other is all that the other has.
JobProfile TimesOf(const JobProfile& first) {
  JobProfile times = first;
  for (MetricId id = 0; id < kMetrics; ++id) {
    if (IsOfTimePass(id)) continue;
    times.sources[id].status = Status::kUnsupported;
    for (size_t path = 0; path < times.paths.size(); ++path) times.At(path, id) = Cell();
  }
  return times;
}

// FLOPs by class, their totals, and the busiest thread's.
bool IsOfFlops(MetricId id) {
  const bool total = IsTotal(id) && id != metric::kDramBytes;
  return IsFlops(id) || total || id == metric::kWorkerFlopsMax;
}

// The worst of all regions: whether events took turns is known when they have been counted.
Status StatusOf(const JobProfile& job, MetricId id) {
  Status status = job.sources[id].status;
  for (size_t path = 0; HasValue(status) && path < job.paths.size(); ++path) {
    status = std::max(status, TotalOf(job, path, id).status);
  }
  return status;
}

std::array<Status, kMetrics> StatusesOf(const JobProfile& job) {
  std::array<Status, kMetrics> statuses{};
  for (MetricId id = 0; id < kMetrics; ++id) statuses[id] = StatusOf(job, id);
  return statuses;
}

class Chooser {
 public:
  explicit Chooser(const std::vector<JobProfile>& aligned) {
    for (const JobProfile& job : aligned) statuses_.push_back(StatusesOf(job));
    ChooseFlops();
  }

  // The execution whose value of the metric stands.
  size_t Of(MetricId id) const {
    if (IsOfTimePass(id)) return 0;
    if (!IsOfFlops(id)) return Best(id);
    if (!by_precision_ || IsOfPrecision(id, Precision::kHalf)) return flops_;
    const Precision precision =
        IsOfPrecision(id, Precision::kSingle) ? Precision::kSingle : Precision::kDouble;
    return Best(PrecisionFlops(precision));
  }
  // FLOPs of several executions: their sum is no distribution over ranks.
  bool AddsUp(MetricId id) const {
    return by_precision_ && (id == metric::kFlops || id == metric::kWorkerFlopsMax);
  }

 private:
  static bool IsOfPrecision(MetricId id, Precision precision) {
    if (id == PrecisionFlops(precision)) return true;
    for (size_t width = 0; width < kWidths; ++width) {
      if (id == AnyKindFlops(precision, static_cast<Width>(width))) return true;
      for (size_t kind = 0; kind < kFlopKinds; ++kind) {
        if (id == FlopMetric(precision, static_cast<Width>(width), static_cast<FlopKind>(kind))) {
          return true;
        }
      }
    }
    return id == WholeFlops(static_cast<WholePrecision>(precision));
  }

  using Statuses = std::array<Status, kMetrics>;

  size_t Best(MetricId id) const {
    const auto better = [id](const Statuses& a, const Statuses& b) { return a[id] < b[id]; };
    return static_cast<size_t>(std::min_element(statuses_.begin(), statuses_.end(), better) -
                               statuses_.begin());
  }

  static size_t Told(const Statuses& statuses) {
    return static_cast<size_t>(std::count_if(
        std::begin(kToldApart), std::end(kToldApart),
        [&statuses](Precision one) { return HasValue(statuses[PrecisionFlops(one)]); }));
  }

  // One execution that counted all precisions, unless its events took turns and others' did not.
  void ChooseFlops() {
    const auto worse = [](const Statuses& a, const Statuses& b) {
      return Told(a) != Told(b) ? Told(a) < Told(b) : a[metric::kFlops] > b[metric::kFlops];
    };
    const auto all = std::max_element(statuses_.begin(), statuses_.end(), worse);
    flops_ = static_cast<size_t>(all - statuses_.begin());
    const bool whole =
        Told(*all) == std::size(kToldApart) && (*all)[metric::kFlops] == Status::kMeasured;
    by_precision_ = !whole && std::all_of(std::begin(kToldApart), std::end(kToldApart),
                                          [this](Precision precision) {
                                            const MetricId id = PrecisionFlops(precision);
                                            return statuses_[Best(id)][id] == Status::kMeasured;
                                          });
  }

  std::vector<Statuses> statuses_;  // of each execution
  size_t flops_ = 0;
  bool by_precision_ = false;
};

void AddPaths(const JobProfile& from, JobProfile& joined) {
  for (const PathInfo& info : from.paths) {
    if (joined.FindPath(info.path) >= 0) continue;
    const auto at =
        std::upper_bound(joined.paths.begin(), joined.paths.end(), info,
                         [](const PathInfo& a, const PathInfo& b) { return a.path < b.path; });
    joined.paths.insert(at, info);
  }
}

// Each metric of each path from the execution that was chosen for it.
void TakeCells(const std::vector<JobProfile>& aligned, const Chooser& chooser, JobProfile& joined) {
  joined.cells = CellTable(joined.paths.size());
  joined.spreads.assign(joined.paths.size() * kSpreads, Spread());
  for (size_t row = 0; row < joined.paths.size(); ++row) {
    for (MetricId id = 0; id < kMetrics; ++id) {
      const JobProfile& from = aligned[chooser.Of(id)];
      const int path = from.FindPath(joined.paths[row].path);
      if (path < 0 || chooser.AddsUp(id)) continue;
      joined.cells.Set(row, id, from.At(static_cast<size_t>(path), id));
    }
    for (const auto& [drawn, id] :
         {std::pair(Drawn::kTime, metric::kTimeNs), std::pair(Drawn::kFlops, metric::kFlops),
          std::pair(Drawn::kDramBytes, metric::kDramBytes)}) {
      const JobProfile& from = aligned[chooser.Of(id)];
      const int path = from.FindPath(joined.paths[row].path);
      if (path < 0 || chooser.AddsUp(id)) continue;
      joined.spreads[row * kSpreads + static_cast<size_t>(drawn)] =
          from.SpreadAt(static_cast<size_t>(path), drawn);
    }
  }
}

void AppendTo(const std::vector<std::string>& more, std::vector<std::string>& into) {
  for (const std::string& text : more) {
    if (std::find(into.begin(), into.end(), text) == into.end()) into.push_back(text);
  }
}

}  // namespace

JobProfile JoinGroups(const std::vector<JobProfile>& executions) {
  if (executions.size() == 1) return executions.front();
  std::vector<JobProfile> aligned = {executions.front()};
  const JobProfile times = TimesOf(executions.front());
  for (size_t i = 1; i < executions.size(); ++i) {
    aligned.push_back(JoinPasses(times, executions[i]));
  }
  const Chooser chooser(aligned);
  JobProfile joined = executions.front();
  for (size_t i = 1; i < executions.size(); ++i) {
    const RunInfo& run = executions[i].run;
    joined.run.passes.insert(joined.run.passes.end(), run.passes.begin(), run.passes.end());
    JoinDevices(joined.run.devices, run.devices);
    AppendTo(aligned[i].run.warnings, joined.run.warnings);
    AddPaths(aligned[i], joined);
    joined.rank_hosts.insert(aligned[i].rank_hosts.begin(), aligned[i].rank_hosts.end());
  }
  for (MetricId id = 0; id < kMetrics; ++id) {
    joined.sources[id] = aligned[chooser.Of(id)].sources[id];
  }
  TakeCells(aligned, chooser, joined);
  return joined;
}

}  // namespace roofmark
