// SPDX-License-Identifier: BSD-3-Clause
//
// Whole cache lines in random order, as many under way as the core can, where no prefetcher helps:
// the bottom of the DRAM ladder, and what a core has under way to a cache.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_RANDOM_LOAD_H_
#define ROOFMARK_BENCHMARKS_MACHINE_RANDOM_LOAD_H_

#include <vector>

#include "benchmarks/machine/buffer.h"
#include "benchmarks/machine/line_order.h"
#include "benchmarks/machine/load.h"

namespace roofmark {

class RandomLoad final : public Load {
 public:
  // In `slabs`, indexed by worker: `bytes` of those of `workers`, filled with small integers. Lines
  // come again only after all of them came.
  RandomLoad(uint64_t bytes, const std::vector<Buffer>* slabs,
             const std::vector<uint32_t>& workers);
  // Of one worker, in memory of its own that a cache keeps: every line came once, in the same
  // order, before each sample, so that the levels before this one hold none that comes soon.
  explicit RandomLoad(uint64_t bytes);

  uint64_t bytes() const { return order_.lines() * LineOrder::kLineBytes; }

  bool Prepare(uint32_t rank) override;
  // Lists the lines that Run visits; in memory of its own visits all of them, too.
  void Warm(uint32_t rank, uint64_t repeats) override;
  void Run(uint32_t rank, uint64_t repeats) override;
  bool Check(uint32_t rank) override;
  void Finish(uint32_t rank) override;
  uint64_t MostRepeats() const override;
  double WorkPerRepeat() const override;  // bytes

 private:
  struct alignas(64) Rank {
    uint64_t state = 0;              // where the next list begins
    std::vector<uint32_t> elements;  // the first one of each line that Run may visit
    uint64_t last_lines = 0;
    double last_sum = 0;
  };
  const double* DataOf(uint32_t rank) const;
  void List(Rank& rank, uint64_t lines) const;

  LineOrder order_;
  std::vector<Buffer> own_;  // that of the only worker, once it is there
  const std::vector<Buffer>* slabs_;
  std::vector<uint32_t> workers_;
  std::vector<Rank> ranks_;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_RANDOM_LOAD_H_
