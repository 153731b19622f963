// SPDX-License-Identifier: BSD-3-Clause
//
// A memory kernel walking around its working set, piece by piece: a sample is a window of the walk
// and need not cover it all, so samples stay short however large the set is.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_MEMORY_LOAD_H_
#define ROOFMARK_BENCHMARKS_MACHINE_MEMORY_LOAD_H_

#include <vector>

#include "benchmarks/machine/buffer.h"
#include "benchmarks/machine/load.h"
#include "benchmarks/machine/memory_kernels.h"

namespace roofmark {

// Lays out arrays b, a, c one after another, as many as `parts`, in `bytes` of memory; the others
// are null. Returns their length in elements, a whole number of blocks.
size_t SplitArrays(uint32_t parts, char* data, size_t bytes, Arrays* arrays);

class MemoryLoad final : public Load {
 public:
  // In memory of its own, fresh in every round: `bytes` per thread. The whole set is passed over
  // before each sample.
  MemoryLoad(MemoryKernel kernel, size_t bytes, uint32_t threads, Pages pages = Pages::kHuge);
  // In `slabs`, indexed by worker, shared with other loads and too large to be filled for each:
  // `bytes` of those of `workers`, filled as three arrays (reads use them as one).
  enum class Before {
    kPass,   // Prepare passes over the whole set once: what fits in a cache is there
    kEvict,  // each sample is preceded by the same kernel on a quarter of the set, half a walk
             // ahead: the window's lines are evicted and the cache holds its usual share of
             // unwritten lines; other loads may have left either in any state
  };
  MemoryLoad(MemoryKernel kernel, size_t bytes, const std::vector<Buffer>* slabs,
             const std::vector<uint32_t>& workers, Before before);

  bool Prepare(uint32_t rank) override;
  void Warm(uint32_t rank, uint64_t repeats) override;
  void Run(uint32_t rank, uint64_t repeats) override;
  bool Check(uint32_t rank) override;
  void Finish(uint32_t rank) override;
  uint64_t MostRepeats() const override;
  double WorkPerRepeat() const override;

 private:
  struct alignas(64) Rank {
    Buffer own;
    Arrays arrays;
    size_t next = 0;                        // piece at which the next Run begins
    size_t last_first = 0, last_count = 0;  // elements of the last call, for Check
    uint64_t last_passes = 0;
    double last_sum = 0;
  };
  // Runs over `count` pieces from `first` on, around the end if need be.
  void Walk(Rank& rank, size_t first, size_t count);

  // In nothing yet.
  struct Parts {
    uint32_t count;
  };
  MemoryLoad(MemoryKernel kernel, size_t bytes, Parts parts, uint32_t threads);

  MemoryKernel kernel_;
  size_t bytes_;
  uint32_t parts_;  // arrays that the memory is divided into
  Pages pages_ = Pages::kHuge;
  const std::vector<Buffer>* slabs_ = nullptr;
  std::vector<uint32_t> workers_;  // whose slabs the ranks have
  Before before_ = Before::kPass;
  size_t pieces_ = 1, piece_ = 0;  // pieces of the walk, elements of one
  std::vector<Rank> ranks_;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_MEMORY_LOAD_H_
