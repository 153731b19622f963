// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of one kind that a single core executes: in chains, or independent of each other.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_CORE_LOAD_H_
#define ROOFMARK_BENCHMARKS_MACHINE_CORE_LOAD_H_

#include <string_view>

#include "benchmarks/machine/load.h"

namespace roofmark {

struct CoreKernel {
  std::string_view name;   // the last word of its ceiling's id
  std::string_view label;  // for people
  double operations;       // of one repeat
  // Executes them and returns a value; `expected` is what that must be, and may take as long.
  double (*run)(uint64_t repeats);
  double (*expected)(uint64_t repeats);
};

// For one thread. Its rate is operations per second.
class CoreLoad final : public Load {
 public:
  explicit CoreLoad(const CoreKernel& kernel) : kernel_(kernel) {}

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
  CoreKernel kernel_;
  double result_ = 0;
  uint64_t repeats_ = 0;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_CORE_LOAD_H_
