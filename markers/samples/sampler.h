// SPDX-License-Identifier: BSD-3-Clause
//
// Samples every thread of the process: those that there are at the start, those that are created
// through pthread_create from their first instruction on (collectors/hardware/threads/thread_hook),
// and others as a look at /proc/self/task finds them. A thread of roofmark empties the buffers of
// all ten times a second, and finds the places of the samples; a thread that ends empties its own.
#ifndef ROOFMARK_MARKERS_SAMPLES_SAMPLER_H_
#define ROOFMARK_MARKERS_SAMPLES_SAMPLER_H_

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "collectors/hardware/threads/periodic_thread.h"
#include "lib/core/settings.h"
#include "lib/samples/samples.h"
#include "markers/samples/call_times.h"
#include "markers/samples/counted_places.h"
#include "markers/samples/methods.h"
#include "markers/samples/places.h"

namespace roofmark::samples {

// One at a time in a process; it lives for ever once it was started. A forked child is not sampled.
class Sampler {
 public:
  // `places` are counted meanwhile.
  explicit Sampler(const SamplePlan& plan, const std::vector<CodePlace>& counted = {});
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Empty if samples come in from here on, else why not. `each_time`, which may be empty, is called
  // by the thread that empties the buffers, each time before it does. May throw std::bad_alloc.
  std::string Start(std::function<void()> each_time = {});

  // Ends sampling. What there is of this process: one process, whose rank, host, command and start
  // the caller fills in. Once, in the process that called Start(). May throw std::bad_alloc.
  roofmark::Samples Stop();

  // A call of MPI has ended on the calling thread: see CallTimes::Add. Nothing where no sampler
  // runs. Any thread.
  static void MpiCallEnded(uint64_t ticks, const void* frame, const void* caller) noexcept;

 private:
  // A thread that is sampled now.
  struct Live {
    pid_t tid = 0;
    uint64_t since_ns = 0, since_cpu_ns = 0, last_cpu_ns = 0;
    Methods::Source source;
    SampledThread row;
  };
  // By method and by whether the kernel was at work; those of the main thread behind the others'.
  enum Of : uint8_t { kPerfEvent, kInKernel, kTimer, kOfOne };
  static constexpr size_t kBatches = size_t{2} * kOfOne;
  using Batches = std::array<Batch, kBatches>;

  static void ThreadStarted() noexcept;
  static void ThreadEnded() noexcept;
  static void DetachChild() noexcept;

  // With mutex_ held.
  void Attach(pid_t tid) noexcept;
  void Drain(Live& thread) noexcept;
  // Brings the row up to now. False if the thread has ended.
  bool ReadTimes(Live& thread, uint64_t now_ns) const noexcept;
  // The thread is not sampled any more.
  std::list<Live>::iterator Retire(std::list<Live>::iterator thread) noexcept;
  std::list<Live>::iterator Find(pid_t tid) noexcept;
  void DrainAll() noexcept;
  void GiveUpTimersIfReplaced() noexcept;
  void AttachThoseThatThereAre();
  void CountPlaces();

  // By the helper, or where it does not run.
  void Wake() noexcept;
  void LookForThreads();
  void AttachStrangers(const std::vector<pid_t>& listed);
  void Resolve();
  std::vector<std::string> Warnings() const;
  SampledProcess Describe();

  const SamplePlan plan_;
  const std::vector<CodePlace> wanted_;
  threads::PeriodicThread helper_;
  std::function<void()> each_time_;
  ModuleChanges known_changes_;
  Places places_;
  CountedPlaces counted_;
  CallTimes mpi_calls_;
  std::string why_not_counted_;
  Batches resolving_;
  std::vector<pid_t> strangers_;  // that the last look found and that were not sampled then
  uint64_t known_links_ = 0;
  SamplerCost cost_;
  bool memory_was_short_ = false;
  uint64_t start_ns_ = 0, start_cpu_ns_ = 0, start_system_ns_ = 0;

  std::mutex mutex_;  // for all below
  Methods methods_;
  bool running_ = false;
  Batches arrived_;
  std::list<Live> live_;
  std::vector<SampledThread> ended_;
  std::vector<pid_t> refused_;  // threads that no method works for
  uint32_t next_number_ = 0;
  uint32_t other_threads_ = 0;  // that have no row any more
  uint64_t nowhere_ = 0;        // samples without an address
  uint32_t not_sampled_ = 0;    // threads
  uint32_t cut_short_ = 0;      // threads whose timer was given up
  uint32_t silent_ = 0;         // threads whose timer's signals never came
};

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_SAMPLER_H_
