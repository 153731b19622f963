// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/team.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <numeric>

namespace roofmark {
namespace {

// A set large enough for any CPU number, where cpu_set_t ends at 1023.
bool BindToCpu(uint32_t cpu) {
  cpu_set_t* set = CPU_ALLOC(cpu + 1);
  if (set == nullptr) return false;
  const size_t size = CPU_ALLOC_SIZE(cpu + 1);
  CPU_ZERO_S(size, set);
  CPU_SET_S(cpu, size, set);
  const bool bound = pthread_setaffinity_np(pthread_self(), size, set) == 0;
  CPU_FREE(set);
  return bound;
}

uint64_t ThreadCpuNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

uint64_t Preemptions() {
  rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<uint64_t>(usage.ru_nivcsw);
}

}  // namespace

Team::Team(const std::vector<CoreInfo>& cores, Clock clock) : clock_(clock) {
  workers_.reserve(cores.size());
  ranks_.assign(cores.size(), kIdle);
  for (uint32_t worker = 0; worker < cores.size(); ++worker) {
    workers_.emplace_back([this, worker, cpu = cores[worker].cpu] { Work(worker, cpu); });
  }
  Run(All(), [](uint32_t) {});  // all have bound themselves after this
}

Team::~Team() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

std::vector<uint32_t> Team::All() const {
  std::vector<uint32_t> all(ranks_.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

void Team::Work(uint32_t worker, uint32_t cpu) {
  const bool bound = BindToCpu(cpu);
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  if (!bound) unbound_.push_back(cpu);
  for (;;) {
    wake_.wait(lock, [&] { return stop_ || (generation_ != seen && ranks_[worker] != kIdle); });
    if (stop_) return;
    seen = generation_;
    const Task& task = *task_;
    const uint32_t rank = ranks_[worker];
    lock.unlock();
    task(rank);
    lock.lock();
    if (--pending_ == 0) done_.notify_one();
  }
}

void Team::Run(const std::vector<uint32_t>& workers, const Task& task) {
  std::unique_lock lock(mutex_);
  task_ = &task;
  pending_ = static_cast<uint32_t>(workers.size());
  for (uint32_t rank = 0; rank < pending_; ++rank) ranks_[workers[rank]] = rank;
  ++generation_;
  wake_.notify_all();
  done_.wait(lock, [&] { return pending_ == 0; });
  // A worker that wakes late finds nothing to do.
  std::fill(ranks_.begin(), ranks_.end(), kIdle);
}

void Team::WaitAtLine(uint32_t count) {
  at_line_.fetch_add(1, std::memory_order_acq_rel);
  while (at_line_.load(std::memory_order_acquire) < count) {
  }
}

std::vector<ThreadTiming> Team::Time(const std::vector<uint32_t>& workers, const Task& before,
                                     const Task& timed, const Task& after) {
  const auto count = static_cast<uint32_t>(workers.size());
  std::vector<ThreadTiming> timings(count);
  at_line_.store(0, std::memory_order_relaxed);
  Run(workers, [&](uint32_t rank) {
    before(rank);
    WaitAtLine(count);
    ThreadTiming timing;
    timing.preempted = Preemptions();
    const uint64_t cpu = ThreadCpuNs();
    timing.begin_ns = clock_();
    timed(rank);
    timing.end_ns = clock_();
    timing.cpu_ns = ThreadCpuNs() - cpu;
    after(rank);
    timing.preempted = Preemptions() - timing.preempted;
    timings[rank] = timing;
  });
  return timings;
}

}  // namespace roofmark
