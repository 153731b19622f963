// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_BENCHMARKS_MACHINE_CHAIN_LOAD_H_
#define ROOFMARK_BENCHMARKS_MACHINE_CHAIN_LOAD_H_

#include "benchmarks/machine/chain_kernels.h"
#include "benchmarks/machine/load.h"

namespace roofmark {

// For one thread. Its rate is operations per second.
class ChainLoad final : public Load {
 public:
  explicit ChainLoad(const ChainKernel& kernel) : kernel_(kernel) {}

  bool Prepare(uint32_t) override { return true; }
  void Warm(uint32_t, uint64_t repeats) override { kernel_.run(repeats / 8 + 1); }
  void Run(uint32_t, uint64_t repeats) override {
    repeats_ = repeats;
    result_ = kernel_.run(repeats);
  }
  bool Check(uint32_t) override { return result_ == kernel_.expected(repeats_); }
  void Finish(uint32_t) override {}
  double WorkPerRepeat() const override { return kernel_.operations; }

 private:
  ChainKernel kernel_;
  double result_ = 0;
  uint64_t repeats_ = 0;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_CHAIN_LOAD_H_
