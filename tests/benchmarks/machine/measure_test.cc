// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/measure.h"

#include <gtest/gtest.h>

#include <atomic>

namespace roofmark {
namespace {

class CountingProgress final : public Progress {
 public:
  explicit CountingProgress(std::atomic<bool>* stop = nullptr, int stop_after = 0)
      : stop_(stop), stop_after_(stop_after) {}
  void Update(double share, double seconds_left, std::string_view what) override {
    EXPECT_GE(share, last_share_);
    EXPECT_LE(share, 1);
    EXPECT_GE(seconds_left, 0);
    EXPECT_FALSE(what.empty());
    last_share_ = share;
    if (++calls == stop_after_) *stop_ = true;
  }
  int calls = 0;

 private:
  std::atomic<bool>* stop_;
  int stop_after_;
  double last_share_ = 0;
};

double At(const Machine& machine, const std::string& id, uint32_t cores) {
  const CeilingCurve* ceiling = machine.Find(id);
  EXPECT_NE(ceiling, nullptr) << id;
  return ceiling == nullptr ? 0 : ValueAt(*ceiling, cores);
}

// Compares figures of one run with each other and with the clock: nothing here knows the machine.
TEST(MeasureMachine, QuickGivesAPlausibleMachine) {
  CountingProgress progress;
  MeasureOptions options;
  options.effort = Effort::kQuick;
  const auto machine = MeasureMachine(options, progress);
  ASSERT_TRUE(machine) << machine.error();
  EXPECT_LE(machine->seconds, 15);
  EXPECT_GT(progress.calls, 10);
  EXPECT_FALSE(machine->partial);
  EXPECT_EQ(machine->effort, "quick");
  for (const uint32_t cores : {1u, machine->cores}) {
    const double l1 = At(*machine, "bandwidth.L1.read", cores);
    const double dram = At(*machine, "bandwidth.DRAM.read", cores);
    EXPECT_GE(l1, At(*machine, "bandwidth.L2.read", cores));
    EXPECT_GE(At(*machine, "bandwidth.L2.read", cores), dram);
    EXPECT_GT(dram, 0.5);
    EXPECT_GT(At(*machine, "bandwidth.DRAM.triad", cores), 0.5);
    const double chain = At(*machine, "compute.dp.chain.scalar", cores);
    const double ilp = At(*machine, "compute.dp.ilp.scalar", cores);
    EXPECT_GE(At(*machine, "compute.dp.peak", cores), ilp);
    EXPECT_GE(ilp, chain);
    EXPECT_GE(At(*machine, "compute.sp.peak", cores), At(*machine, "compute.dp.peak", cores));
    // An addition takes one to ten cycles.
    const double ghz = At(*machine, "clock.scalar", cores);
    EXPECT_LE(chain, 1.05 * ghz * cores);
    EXPECT_GE(chain, 0.05 * ghz * cores);
  }
}

TEST(MeasureMachine, KeepsWhatItHasWhenStopped) {
  std::atomic<bool> stop{false};
  CountingProgress progress(&stop, 12);
  MeasureOptions options;
  options.effort = Effort::kQuick;
  options.stop = &stop;
  const auto machine = MeasureMachine(options, progress);
  ASSERT_TRUE(machine) << machine.error();
  EXPECT_TRUE(machine->partial);
  EXPECT_NE(machine->Find("bandwidth.DRAM.read"), nullptr);  // the first to be measured
  EXPECT_EQ(machine->Find("compute.sp.sqrt.scalar"), nullptr);
}

TEST(MeasureMachine, StoppedAtOnceHasNoCeilingsButIsValid) {
  std::atomic<bool> stop{true};
  CountingProgress progress;
  MeasureOptions options;
  options.effort = Effort::kQuick;
  options.stop = &stop;
  const auto machine = MeasureMachine(options, progress);
  ASSERT_TRUE(machine) << machine.error();
  EXPECT_TRUE(machine->partial);
  EXPECT_TRUE(machine->ceilings.empty());
}

}  // namespace
}  // namespace roofmark
