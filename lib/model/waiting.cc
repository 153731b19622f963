// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/waiting.h"

#include <algorithm>

#include "lib/model/resource_times.h"
#include "lib/profile/region_name.h"

namespace roofmark {
namespace {

constexpr double kMostly = 0.5;
// Of the instructions: spinning executes many in little time, so that half of them say nothing.
constexpr double kNearlyAll = 0.95;

ResourceTimes TimesOf(const RegionInputs& region, const JobModel& model) {
  Shortfalls known;
  for (size_t s = 0; s < kShortfalls; ++s) known[s] = region.extent[s].number.has_value();
  return LeastTimes(region, model, known, Untold::kBest);
}

// Seconds that all ranks together need at least for what MPI stores and moves to and from DRAM in
// the region. What it loads may be flags that it polls.
double MpiCopySeconds(const JobProfile& job, size_t path, const JobModel& model) {
  const auto seconds = [&](MetricId bytes, size_t level) {
    const auto& roof = model.roofs.bandwidth[level];
    const Value moved = MetricSum(job, path, InMpi(bytes));
    return moved && roof ? *moved * 1e-9 / roof->value : 0;
  };
  return std::max(seconds(metric::kDramApart, kDramLevel), seconds(metric::kStoresApart, 0));
}

// GPUs may do the work for which a thread waits.
bool IsOfOneThread(const RunInfo& run) {
  return run.ranks == 1 && run.ranks_merged == 1 && run.threads_max <= 1 && run.devices.empty();
}

// Of that thread: seconds of the run in which it did not run.
std::optional<double> IdleSeconds(const JobProfile& job) {
  const Cell& cpu = job.run.kernel.cpu_ns;
  const Value wall = WallTime(job);
  if (cpu.ranks == 0 || !wall) return std::nullopt;
  return std::max(0.0, *wall - cpu.SumAsDouble() * 1e-9);
}

// What has no floating-point work, and waits for no other thread.
void WaitAlone(const JobProfile& job, size_t path, double time_s, Waiting& waiting) {
  waiting.idle_s = IdleSeconds(job);
  const bool is_outside = job.paths[path].path == kOutsideName;
  waiting.other_work = waiting.idle_s ? *waiting.idle_s < kMostly * time_s : is_outside;
  if (!waiting.idle_s) return;
  const Cell& queue = job.run.kernel.run_queue_ns;
  waiting.had_no_cpu =
      queue.ranks > 0 && static_cast<double>(queue.max) * 1e-9 >= kMostly * *waiting.idle_s;
}

// The longest over the mean time of a rank, if that matters.
std::optional<double> UnevenRanks(const JobProfile& job, size_t path) {
  constexpr double kUneven = 1.1;
  const Value imbalance = TimeImbalance(job, path);
  if (job.run.ranks_merged < 2 || !imbalance || *imbalance < kUneven) return std::nullopt;
  return *imbalance;
}

}  // namespace

Waiting WaitingOf(const JobProfile& job, size_t path, const RegionInputs& region,
                  const JobModel& model) {
  // Of its time, what its floating-point work may need to be called hardly any.
  constexpr double kHardlyAny = 1e-3;
  Waiting waiting;
  const Value inside_mpi = WaitingMpiShare(job, path);
  waiting.mpi_works = MpiWorks(job, path, MpiCopySeconds(job, path, model));
  waiting.has_other_ranks = job.run.ranks > 1;
  const ResourceTimes times = TimesOf(region, model);
  const double arithmetic = std::max(times.pipes_s, times.divider_s);
  // Whoever spins enters many instructions, which wait for nothing.
  const double waits_itself = times.dependences_s - times.WorkingSeconds();
  const double busy = std::max({arithmetic, waits_itself,
                                *std::max_element(times.level_s.begin() + 1, times.level_s.end())});
  const Value flops_time = Combine(region.total_flops, region.time_s,
                                   [arithmetic](double, double s) { return arithmetic / s; });
  const bool timed = region.time_s && *region.time_s > 0;
  waiting.busy_share =
      !timed ? region.time_s : Combine(region.total_flops, region.time_s, [busy](double, double s) {
        return std::min(1.0, busy / s);
      });
  if (!timed) return waiting;
  const Value in_openmp = OpenMpShare(job, path);
  const double mpi = inside_mpi && !waiting.mpi_works ? *inside_mpi : 0;
  // Threads may wait in OpenMP while one is inside MPI: that is MPI's.
  const double openmp = in_openmp ? std::min(*in_openmp, std::max(0.0, 1 - mpi)) : 0;
  if (mpi + openmp >= kMostly) {
    waiting.what = mpi >= openmp ? WaitingFor::kMpi : WaitingFor::kOpenMp;
    waiting.mpi_share = mpi;
    waiting.openmp_share = openmp;
    return waiting;
  }
  const Value executed = InMpiInstructions(job, path);
  if (!inside_mpi && executed && *executed >= kNearlyAll) {
    waiting.what = WaitingFor::kMpiUntimed;
    waiting.mpi_share = *executed;
    return waiting;
  }
  const Value in_kernel = KernelShare(job, path);
  const bool kernel = in_kernel && *in_kernel >= kMostly;
  const bool declares = region.operations && *region.operations > 0;
  const bool traffic_known =
      region.bytes[static_cast<size_t>(MemoryLevel::kDram)].number.has_value();
  if (inside_mpi || kernel || declares || !traffic_known || !flops_time ||
      *flops_time > kHardlyAny || *waiting.busy_share >= kMostly) {
    return waiting;
  }
  if (job.paths[path].kind == RegionKind::kFound) {
    waiting.other_work = true;
    return waiting;
  }
  if (IsOfOneThread(job.run)) WaitAlone(job, path, *region.time_s, waiting);
  if (waiting.other_work) return waiting;
  waiting.what = WaitingFor::kUnknown;
  waiting.uneven = UnevenRanks(job, path);
  return waiting;
}

}  // namespace roofmark
