// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/found_times.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include "lib/profile/whole.h"

namespace roofmark {
namespace {

// The parts of the blocks that have an offset in them.
class PartsAt {
 public:
  explicit PartsAt(const ExecutedModule& module) : parts_(module.parts) {
    for (const ExecutedPart& part : parts_) longest_ = std::max(longest_, part.bytes);
  }

  template <typename Take>  // void(const ExecutedPart&)
  void ForEach(uint64_t offset, Take take) const {
    const uint64_t from = offset < longest_ ? 0 : offset - longest_;
    auto part =
        std::lower_bound(parts_.begin(), parts_.end(), from,
                         [](const ExecutedPart& each, uint64_t at) { return each.begin < at; });
    for (; part != parts_.end() && part->begin <= offset; ++part) {
      if (offset - part->begin < part->bytes) take(*part);
    }
  }

 private:
  const std::vector<ExecutedPart>& parts_;  // by begin
  uint32_t longest_ = 0;
};

enum class By : uint8_t { kMain, kOthers, kAny };

bool Fits(const ExecutedPart& part, By by) {
  return by == By::kAny || part.leads == (by == By::kMain);
}

// Divides times among paths, children excluded.
class Divider {
 public:
  explicit Divider(size_t paths) : own_(paths) {}

  // False if nobody executed that code.
  bool Divide(const PartsAt& parts, uint64_t offset, double ns, bool of_main) {
    for (const By by : {of_main ? By::kMain : By::kOthers, By::kAny}) {
      double all = 0;
      parts.ForEach(offset, [&](const ExecutedPart& part) {
        if (Fits(part, by)) all += static_cast<double>(part.times);
      });
      if (all == 0) continue;
      parts.ForEach(offset, [&](const ExecutedPart& part) {
        if (Fits(part, by)) Add(part, ns * static_cast<double>(part.times) / all, of_main);
      });
      return true;
    }
    return false;
  }

  const std::vector<PathTime>& own() const { return own_; }

 private:
  void Add(const ExecutedPart& part, double ns, bool of_main) {
    PathTime& time = own_[part.path];
    time.all_ns += ns;
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
}

const SampledModule* Find(const Samples& samples, const std::string& file) {
  const auto found =
      std::find_if(samples.modules.begin(), samples.modules.end(),
                   [&file](const SampledModule& module) { return module.file == file; });
  return found == samples.modules.end() ? nullptr : &*found;
}

// Samples that were lost lie where the others do.
double LostFactor(const SampledProcess& process) {
  if (process.threads.empty() || process.threads[0].samples == 0) return 1;
  const SampledThread& main = process.threads[0];
  return static_cast<double>(main.samples + main.lost) / static_cast<double>(main.samples);
}

uint64_t Rounded(double ns) { return static_cast<uint64_t>(std::llround(std::max(0.0, ns))); }

bool HasFoundAbove(const JobProfile& job, std::string_view path) {
  for (path = ParentPath(path); !path.empty(); path = ParentPath(path)) {
    if (job.FindPath(path) >= 0) return true;
  }
  return false;
}

// One region of one process.
class Setter {
 public:
  Setter(size_t row, JobProfile& job) : row_(row), job_(job) {}

  void Take(const PathTime& time, uint32_t rank) {
    const uint64_t ns = Rounded(std::max(time.main_ns, MeanOfWorkers(time)));
    if (ns == 0) return;
    Add(metric::kTimeNs, ns, rank);
    if (HasValue(job_.sources[metric::kMpiNs].status)) {
      const uint64_t mpi = std::min(ns, Rounded(time.main_mpi_ns));
      Add(metric::kMpiNs, mpi, rank);
      Add(metric::kOutsideMpiNs, ns - mpi, rank);
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
  Cell outside;
  for (const FoundTimes& process : processes) {
    double inside = 0;
    for (const auto& [path, time] : process.paths) {
      const bool outermost = !path.empty() && job.FindPath(path) >= 0 && !HasFoundAbove(job, path);
      if (outermost) inside += time.main_ns;
    }
    const double left = static_cast<double>(process.wall_ns) - inside;
    outside = Combine(outside, Cell::Of(Rounded(left), process.rank, Status::kScaled));
  }
  job.whole.Set(static_cast<size_t>(WholeRow::kOutside), metric::kTimeNs, outside);
}

}  // namespace

FoundTimes EstimateTimes(const Samples& samples, const Executed& executed) {
  const SampledProcess& process = samples.processes.front();
  FoundTimes times;
  times.rank = process.rank;
  times.wall_ns = process.wall_ns;
  if (!process.threads.empty()) times.main_cpu_ns = static_cast<double>(process.threads[0].cpu_ns);
  const double factor = LostFactor(process);
  Divider divider(executed.paths.size());
  for (const SampledModule& sampled : samples.modules) {
    for (const SampledPlace& place : sampled.places) {
      times.main_sampled_ns += factor * static_cast<double>(place.main_ns);
    }
  }
  double known_ns = 0;
  for (const ExecutedModule& module : executed.modules) {
    const SampledModule* sampled = Find(samples, module.file);
    if (sampled == nullptr) continue;
    const PartsAt parts(module);
    for (const SampledPlace& place : sampled->places) {
      const double main_ns = factor * static_cast<double>(place.main_ns);
      const double others_ns = static_cast<double>(place.cpu_ns - place.main_ns);
      if (main_ns > 0 && divider.Divide(parts, place.offset, main_ns, true)) known_ns += main_ns;
      if (others_ns > 0) divider.Divide(parts, place.offset, others_ns, false);
    }
  }
  times.main_unknown_ns = times.main_sampled_ns - known_ns;
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
      if (time != process.paths.end()) setter.Take(time->second, process.rank);
    }
  }
  SetOutside(processes, job);
}

}  // namespace roofmark
