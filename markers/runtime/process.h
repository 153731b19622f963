// SPDX-License-Identifier: BSD-3-Clause
//
// Everything a process knows of itself while it records, and the profile that is made of it.
#ifndef ROOFMARK_MARKERS_RUNTIME_PROCESS_H_
#define ROOFMARK_MARKERS_RUNTIME_PROCESS_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "lib/core/kernel_counts.h"
#include "lib/core/launcher.h"
#include "lib/core/run_queue.h"
#include "lib/core/settings.h"
#include "lib/profile/profile.h"
#include "markers/runtime/collectors.h"
#include "markers/runtime/output_place.h"
#include "markers/runtime/runtime.h"
#include "markers/runtime/spooling.h"
#include "markers/runtime/thread_rows.h"
#include "markers/samples/sampler.h"

namespace roofmark::runtime {

// What this process wrote at the end of its recording.
struct LastFile {
  std::string name;  // empty: nothing
  size_t hash = 0;   // of its text
};

struct Process {
  std::mutex mutex;
  bool taken = false;
  bool ended_in_finalize = false;  // the recording; the program went on
  LastFile last_file;
  pid_t pid = 0;
  pid_t forked_from = 0;  // a process that was recorded; 0: it was started as a program
  Settings settings;
  Launcher launcher;
  Choice choice;
  std::optional<Job> job;
  OutputPlace output_place;
  Spooling spooling;
  std::string start_time;
  uint64_t start_ns = 0;
  KernelCounts kernel_at_start;
  RunQueueWaits run_queue_at_start;
  // Spent by us so far at start-up, and when the end began; 0: it did not yet.
  std::atomic<uint64_t> startup_ns{0}, finalize_since_ns{0};
  std::unique_ptr<ThreadRows> threads;        // of the profile that was taken, if they are wanted
  std::unique_ptr<samples::Sampler> sampler;  // nullptr: ROOFMARK_SAMPLES is off
  std::string samples_fact;                   // the file of samples, or why there is none
};

// The calling process.
Process& Self();

// False under an engine.
bool TimesAreReal(const Process& self);
uint32_t RankOf(const Process& self);
// The launcher started several processes, and MPI takes this one for a job of its own.
bool IsOfOtherMpi(const Process& self);
inline bool IsForked(const Process& self) { return self.forked_from != 0; }

// The roofline file of a rank: ROOFMARK_OUTPUT, with what is filled in.
std::string OutputPattern(const Process& self);
std::string OutputName(const Process& self, uint32_t rank);

// Who and where the process is and what it counts, as far as it is known yet: a job of one rank
// without paths.
JobProfile DescribeProcess(const Process& self);

enum class Until {
  kEnd,  // recording stops
  kNow,  // it goes on; regions open on the calling thread count as if they ended now
};
// Until when the calling thread's time is the user's: now, or the last call of StartOwnTime() that
// no StopOwnTime() followed.
uint64_t UsersTicks() noexcept;

// Detail is written while ranks are merged, or never.
void SayThereIsNoDetail();

// Folds what the recorder and the collector hold into a job of one rank. Takes memory; may throw
// std::bad_alloc.
JobProfile BuildProfile(Process& self, Until until);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_PROCESS_H_
