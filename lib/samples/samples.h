// SPDX-License-Identifier: BSD-3-Clause
//
// Where CPU time went, by samples: plain data of one process, or of a whole job. A sample is the
// instruction at which a thread was after each `period_ns` of its CPU time.
#ifndef ROOFMARK_LIB_SAMPLES_SAMPLES_H_
#define ROOFMARK_LIB_SAMPLES_SAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/code_place.h"

namespace roofmark {

enum class SampleMethod : uint8_t {
  kPerfEvent,  // the kernel's event cpu-clock
  kTimer,      // a timer of the thread's CPU time, and its signal
};
std::string_view NameOf(SampleMethod method);

// Of one thread, from the time when it was first sampled to its end or that of the recording.
struct SampledThread {
  uint32_t number = 0;  // in the order in which they were first sampled; 0 is the main thread
  SampleMethod method = SampleMethod::kPerfEvent;
  uint64_t period_ns = 0;
  uint64_t wall_ns = 0, cpu_ns = 0;
  uint64_t samples = 0;  // all that arrived
  uint64_t lost = 0;     // that did not
  // Of those that arrived, in the kernel: at the place that called it, or faulted. Nothing where
  // they do not arrive, or look like the instruction after the system call.
  std::optional<uint64_t> kernel;

  bool operator==(const SampledThread&) const = default;
};

// What the sampler did itself.
struct SamplerCost {
  uint64_t wake_ups = 0;
  uint64_t cpu_ns = 0;  // of its helper thread; it is in no thread's row, but in the process's CPU
                        // time

  bool operator==(const SamplerCost&) const = default;
};

// How often an instruction was executed while samples were taken.
struct CountedPlace {
  CodePlace place;
  std::optional<uint64_t> times;  // nothing: it was not counted

  bool operator==(const CountedPlace&) const = default;
};

// Ways of calls to MPI that a process keeps apart, and frames of each: the innermost ones.
inline constexpr size_t kMostTimedCalls = 8192, kMostTimedFrames = 48;

// Calls of MPI by the main thread, from one place along one way of calls.
struct TimedCalls {
  // The instructions that called, innermost first; where the outer ones are not known they are
  // missing, and none is where nothing is.
  std::vector<CodePlace> frames;
  uint64_t calls = 0;
  uint64_t wall_ns = 0;

  bool operator==(const TimedCalls&) const = default;
};

struct SampledProcess {
  uint32_t rank = 0, ranks = 1;
  uint64_t pid = 0;
  std::string host, start_time;
  std::vector<std::string> command;
  uint32_t hz = 0;                     // that was asked for
  uint64_t wall_ns = 0;                // of the recording
  uint64_t cpu_ns = 0;                 // of all threads, those that were not sampled included
  uint64_t system_ns = 0;              // of this, in the kernel
  uint64_t unknown = 0;                // samples whose module cannot be told
  std::string why_not_perf_event;      // empty: all threads are sampled by it
  std::string why_no_kernel;           // of threads without `kernel`
  std::vector<std::string> warnings;   // what is missing in the samples, and why
  std::vector<SampledThread> threads;  // by number; at most limits::kSampledThreads
  uint32_t other_threads = 0;          // those beyond; their samples are in the places
  SamplerCost own;
  std::vector<CountedPlace> counted;  // as they were asked for
  std::string why_not_counted;        // of all, if none was asked for: why none could be; or empty
  std::vector<TimedCalls> mpi_calls;  // by frames, each once; empty: none, or they were not timed

  bool operator==(const SampledProcess&) const = default;
};

struct SampledPlace {
  uint64_t offset = 0;  // from the lowest mapped address of its module
  uint64_t samples = 0;
  uint64_t cpu_ns = 0;   // samples times their periods
  uint64_t main_ns = 0;  // of this, the main thread's
  // Of `cpu_ns`, in the kernel, of threads of which that is known (SampledThread::kernel).
  uint64_t kernel_ns = 0;

  bool operator==(const SampledPlace&) const = default;
};

// Code that the kernel maps into every process, and code that lies in no file (that of a compiler
// at run time, say): the latter has one place.
inline constexpr std::string_view kVdsoModule = "[vdso]";
inline constexpr std::string_view kAnonymousModule = "[anonymous]";

// An executable or a library.
struct SampledModule {
  std::string file;
  std::string build_id;              // hexadecimal; empty if it has none
  std::vector<SampledPlace> places;  // by offset, each once

  bool operator==(const SampledModule&) const = default;
};

struct Samples {
  std::vector<SampledProcess> processes;  // by rank, then by host and pid
  std::vector<SampledModule> modules;     // by file, then by build id

  bool operator==(const Samples&) const = default;
};

// The samples of a job from those of its processes, in any order. A place is the same if its module
// has the same build id, or, where there is none, the same file. Sums beyond 2^64 stay there. The
// result is for memory: it may have more places than a file can.
Samples MergeSamples(std::vector<Samples> parts);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_SAMPLES_SAMPLES_H_
