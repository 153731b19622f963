// SPDX-License-Identifier: BSD-3-Clause
//
// Time of threads in OpenMP's parallel regions: what a thread does in the body of one, and what it
// waits. Whoever knows the runtime (gomp.cc, ompt.cc) says what happens on the calling thread.
//
// Parallel regions within parallel regions are work of the threads that begin them. Nothing here
// takes memory or a lock. A time that is lost, because the program leaves a body by longjmp or
// pthread_exit, is that of one parallel region.
#ifndef ROOFMARK_MARKERS_OPENMP_WAIT_TEAM_H_
#define ROOFMARK_MARKERS_OPENMP_WAIT_TEAM_H_

#include <atomic>
#include <cstdint>

namespace roofmark::openmp_wait {

// One parallel region under way. Teams lie in a table that is never freed, so that a thread that
// is late reaches no memory of others.
struct alignas(64) Team {
  std::atomic<bool> taken{false};
  uint64_t start = 0;
  std::atomic<uint32_t> threads{0};
  std::atomic<uint64_t> busy{0};     // ticks of all threads
  std::atomic<uint64_t> busiest{0};  // of these, the most of one thread
};

// Somebody wants to know.
bool IsWanted() noexcept;

// As FollowInto(Layer::kRuntime), but for work from MeasureNoMore() on.
uint32_t FollowIntoRuntime() noexcept;

// The calling thread begins a parallel region. nullptr if it is not measured: it lies in another,
// nothing records, or too many threads have begun one.
Team* BeginTeam() noexcept;
// `team` was begun where the program calls the runtime. If the runtime tells of the parallel
// region, too, it is measured there: TakeOver() on this thread gives it, once, and `team` becomes
// nullptr. nullptr: nothing is handed over any more.
void HandOver(Team** team) noexcept;
Team* TakeOver() noexcept;
// No parallel region is measured from here on: what threads do in waits is not seen.
void MeasureNoMore() noexcept;
// It has ended, for all of the team.
void EndTeam(Team* team) noexcept;

// The calling thread begins its share of a team's work; it has done it, but for tasks.
void BeginBody(Team* team) noexcept;
void EndBody() noexcept;
// Its team may have ended already: what it did since it was told is not the team's.
void LeaveBody() noexcept;
// In a wait: what it has done until now.
void TellTeam() noexcept;

// It waits in the runtime. Waits may nest. No effect outside of bodies.
void BeginWait() noexcept;
void EndWait() noexcept;

// In a wait, or after its share, it executes a task. What is returned belongs to EndTask.
struct Interrupted {
  uint32_t waits;
  bool in_body;
  uint32_t layer;  // as FollowInto returned it
};
Interrupted BeginTask() noexcept;
void EndTask(Interrupted before) noexcept;

}  // namespace roofmark::openmp_wait

#endif  // ROOFMARK_MARKERS_OPENMP_WAIT_TEAM_H_
