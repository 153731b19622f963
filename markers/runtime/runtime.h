// SPDX-License-Identifier: BSD-3-Clause
//
// One process's life with roofmark: settings are read and collectors opened once, when the library
// is loaded, unless the environment is a stranger's (lib/core/privilege.h); the profile is taken
// once, at the first of {MPI finalize, process exit}. Everything here is noexcept: a failure
// becomes a warning in the file or a line on stderr, never the application's problem. Functions may
// be called from any thread.
#ifndef ROOFMARK_MARKERS_RUNTIME_RUNTIME_H_
#define ROOFMARK_MARKERS_RUNTIME_RUNTIME_H_

#include <pthread.h>

#include <cstdint>
#include <optional>
#include <string>

#include "lib/profile/profile.h"

namespace roofmark::runtime {

// True while this process records.
bool Active() noexcept;

// What MPI knows of this process; set by the MPI hooks after initialisation.
struct Job {
  uint32_t rank = 0;
  uint32_t ranks = 1;
  std::string mpi;  // first line of MPI_Get_library_version
};
void SetJob(const Job& job) noexcept;

// What ROOFMARK_MERGE asks for. kAlways: the user vouches that every process of the job records.
enum class Merge { kAuto, kAlways, kNever };
Merge WhenToMerge() noexcept;

// A thread of roofmark: it is not counted, with all signals blocked and a small stack. False
// without resources for it.
bool StartOwnThread(pthread_t* thread, void* (*body)(void*), void* argument) noexcept;

enum class OwnTimeOf { kStartup, kMerge };

// Time spent in roofmark's own start-up inside MPI_Init, and the like, is not the user's: the
// interval since the last call of StartOwnTime is subtracted from every open region of the caller,
// and what is counted in it goes nowhere. The file tells how long start-up took.
void StartOwnTime() noexcept;
void StopOwnTime(OwnTimeOf what) noexcept;

// A call of MPI's that libroofmark_mpi_wait.so does not see, such as MPI_Init, took the calling
// thread so long. Nothing where time inside MPI is not measured.
void AddMpiTime(uint64_t ticks) noexcept;

// How long ago TakeProfile() was called; 0 if it was not.
uint64_t FinalizeNs() noexcept;

// Where the recording ends.
enum class EndOf { kMpi, kProcess };

// Stops recording and returns this process's profile, as a job of one rank (run.first_rank and
// run.ranks set from SetJob). Empty if inactive, or if it was taken before.
std::optional<JobProfile> TakeProfile(EndOf end) noexcept;

// The same of what was measured until now: recording goes on. Regions open on the calling thread
// count as if they ended now; of those open on other threads, the visits that have ended. Empty if
// inactive, or after TakeProfile. May be called any number of times.
std::optional<JobProfile> ProfileSoFar() noexcept;

// What ROOFMARK_DETAIL asks for, and the name of the file.
enum class Detail { kOff, kRanks, kThreads };
Detail WantedDetail() noexcept;
std::string DetailName(uint32_t rank);

// The threads of the profile that was taken; none unless Detail::kThreads is wanted.
struct ThreadLabel {
  uint32_t number =
      0;  // of a thread record of the markers, which threads that never live together share, or of
  bool counted = false;  // a thread as the collector counts them
};
size_t ThreadCount() noexcept;
ThreadLabel LabelOf(size_t row);
JobProfile ProfileOfThread(size_t row);

// Writes the merged roofline file to ROOFMARK_OUTPUT and says where on one line of stderr. Call on
// one rank. False if it could be written nowhere, which is said too.
bool WriteRoofline(const JobProfile& job) noexcept;
// An intermediate one: `infix` stands before the extension of ROOFMARK_OUTPUT. False if it could
// not be written.
bool WriteIntermediate(const JobProfile& job, const std::string& infix) noexcept;

// Writes this process's part beside ROOFMARK_OUTPUT (".part" and the rank in its name), for
// `roofmark merge`. `reason` says on one line, once per job where that can be known, why the
// ranks were not merged. False as above.
bool WritePart(const JobProfile& process, const std::string& reason,
               const std::string& infix = "") noexcept;

// What this process recorded is in a file (its own part or the merged one): its spool and its
// snapshots are removed.
void DiscardSpool() noexcept;
// It is not: the spool stays, with `process` in it, and one line says how to get at it.
void KeepSpool(const JobProfile& process) noexcept;

// Whether the calling process was forked and is recorded. Takes no lock.
bool IsRecordedFork() noexcept;
// It is about to end without exit(): its file is written.
void ForkEnds() noexcept;

// The recording ends here: its file is written, or its part of a job, which says why, if that is
// not empty. The calling thread is inside (lib/core/inside.h).
void EndEarly(const std::string& why) noexcept;

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_RUNTIME_H_
