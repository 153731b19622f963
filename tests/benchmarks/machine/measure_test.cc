// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <utility>
#include <vector>

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

// Compares figures of one run with each other and with the clock: nothing here knows the machine.
// Returns what cannot be.
std::vector<std::string> Implausible(const Machine& machine, uint32_t cores) {
  std::vector<std::string> found;
  const auto at = [&](const std::string& id) {
    const CeilingCurve* ceiling = machine.Find(id);
    if (ceiling == nullptr) found.push_back("no " + id);
    return ceiling == nullptr ? 0 : ValueAt(*ceiling, cores);
  };
  const auto expect = [&](bool holds, const std::string& what) {
    if (!holds) found.push_back(what + " on " + std::to_string(cores) + " cores");
  };
  const double l2 = at("bandwidth.L2.read"), dram = at("bandwidth.DRAM.read");
  expect(at("bandwidth.L1.read") >= l2, "L1 slower than L2");
  expect(l2 >= dram, "L2 slower than DRAM");
  expect(dram > 0.5, "DRAM read");
  expect(at("bandwidth.DRAM.triad") > 0.5, "DRAM triad");
  const double chain = at("compute.dp.chain.scalar"), ilp = at("compute.dp.ilp.scalar");
  const double peak = at("compute.dp.peak");
  expect(peak >= ilp, "peak below independent additions");
  expect(ilp >= chain, "independent additions slower than a chain");
  expect(at("compute.sp.peak") >= peak, "single precision slower than double");
  // An addition takes one to ten cycles.
  const double most = at("clock.scalar") * cores;
  expect(chain <= 1.05 * most && chain >= 0.05 * most, "cycles of an addition");
  return found;
}

// Other work on the machine disturbs a measurement: one of several must be without fault.
TEST(MeasureMachine, QuickGivesAPlausibleMachine) {
  constexpr int kTries = 5;
  std::vector<std::string> found;
  for (int i = 0; i < kTries; ++i) {
    CountingProgress progress;
    MeasureOptions options;
    options.effort = Effort::kQuick;
    const auto machine = MeasureMachine(options, progress);
    ASSERT_TRUE(machine) << machine.error();
    EXPECT_GT(progress.calls, 10);
    EXPECT_FALSE(machine->partial);
    EXPECT_EQ(machine->effort, "quick");
    found.clear();
    if (machine->seconds > 15) found.push_back("takes " + std::to_string(machine->seconds) + " s");
    for (const uint32_t cores : {1u, machine->cores}) {
      for (std::string& fault : Implausible(*machine, cores)) found.push_back(std::move(fault));
    }
    if (found.empty()) break;
  }
  EXPECT_THAT(found, testing::IsEmpty());
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

// A process that is killed says nothing any more.
TEST(MeasureMachine, TellsMeanwhileWhatItHas) {
  CountingProgress progress;
  std::atomic<bool> stop{false};
  std::vector<Machine> told;
  MeasureOptions options;
  options.effort = Effort::kQuick;
  options.stop = &stop;
  options.keep = [&](const Machine& so_far) {
    told.push_back(so_far);
    stop = told.size() == 2;
  };
  const auto machine = MeasureMachine(options, progress);
  ASSERT_TRUE(machine) << machine.error();
  ASSERT_FALSE(told.empty());
  for (const Machine& so_far : told) {
    EXPECT_TRUE(so_far.partial);
    EXPECT_NE(so_far.Find("bandwidth.DRAM.read"), nullptr);
    EXPECT_LE(so_far.ceilings.size(), machine->ceilings.size());
  }
  EXPECT_GT(told.front().seconds, 0);
  EXPECT_EQ(told.front().cpu_model, machine->cpu_model);
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
