// SPDX-License-Identifier: BSD-3-Clause
//
// Visits that take turns (ROOFMARK_VISITS=in-turns): which are timed, which are counted, and what
// counting costs. The main thread decides, where it begins a region of the team and no region
// around it has been decided: for this visit and all that begins in it, on all threads. The first
// visit of a region is not decided: it is timed, and the regions inside it take turns by
// themselves.
#ifndef ROOFMARK_MARKERS_TURNS_H_
#define ROOFMARK_MARKERS_TURNS_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "collectors/collector.h"
#include "lib/core/kernel_counts.h"
#include "lib/core/settings.h"
#include "lib/counts/visit_turns.h"
#include "lib/spool/accumulator.h"
#include "markers/path_table.h"

namespace roofmark::markers {

// The time of a region of which fewer visits were timed says little.
inline constexpr uint64_t kLeastTimed = counts::kLeastPairs;

// Of a visit. Trivial.
struct Turn {
  uint8_t timed : 1;
  uint8_t counted : 1;
  uint8_t decided : 1;  // by this visit, for what is inside it
  uint8_t open : 1;     // nothing was decided
  uint8_t stratum : 3;

  // What is so inside of it.
  Turn Inside() const {
    Turn turn = *this;
    turn.decided = turn.open = 0;
    return turn;
  }
};
static_assert(sizeof(Turn) == 1 && counts::kStrata == 8);

// What else is known of a visit whose time is: as in spool::DeclaredWork.
struct BesideTime {
  uint64_t mpi_ticks = 0;
  uint64_t parallel_ticks = 0, team_ticks = 0, busy_ticks = 0, busiest_ticks = 0;
  KernelCounts kernel;
};

// What is known of a path in the end.
struct PathTurns {
  std::array<uint64_t, counts::kStrata> counted{};  // visits
  // Visits that were timed, without those that are open: the first one.
  std::array<uint64_t, counts::kStrata> timed{}, timed_ticks{};
  uint64_t least_ticks = UINT64_MAX;  // of one of them
  // Of all but the longest one, which may have been interrupted; of that one if it is alone.
  uint64_t most_ticks = 0;
  // Decided visits that were counted, and not timed; of them those inside an open one, whose time
  // is in that of the regions around.
  uint64_t alone = 0, alone_ticks = 0;
  uint64_t alone_in_open = 0, alone_in_open_ticks = 0;
  // All visits that were counted and not timed, decided by themselves or around; ticks with what
  // counting took.
  uint64_t untimed = 0, untimed_ticks = 0;
  std::optional<double> cost;  // of counting, over the time; where pairs were compared
  bool at_once = false;        // later visits were timed and counted
  BesideTime first;            // of the open visit that ended first; nothing if none did
};

// Of a path.
struct VisitsAfterFirst {
  uint64_t visits = 0, ticks = 0;
  double Mean() const { return static_cast<double>(ticks) / static_cast<double>(visits); }
};
VisitsAfterFirst TimedAfterFirst(const PathTurns& of);

// What the first visit took, of `timed` ones that took `ticks`, if it is the one that took no turn;
// nothing if no other one was timed.
std::optional<uint64_t> FirstTicks(const PathTurns& of, uint64_t timed, uint64_t ticks);

// Half the width of the interval (95 %) of the ticks of `rest` other visits, by those that were
// timed after the first one. Nothing if too few were.
std::optional<double> MarginOfTicks(const PathTurns& of, uint64_t rest);

// Begin and End of regions of the team are the main thread's. Allocates memory at a path's first
// visit.
class Turns {
 public:
  void Start(const VisitPolicy& visits, const Collector* collector);
  bool on() const { return on_; }

  struct Visit {
    uint32_t path;
    uint64_t number;
    bool main, team;  // the main thread's; a region of the team
    bool outermost;   // not inside another of its path
  };
  // At its begin.
  Turn Begin(const Visit& visit) noexcept;
  // At its end; it took `ticks`.
  void End(uint32_t path, Turn turn, uint64_t ticks) noexcept;
  // After that; `work` is what the main thread has in the path until now.
  void KeepFirst(uint32_t path, Turn turn, const spool::DeclaredWork& work) noexcept;

  // Any thread, at any time.
  PathTurns Of(uint32_t path) const noexcept;

 private:
  struct Known {
    std::array<std::atomic<uint64_t>, counts::kStrata> counted{}, timed{}, timed_ticks{};
    std::atomic<uint64_t> least_ticks{UINT64_MAX}, longest_ticks{0}, second_ticks{0};
    std::atomic<uint64_t> alone{0}, alone_ticks{0}, alone_in_open{0}, alone_in_open_ticks{0};
    std::atomic<uint64_t> untimed{0}, untimed_ticks{0};
    std::atomic<double> cost{0};
    std::atomic<uint64_t> pairs{0};
    std::atomic<bool> at_once{false};
    BesideTime first;  // written once, before `has_first` is set
    std::atomic<bool> has_first{false};
    // The main thread's alone.
    counts::PairTimes times;
    uint64_t half_pair = UINT64_MAX, half_ticks = 0;  // a pair of which one visit has ended
  };
  static constexpr uint32_t kChunk = 64, kChunks = kMaxPaths / kChunk + 1;
  struct Chunk {
    std::array<Known, kChunk> paths;
  };

  Known* Find(uint32_t path) const noexcept;
  Known* FindOrMake(uint32_t path) noexcept;
  void Compare(Known& known, Turn turn, uint64_t ticks) const noexcept;
  static void KeepExtremes(Known& known, uint64_t ticks) noexcept;

  bool on_ = false;
  // What the outermost decided visit that is open decided; `open` if there is none.
  std::atomic<Turn> in_force_{Turn{1, 1, 0, 1, 0}};
  // The main thread's alone.
  uint32_t open_ = 0;           // open visits around
  uint64_t decided_visit_ = 0;  // number of the one in force
  uint8_t stratum_ = 0;         // of the last one that was counted
  std::array<std::atomic<Chunk*>, kChunks> chunks_{};
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_TURNS_H_
