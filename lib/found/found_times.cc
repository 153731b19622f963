// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/found_times.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "lib/found/call_paths.h"
#include "lib/found/parts_at.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

// Who executed the code of a module.
class Executors {
 public:
  explicit Executors(const ExecutedModule& module) : parts_(module.parts) {
    for (const ExecutedPart& part : module.parts) AddToSum(part);
  }

  // Parts of the blocks that have this offset in them.
  std::vector<ExecutedPart> At(uint64_t offset) const {
    std::vector<ExecutedPart> at;
    parts_.Each(offset, [&at](const ExecutedPart& part) { at.push_back(part); });
    return at;
  }
  // One part for each executor, with the bytes that it executed as `times`.
  const std::vector<ExecutedPart>& OfAll() const { return sums_; }

 private:
  void AddToSum(const ExecutedPart& part) {
    auto sum = std::find_if(sums_.begin(), sums_.end(), [&part](const ExecutedPart& each) {
      return each.path == part.path && each.layer == part.layer && each.leads == part.leads;
    });
    if (sum == sums_.end()) {
      sum = sums_.insert(sum, part);
      sum->times = 0;
    }
    sum->times += part.times * part.bytes;
  }

  const PartsAt parts_;
  std::vector<ExecutedPart> sums_;
};

// Divides times among paths, children excluded.
class Divider {
 public:
  explicit Divider(size_t paths) : own_(paths) {}

  // The main thread's time, or that of others, is divided by their own executions if there are any,
  // else by those of all. `in_kernel`: of all of that. False if nobody executed that code.
  bool Divide(const std::vector<ExecutedPart>& parts, double ns, double in_kernel, bool of_main) {
    const auto sum = [&parts](auto counts) {
      double all = 0;
      for (const ExecutedPart& part : parts) {
        if (counts(part)) all += static_cast<double>(part.times);
      }
      return all;
    };
    const auto is_own = [of_main](const ExecutedPart& part) { return part.leads == of_main; };
    const double own = sum(is_own);
    const double all = own > 0 ? own : sum([](const ExecutedPart&) { return true; });
    if (all == 0) return false;
    for (const ExecutedPart& part : parts) {
      const double share = static_cast<double>(part.times) / all;
      if (own == 0 || is_own(part)) Add(part, ns * share, in_kernel * share, of_main);
    }
    return true;
  }

  // Time of the main thread in MPI, by samples.
  double SampledInMpi() const {
    double sum = 0;
    for (const PathTime& time : own_) sum += time.main_mpi_ns;
    return sum;
  }
  // Leaves this part of it.
  void KeepOfMpi(double part) {
    for (PathTime& time : own_) {
      const double gone = (1 - part) * time.main_mpi_ns;
      time.main_ns -= gone;
      time.all_ns -= gone;
      time.main_mpi_ns -= gone;
    }
  }
  void AddMpi(uint32_t path, double ns) {
    own_[path].main_ns += ns;
    own_[path].all_ns += ns;
    own_[path].main_mpi_ns += ns;
  }

  const std::vector<PathTime>& own() const { return own_; }

 private:
  void Add(const ExecutedPart& part, double ns, double in_kernel, bool of_main) {
    PathTime& time = own_[part.path];
    time.all_ns += ns;
    time.kernel_ns += in_kernel;
    if (!of_main) return;
    time.main_ns += ns;
    if (part.layer == Layer::kMpi) time.main_mpi_ns += ns;
  }

  std::vector<PathTime> own_;
};

void AddTo(const PathTime& more, PathTime& time) {
  time.main_ns += more.main_ns;
  time.main_mpi_ns += more.main_mpi_ns;
  time.all_ns += more.all_ns;
  time.kernel_ns += more.kernel_ns;
}

