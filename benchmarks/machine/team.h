// SPDX-License-Identifier: BSD-3-Clause
//
// Threads pinned one per core, that start a task together.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_TEAM_H_
#define ROOFMARK_BENCHMARKS_MACHINE_TEAM_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/machine/topology.h"
#include "lib/core/clock.h"

namespace roofmark {

// What one thread saw of a timed task.
struct ThreadTiming {
  uint64_t begin_ns = 0, end_ns = 0;
  uint64_t cpu_ns = 0;     // CPU time between begin and end
  uint64_t preempted = 0;  // involuntary context switches
};

// Used from one thread. While a task runs the caller sleeps, so that it takes no core; the workers
// spin only at the start line, for the microseconds until the last one is awake.
class Team {
 public:
  // Nanoseconds of a clock that all threads share. Any thread.
  using Clock = uint64_t (*)() noexcept;

  // Tests have a clock of their own.
  explicit Team(const std::vector<CoreInfo>& cores, Clock clock = &NowNs);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  uint32_t size() const { return static_cast<uint32_t>(workers_.size()); }

  // CPUs that could not be bound to (the cpuset shrank, say); their figures are not to be trusted.
  const std::vector<uint32_t>& unbound() const { return unbound_; }

  // `rank` counts the workers of a task, in the order in which they were named.
  using Task = std::function<void(uint32_t rank)>;

  // Runs `task` on these workers (each named once, below size()) and waits.
  void Run(const std::vector<uint32_t>& workers, const Task& task);

  // Runs `before` (untimed), lines the threads up, runs `timed`, then `after` at once on each.
  std::vector<ThreadTiming> Time(const std::vector<uint32_t>& workers, const Task& before,
                                 const Task& timed, const Task& after);

  // Every worker, in order.
  std::vector<uint32_t> All() const;

 private:
  static constexpr uint32_t kIdle = UINT32_MAX;

  void Work(uint32_t worker, uint32_t cpu);
  void WaitAtLine(uint32_t count);

  const Clock clock_;
  std::vector<std::thread> workers_;
  std::vector<uint32_t> unbound_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const Task* task_ = nullptr;   // guarded by mutex_, as are the next four
  std::vector<uint32_t> ranks_;  // of each worker in the task, or kIdle
  uint32_t pending_ = 0;
  uint64_t generation_ = 0;
  bool stop_ = false;
  std::atomic<uint32_t> at_line_{0};
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_TEAM_H_
