// SPDX-License-Identifier: BSD-3-Clause
//
// What one thread has accumulated in one path, as it lies in memory and in the spool. Written by
// that thread alone; read by another one at the end, or after a crash: updates go to the copy that
// is not current and are then made current, so a reader always finds a whole one.
#ifndef ROOFMARK_LIB_SPOOL_ACCUMULATOR_H_
#define ROOFMARK_LIB_SPOOL_ACCUMULATOR_H_

#include <atomic>
#include <cstdint>

namespace roofmark::spool {

// A word that one thread writes and another one may read meanwhile: as cheap as plain memory.
template <class Word>
void Put(Word& word, Word value) {
  __atomic_store_n(&word, value, __ATOMIC_RELAXED);
}
template <class Word>
Word Get(const Word& word) {
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

struct Totals {
  uint64_t visits = 0;
  uint64_t measured = 0;  // visits that were measured
  uint64_t ticks = 0;     // of measured visits, outermost of a recursion only
};

// One cache line, so that threads never share one.
struct alignas(64) Accumulator {
  std::atomic<uint32_t> sequence{0};
  uint32_t active = 0;  // frames of this path on the thread's stack
  uint64_t begun = 0;   // visits begun, finished or not
  Totals copies[2];

  const Totals& Current() const { return copies[sequence.load(std::memory_order_acquire) & 1]; }
  // ~2 ns. `measured` is 0 or 1.
  void Commit(uint64_t measured, uint64_t ticks) {
    const uint32_t sequence_now = sequence.load(std::memory_order_relaxed);
    const Totals& old = copies[sequence_now & 1];
    Totals& next = copies[(sequence_now + 1) & 1];
    Put(next.visits, old.visits + 1);
    Put(next.measured, old.measured + measured);
    Put(next.ticks, old.ticks + ticks);
    sequence.store(sequence_now + 1, std::memory_order_release);
  }
};
static_assert(sizeof(Accumulator) == 64);

// Whether an accumulator as it was found can be believed. `sequence` counts commits, each of which
// is one visit, so its visits' low half says whether a copy is the one that it was made current as.
enum class AccumulatorState {
  kWhole,
  kTorn,     // the current copy is not what it should be; `totals` are those before it
  kDamaged,  // neither is
};
struct AccumulatorReading {
  AccumulatorState state = AccumulatorState::kDamaged;
  Totals totals;
  uint32_t active = 0;
};
// Reads an accumulator that nobody writes meanwhile.
AccumulatorReading ReadAccumulator(const Accumulator& accumulator) noexcept;
// Copies an accumulator whose thread goes on, so that ReadAccumulator believes the copy. ~10 ns.
void CopyAccumulator(const Accumulator& live, Accumulator& copy) noexcept;

inline constexpr uint32_t kPathsPerBlock = 64;  // paths in a row

// Work declared by ROOF_REGION_WORK and ROOF_REGION_OPERATIONS, time inside MPI and in
// parallel regions, what the kernel did, and pauses: rare, so they lie apart.
struct DeclaredWork {
  std::atomic<uint64_t> flops{0};
  std::atomic<uint64_t> bytes{0};
  std::atomic<uint64_t> operations{0};
  std::atomic<uint64_t> dropped{0};  // operations of another kind
  std::atomic<uint32_t> kind{0};     // name of the operations; 0: none yet
  std::atomic<uint64_t> mpi_ticks{0};
  // Of OpenMP's parallel regions: as in ThreadPathTotals.
  std::atomic<uint64_t> parallel_ticks{0}, team_ticks{0}, busy_ticks{0}, busiest_ticks{0};
  std::atomic<uint64_t> pauses{0};  // of the recording, while a visit was open
  std::atomic<uint64_t> page_faults{0}, system_ns{0}, preemptions{0};
  std::atomic<uint64_t> longest_ticks{0};  // of a visit
};

// Only the thread whose work it is calls this.
inline void Raise(std::atomic<uint64_t>& sum, uint64_t by) {
  sum.store(sum.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_ACCUMULATOR_H_