const ExecutedModule& FindModule(const Executed& executed, const std::string& file) {
  static const ExecutedModule kNone;
  const auto found =
      std::find_if(executed.modules.begin(), executed.modules.end(),
                   [&file](const ExecutedModule& module) { return module.file == file; });
  return found == executed.modules.end() ? kNone : *found;
}

// `factor`: of the main thread's samples.
void DivideModule(const SampledModule& sampled, const ExecutedModule& executed, double factor,
                  Divider& divider, FoundTimes& times) {
  const Executors executors(executed);
  for (const SampledPlace& place : sampled.places) {
    const double main_ns = factor * static_cast<double>(place.main_ns);
    const double others_ns = static_cast<double>(place.cpu_ns - place.main_ns);
    const std::vector<ExecutedPart> at = executors.At(place.offset);
    const std::vector<ExecutedPart>& parts = at.empty() ? executors.OfAll() : at;
    // The kernel worked for all threads that were sampled there alike.
    const double all_ns = static_cast<double>(place.cpu_ns);
    const double kernel = all_ns > 0 ? static_cast<double>(place.kernel_ns) / all_ns : 0;
    const bool known = divider.Divide(parts, main_ns, main_ns * kernel, /*of_main=*/true);
    divider.Divide(parts, others_ns, others_ns * kernel, /*of_main=*/false);
    times.main_sampled_ns += main_ns;
    if (at.empty()) (known ? times.main_other_ns : times.main_unknown_ns) += main_ns;
  }
}

// What samples say of time inside MPI is replaced by what its calls took. Samples beyond that lie
// in functions of MPI that are not timed, and stay.
void TakeCalls(const std::vector<TimedCalls>& calls, const CallPaths& paths, Divider& divider,
               FoundTimes& times) {
  for (const TimedCalls& each : calls) times.mpi_wall_ns += static_cast<double>(each.wall_ns);
  if (calls.empty()) return;
  const double sampled = divider.SampledInMpi();
  times.mpi_cpu_ns = std::min(sampled, times.mpi_wall_ns);
  divider.KeepOfMpi(sampled > 0 ? 1 - times.mpi_cpu_ns / sampled : 0);
  for (const TimedCalls& each : calls) {
    for (const PathShare& one : paths.Of(each.frames)) {
      divider.AddMpi(one.path, one.share * static_cast<double>(each.wall_ns));
    }
  }
}

// Samples that were lost lie where the others do.
double LostFactor(const SampledProcess& process) {
  if (process.threads.empty() || process.threads[0].samples == 0) return 1;
  const SampledThread& main = process.threads[0];
  return static_cast<double>(main.samples + main.lost) / static_cast<double>(main.samples);
}

uint64_t Rounded(double ns) { return static_cast<uint64_t>(std::llround(std::max(0.0, ns))); }

bool HasRegionAbove(const JobProfile& job, std::string_view path) {
  for (path = ParentPath(path); !path.empty(); path = ParentPath(path)) {
    if (job.FindPath(path) >= 0) return true;
  }
  return false;
}

// One region of one process.
class Setter {
 public:
  Setter(size_t row, JobProfile& job) : row_(row), job_(job) {}

  void Take(const PathTime& time, uint32_t rank, bool knows_kernel) {
    const uint64_t ns = Rounded(std::max(time.main_ns, MeanOfWorkers(time)));
    if (ns == 0) return;
    Add(metric::kTimeNs, ns, rank);
    if (HasValue(job_.sources[metric::kMpiNs].status)) {
      const uint64_t mpi = std::min(ns, Rounded(time.main_mpi_ns));
      Add(metric::kMpiNs, mpi, rank);
      Add(metric::kOutsideMpiNs, ns - mpi, rank);
    }
    if (knows_kernel && HasValue(job_.sources[metric::kSystemNs].status)) {
      Add(metric::kSystemNs, Rounded(time.kernel_ns), rank);
    }
    if (job_.spreads.empty()) return;
    Spread& spread = job_.spreads[row_ * kSpreads + static_cast<size_t>(Drawn::kTime)];
    Combine(spread, Spread::Of(ns, rank, Bit(Status::kScaled)));
  }

