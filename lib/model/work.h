// SPDX-License-Identifier: BSD-3-Clause
//
// What a path did, summed over ranks: operations, traffic at each memory level, time, balance. Pure
// functions of the profile.
#ifndef ROOFMARK_LIB_MODEL_WORK_H_
#define ROOFMARK_LIB_MODEL_WORK_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "lib/model/value.h"
#include "lib/profile/profile.h"

namespace roofmark {

// Traffic *at* a level: what crosses the side of it that faces the core. L1: loads and stores of
// instructions; L2: lines between L1 and L2; L3: between L2 and L3; DRAM: reads, write-backs,
// non-temporal stores and lines left dirty.
enum class MemoryLevel : uint8_t { kL1, kL2, kL3, kDram };
inline constexpr size_t kMemoryLevels = 4;
inline constexpr size_t kDramLevel = static_cast<size_t>(MemoryLevel::kDram);
inline constexpr std::array<MemoryLevel, kMemoryLevels> kAllLevels = {
    MemoryLevel::kL1, MemoryLevel::kL2, MemoryLevel::kL3, MemoryLevel::kDram};
std::string_view LevelName(MemoryLevel level);  // "L1" ... "DRAM", as in ceiling ids

// The stored metric, summed over ranks.
Value MetricSum(const JobProfile& job, size_t path, MetricId metric);

// FLOPs of one precision, and of all. Missing for a precision where the CPU counts all together.
Value FlopsOf(const JobProfile& job, size_t path, Precision precision);
Value TotalFlops(const JobProfile& job, size_t path);
// FLOPs of all precisions together, where the CPU counts them so.
Value MixedFlopsOf(const JobProfile& job, size_t path);

// An interval, 0 to 1: its ends coincide where the counters tell.
struct Share {
  double least = 0, most = 0;
};
// Of the precision's FLOPs those done by fused multiply-adds; 0 without FLOPs.
Share FmaShare(const JobProfile& job, size_t path, Precision precision);

// Bytes; with an interval where they were extrapolated from the visits that were modelled.
Value Traffic(const JobProfile& job, size_t path, MemoryLevel level);
// What the cores' last-level misses alone suggest of memory traffic, in bytes: misses times the
// line size. An estimate (kModelled) where controllers cannot be read, never DRAM bytes: what
// prefetchers fetch and what is written back is not in it.
Value LastLevelMissBytes(const JobProfile& job, size_t path);
// FLOPs per byte, with the interval that the bytes have. Missing where no byte moved: the level
// cannot bind.
Value Intensity(const Value& flops, const Value& bytes);

// Seconds in the path of the rank that spent most, with the widest interval of a rank's time where
// visits took turns. Missing if no pass had real times.
Value SlowestTime(const JobProfile& job, size_t path);
// Seconds of the whole run, of the pass whose times are real.
Value WallTime(const JobProfile& job);
// SlowestTime() over WallTime().
Value TimeShare(const JobProfile& job, size_t path);

// Of all ranks' time in the path, the share inside MPI. Missing where that was not measured.
Value MpiShare(const JobProfile& job, size_t path);

// Of the time of the slowest rank, what it is longer than the time that the busiest rank spends
// outside MPI: what others wait for that rank is no waiting of the region. MpiShare() where time
// outside MPI is not known.
Value WaitingMpiShare(const JobProfile& job, size_t path);

// Time inside MPI is MPI's own work and no waiting: the job has one rank, or what MPI moves there
// (`copy_s`, of all ranks together) fills most of it.
bool MpiWorks(const JobProfile& job, size_t path, double copy_s);

// Of the threads' time in parallel regions, the share that they wait in OpenMP. Missing where that
// was not measured, or where the path has no parallel region.
Value OpenMpWaitShare(const JobProfile& job, size_t path);
// Of all ranks' time in the path, the share in which the threads of a parallel region wait all
// together: more than the work of its busiest thread takes.
Value OpenMpShare(const JobProfile& job, size_t path);

// Of its ranks' time: that in which the kernel worked for it, of each worker on average. Where one
// of several workers had all of it, it is so much more.
Value KernelShare(const JobProfile& job, size_t path);

// Of all instructions that were executed in the path, the share inside MPI calls and in OpenMP
// runtimes: no work, and in no other count.
Value InMpiInstructions(const JobProfile& job, size_t path);
Value InRuntimeInstructions(const JobProfile& job, size_t path);

// The counts of instructions may contain what ranks and threads execute while they wait: hardware
// counters ran on in MPI calls or in OpenMP runtimes, and nobody told that apart.
bool MayCountWaiting(const JobProfile& job, size_t path);

// Estimated share of the markers in a path's time, over all ranks: an upper bound.
Value MarkerShare(const JobProfile& job, size_t path);

// max / mean, 1 when balanced. A rank or worker that never entered counts as 0.
Value TimeImbalance(const JobProfile& job, size_t path);  // of time over ranks, see below
// The same of the time outside MPI: who waits in a collective for a slow rank seems as slow itself.
// TimeImbalance() is this wherever it is known.
Value BusyImbalance(const JobProfile& job, size_t path);
Value FlopImbalance(const JobProfile& job, size_t path);    // of FLOPs over ranks
Value WorkerImbalance(const JobProfile& job, size_t path);  // of FLOPs over all threads
// Of time over the threads of a rank: of the busiest thread of each parallel region, outside of
// which one thread works.
Value ThreadTimeImbalance(const JobProfile& job, size_t path);

// Only one of the threads that a rank of it has works in it: their number; else 0. Ranks of another
// program of the job may have more.
uint32_t ThreadsBesideSerial(const JobProfile& job, size_t path);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_WORK_H_
