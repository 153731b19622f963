// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_LOAD_H_
#define ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_LOAD_H_

#include <array>
#include <vector>

#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/load.h"

namespace roofmark {

class ComputeLoad final : public Load {
 public:
  ComputeLoad(const ComputeKernel& kernel, uint32_t threads) : kernel_(kernel), ranks_(threads) {}

  bool Prepare(uint32_t) override { return true; }
  void Warm(uint32_t rank, uint64_t repeats) override { Run(rank, repeats / 8 + 1); }
  void Run(uint32_t rank, uint64_t repeats) override {
    ranks_[rank].iterations = repeats;
    kernel_.run(repeats, ranks_[rank].results.data());
  }
  bool Check(uint32_t rank) override {
    return CheckResults(kernel_, ranks_[rank].iterations, ranks_[rank].results.data());
  }
  void Finish(uint32_t) override {}
  double WorkPerRepeat() const override { return kernel_.flops_per_iteration; }

 private:
  struct alignas(64) Rank {
    std::array<double, ComputeKernel::kMostResults> results;
    uint64_t iterations = 0;
  };
  ComputeKernel kernel_;
  std::vector<Rank> ranks_;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_LOAD_H_
