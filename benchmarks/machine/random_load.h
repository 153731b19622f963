// SPDX-License-Identifier: BSD-3-Clause
//
// Whole cache lines in random order, as many under way as the core can: the bottom of the DRAM
// ladder, where no prefetcher helps.
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

  bool Prepare(uint32_t rank) override;
  void Warm(uint32_t rank, uint64_t repeats) override;  // lists the lines that Run visits
  void Run(uint32_t rank, uint64_t repeats) override;
  bool Check(uint32_t rank) override;
  void Finish(uint32_t rank) override;
  uint64_t MostRepeats() const override;
  double WorkPerRepeat() const override;  // bytes

 private:
  struct alignas(64) Rank {
    uint64_t state = 0;              // where the next Run begins
    std::vector<uint32_t> elements;  // the first one of each line of this Run
    double last_sum = 0;
  };
  const double* DataOf(uint32_t rank) const;

  LineOrder order_;
  const std::vector<Buffer>* slabs_;
  std::vector<uint32_t> workers_;
  std::vector<Rank> ranks_;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_RANDOM_LOAD_H_