 private:
  double MeanOfWorkers(const PathTime& time) const {
    const Cell& workers = job_.At(row_, metric::kWorkers);
    return workers.ranks == 0 ? 0 : time.all_ns / std::max(1.0, workers.mean);
  }
  void Add(MetricId id, uint64_t ns, uint32_t rank) {
    Cell& cell = job_.At(row_, id);
    cell = Combine(cell, Cell::Of(ns, rank, Status::kScaled));
  }

  const size_t row_;
  JobProfile& job_;
};

void SetOutside(const std::vector<FoundTimes>& processes, JobProfile& job) {
  if (job.whole.empty()) return;
  const auto row = static_cast<size_t>(WholeRow::kOutside);
  Cell outside, in_mpi;
  for (const FoundTimes& process : processes) {
    double inside = 0, inside_mpi = 0;
    for (const auto& [path, time] : process.paths) {
      const bool outermost = !path.empty() && job.FindPath(path) >= 0 && !HasRegionAbove(job, path);
      if (!outermost) continue;
      inside += time.main_ns;
      inside_mpi += time.main_mpi_ns;
    }
    const double left = static_cast<double>(process.wall_ns) - inside;
    outside = Combine(outside, Cell::Of(Rounded(left), process.rank, Status::kScaled));
    const auto all = process.paths.find("");
    const double mpi = all == process.paths.end() ? 0 : all->second.main_mpi_ns - inside_mpi;
    in_mpi = Combine(in_mpi, Cell::Of(Rounded(mpi), process.rank, Status::kScaled));
  }
  // What wrappers and the kernel say of it is of the time outside of markers.
  for (MetricId id = 0; id < kMetrics; ++id) {
    if (IsOfWrappers(id) || IsOfKernel(id)) job.whole.Set(row, id, Cell());
  }
  job.whole.Set(row, metric::kTimeNs, outside);
  if (HasValue(job.sources[metric::kMpiNs].status)) job.whole.Set(row, metric::kMpiNs, in_mpi);
}

}  // namespace

FoundTimes EstimateTimes(const Samples& samples, const Executed& executed, const NestPlan& plan) {
  const SampledProcess& process = samples.processes.front();
  FoundTimes times;
  times.rank = process.rank;
  times.wall_ns = process.wall_ns;
  times.knows_kernel =
      std::any_of(process.threads.begin(), process.threads.end(),
                  [](const SampledThread& thread) { return thread.kernel.has_value(); });
  if (!process.threads.empty()) times.main_cpu_ns = static_cast<double>(process.threads[0].cpu_ns);
  Divider divider(executed.paths.size());
  for (const SampledModule& module : samples.modules) {
    DivideModule(module, FindModule(executed, module.file), LostFactor(process), divider, times);
  }
  TakeCalls(process.mpi_calls, CallPaths(plan, executed), divider, times);
  for (size_t i = 0; i < executed.paths.size(); ++i) {
    if (divider.own()[i].all_ns == 0) continue;
    std::string_view path = executed.paths[i];
    for (; !path.empty(); path = ParentPath(path)) {
      AddTo(divider.own()[i], times.paths[std::string(path)]);
    }
    AddTo(divider.own()[i], times.paths[""]);
  }
  return times;
}

void SetFoundTimes(const std::vector<FoundTimes>& processes, JobProfile& job) {
  for (size_t row = 0; row < job.paths.size(); ++row) {
    if (job.paths[row].kind != RegionKind::kFound) continue;
    Setter setter(row, job);
    for (const FoundTimes& process : processes) {
      const auto time = process.paths.find(job.paths[row].path);
      if (time != process.paths.end())
        setter.Take(time->second, process.rank, process.knows_kernel);
    }
  }
  SetOutside(processes, job);
}

}  // namespace roofmark
