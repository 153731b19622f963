// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/scaling.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "lib/model/repeats.h"
#include "lib/model/work.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

// Where the time of one region's workers goes, in seconds.
struct Usage {
  double time_s = 0;          // of the slowest rank
  double useful_s = 0;        // of all workers: neither inside MPI nor waiting in OpenMP
  double busiest_rank_s = 0;  // outside MPI
  double workers = 1;

  double Communication() const { return busiest_rank_s / time_s; }
  double Balance() const { return useful_s / (workers * busiest_rank_s); }
};

struct Place {
  const JobProfile& job;
  size_t path;
  std::vector<double> times_s;  // of several executions
};

double Seconds(const Cell& cell) { return cell.SumAsDouble() * 1e-9; }

// Threads that nobody timed count as working as long as their rank does.
double UsefulSeconds(const Place& place, double outside_s) {
  const auto sum = [&](MetricId m) { return MetricSum(place.job, place.path, m); };
  const Value parallel = sum(metric::kParallelNs), busy = sum(metric::kOpenMpBusyNs);
  if (!parallel || !busy) return outside_s * place.job.run.threads_max;
  return std::max(0.0, outside_s - *parallel * 1e-9) + *busy * 1e-9;
}

// Nothing where the time inside MPI is not known, or the region took none. `time_s` is that of
// several executions: the parts of the one that the file has are taken in proportion.
std::optional<Usage> UsageOf(const Place& place, double time_s, double workers) {
  const Cell& time = place.job.At(place.path, metric::kTimeNs);
  const bool measured = MetricSum(place.job, place.path, metric::kOutsideMpiNs).number.has_value();
  if (!measured && place.job.run.ranks > 1) return std::nullopt;
  const Cell& outside = measured ? place.job.At(place.path, metric::kOutsideMpiNs) : time;
  if (time.max == 0 || outside.max == 0) return std::nullopt;
  const double scale = time_s / (static_cast<double>(time.max) * 1e-9);
  Usage usage;
  usage.time_s = time_s;
  usage.useful_s = UsefulSeconds(place, Seconds(outside)) * scale;
  usage.busiest_rank_s = static_cast<double>(outside.max) * 1e-9 * scale;
  usage.workers = workers;
  return usage.useful_s > 0 ? std::optional(usage) : std::nullopt;
}

std::optional<double> TimeOf(const Place& place) {
  if (place.times_s.size() > 1) return GeometricMean(place.times_s);
  const Value time = SlowestTime(place.job, place.path);
  return time && *time > 0 ? time.number : std::nullopt;
}

// One region in all runs; runs that do not have it have no place.
ScalingRegion RegionOf(std::string path, const std::vector<std::optional<Place>>& places,
                       const Scaling& scaling) {
  ScalingRegion region = {std::move(path), {}};
  std::optional<double> first_s;
  std::optional<Usage> first;
  const double fewest = scaling.runs.front().workers;
  const bool strong = scaling.kind == ScalingKind::kStrong;
  for (size_t r = 0; r < places.size(); ++r) {
    ScalingPoint point;
    const double growth = scaling.runs[r].workers / fewest;
    if (places[r]) point.time_s = TimeOf(*places[r]);
    const auto usage =
        point.time_s ? UsageOf(*places[r], *point.time_s, scaling.runs[r].workers) : std::nullopt;
    if (r == 0) {
      first_s = point.time_s;
      first = usage;
    }
    if (point.time_s && first_s) {
      const double faster = *first_s / *point.time_s;
      point.speedup = strong ? faster : faster * growth;
      point.efficiency = strong ? faster / growth : faster;
      if (strong && growth > 1) point.serial = (1 / faster - 1 / growth) / (1 - 1 / growth);
    }
    if (usage && first) {
      point.computation = first->useful_s / usage->useful_s * (strong ? 1 : growth);
      point.communication = usage->Communication() / first->Communication();
      point.balance = usage->Balance() / first->Balance();
    }
    region.points.push_back(point);
  }
  return region;
}

double FlopsOf(const JobProfile& job) {
  double flops = 0;
  for (size_t p = 0; p < job.paths.size(); ++p) {
    if (!ParentPath(job.paths[p].path).empty()) continue;
    if (const Value of = TotalFlops(job, p)) flops += *of;
  }
  return flops;
}

void Recognise(const std::vector<ComparedRun>& runs, std::optional<ScalingKind> kind,
               Scaling& scaling) {
  const double before = FlopsOf(runs[scaling.runs.front().file].job);
  const double after = FlopsOf(runs[scaling.runs.back().file].job);
  if (before > 0 && after > 0) scaling.work_growth = after / before;
  if (kind) {
    scaling.kind = *kind;
  } else if (scaling.work_growth) {
    const double grown = std::log(*scaling.work_growth);
    const double workers = std::log(scaling.runs.back().workers / scaling.runs.front().workers);
    const bool weak = std::abs(grown - workers) < std::abs(grown);
    scaling.kind = weak ? ScalingKind::kWeak : ScalingKind::kStrong;
  }
}

std::optional<Place> PlaceOf(const JobProfile& job, const std::string& path) {
  const int index = job.FindPath(path);
  if (index < 0) return std::nullopt;
  const auto p = static_cast<size_t>(index);
  return Place{job, p, ExecutionTimes(job.paths[p])};
}

}  // namespace

Scaling ScalingOf(const std::vector<ComparedRun>& runs, std::optional<ScalingKind> kind) {
  Scaling scaling;
  std::set<std::string> paths;
  for (size_t i = 0; i < runs.size(); ++i) {
    const RunInfo& run = runs[i].job.run;
    scaling.runs.push_back(
        {i, run.ranks, run.threads_max, static_cast<double>(run.ranks) * run.threads_max});
    for (const PathInfo& info : runs[i].job.paths) paths.insert(info.path);
  }
  std::stable_sort(scaling.runs.begin(), scaling.runs.end(),
                   [](const auto& a, const auto& b) { return a.workers < b.workers; });
  Recognise(runs, kind, scaling);
  for (const std::string& path : paths) {
    std::vector<std::optional<Place>> places;
    for (const ScaledRun& run : scaling.runs) {
      places.push_back(PlaceOf(runs[run.file].job, path));
    }
    scaling.regions.push_back(RegionOf(path, places, scaling));
  }
  std::vector<JobProfile> whole;
  for (const ScaledRun& run : scaling.runs) whole.push_back(WholeOf(runs[run.file].job));
  const auto known = [](const JobProfile& job) { return !job.paths.empty(); };
  if (std::all_of(whole.begin(), whole.end(), known)) {
    std::vector<std::optional<Place>> places;
    for (const JobProfile& job : whole) {
      places.emplace_back(Place{job, static_cast<size_t>(WholeRow::kProgram), {}});
    }
    scaling.regions.push_back(RegionOf(std::string(kProgramName), places, scaling));
  }
  return scaling;
}

}  // namespace roofmark
