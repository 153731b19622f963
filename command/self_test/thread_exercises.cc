// SPDX-License-Identifier: BSD-3-Clause
//
// Do all threads count, those that were there before the region and those that it creates? Thread i
// does i times the work of the first, so that a swap, a double count or a lost thread shows.
#include <algorithm>
#include <barrier>
#include <latch>
#include <optional>
#include <thread>
#include <utility>

#include "command/self_test/kernel_work.h"
#include "command/self_test/laboratory.h"
#include "lib/core/cpu_list.h"

namespace roofmark::cli {
namespace {

// Its FLOPs and its instructions are both known.
std::optional<ComputeKernel> Mix() {
  for (const ComputeKernel& kernel : ComputeKernels()) {
    if (kernel.one_in == 4 && kernel.arithmetic == Arithmetic::kDouble) return kernel;
  }
  return std::nullopt;
}

void RunAsThread(const ComputeKernel& mix, size_t thread, uint64_t repeats) {
  double results[ComputeKernel::kMostResults];
  mix.run((thread + 1) * repeats, results);
}

std::vector<Known> KnownOfThreads(const Known& first, size_t threads) {
  std::vector<Known> all(threads, first);
  for (size_t i = 0; i < threads; ++i) {
    const auto times = static_cast<double>(i + 1);
    for (auto& [name, range] : all[i]) range = {range.least * times, range.most * times};
  }
  return all;
}

class Waiting {
 public:
  Waiting(const ComputeKernel& mix, size_t count) : line_(static_cast<ptrdiff_t>(count) + 1) {
    for (size_t i = 0; i < count; ++i) {
      threads_.emplace_back([this, mix, i] {
        for (;;) {
          line_.arrive_and_wait();
          if (ended_) return;
          RunAsThread(mix, i, repeats_);
          line_.arrive_and_wait();
        }
      });
    }
  }
  ~Waiting() {
    ended_ = true;
    line_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
  }
  void Run(uint64_t repeats) {
    repeats_ = repeats;
    line_.arrive_and_wait();
    line_.arrive_and_wait();
  }

 private:
  std::barrier<> line_;
  uint64_t repeats_ = 0;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

// None begins before all are there: the number of one that has ended may be given to the next.
void RunCreated(const ComputeKernel& mix, size_t count, uint64_t repeats) {
  std::latch all_there(static_cast<ptrdiff_t>(count));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      all_there.arrive_and_wait();
      RunAsThread(mix, i, repeats);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

void RunThreadExercises(Laboratory& laboratory) {
  const std::optional<ComputeKernel> mix = Mix();
  if (!mix) return;
  const size_t count = std::clamp<size_t>(CountCpus(AffinityCpuList()), 2, 4);
  const Known first =
      laboratory.OffersFlops() ? KnownFlops(ClassFlops(*mix)) : InstructionsOf(*mix);
  const std::vector<Known> known = KnownOfThreads(first, count);
  const uint64_t repeats =
      laboratory.Calibrate([&](uint64_t n) { RunAsThread(*mix, 0, n); }, kLeastIterations);
  const auto exercise = [&](std::string name) {
    return Laboratory::Exercise{
        Family::kThreads, std::move(name), {}, repeats / 4, repeats + repeats / 4};
  };
  {
    Waiting team(*mix, count);
    laboratory.RunOnThreads(exercise("begun before, thread"), known,
                            [&](uint64_t n) { team.Run(n); });
  }
  laboratory.RunOnThreads(exercise("begun inside, thread"), known,
                          [&](uint64_t n) { RunCreated(*mix, count, n); });
}

}  // namespace roofmark::cli
