// SPDX-License-Identifier: BSD-3-Clause
//
// What a sample executes: one kernel bound to its data, on some number of pinned threads.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_LOAD_H_
#define ROOFMARK_BENCHMARKS_MACHINE_LOAD_H_

#include <cstdint>

namespace roofmark {

// Each function is called on the thread of that rank, for all ranks of the team side by side; what
// belongs to one rank is touched by that rank only.
class Load {
 public:
  virtual ~Load() = default;

  // Fresh data for a round of samples. False: no memory.
  virtual bool Prepare(uint32_t rank) = 0;
  // Untimed, directly before each Run: fills caches, wakes wide units.
  virtual void Warm(uint32_t rank, uint64_t repeats) = 0;
  virtual void Run(uint32_t rank, uint64_t repeats) = 0;
  // Did the last Run compute what it must?
  virtual bool Check(uint32_t rank) = 0;
  // Releases what Prepare took.
  virtual void Finish(uint32_t rank) = 0;

  // A sample may not be longer.
  virtual uint64_t MostRepeats() const { return uint64_t{1} << 40; }

  // FLOPs or useful bytes of one repeat on one thread.
  virtual double WorkPerRepeat() const = 0;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_LOAD_H_
