// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/measure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace roofmark {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Matches;

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

// Figures of one run, compared with each other; nothing here knows the machine. Of figures that the
// file itself calls disturbed or noisy nothing is expected, nor of those that are missing where it
// says that the time was up, as on a busy machine. The others differ by twice and more.
class Figures {
 public:
  Figures(const Machine& machine, uint32_t cores) : machine_(machine), cores_(cores) {}
  void ExpectAbove(const std::string& id, double least) const {
    const std::optional<double> value = At(id);
    if (!value) return;
    EXPECT_GT(*value, least) << id << ", " << cores_;
  }
  void ExpectNotLess(const std::string& id, const std::string& other, double share = 1) const {
    const std::optional<double> value = At(id), of = At(other);
    if (!value || !of) return;
    EXPECT_GE(*value, *of * share) << id << ", " << other << ", " << cores_;
  }
  // Of a latency.
  void ExpectCycles(const std::string& id, double least, double most) const {
    const std::optional<double> ns = At(id), ghz = At("clock.scalar");
    if (!ns || !ghz) return;
    EXPECT_GE(*ns * *ghz, least) << id;
    EXPECT_LE(*ns * *ghz, most) << id;
  }

 private:
  std::optional<double> At(const std::string& id) const {
    const CeilingCurve* ceiling = machine_.Find(id);
    EXPECT_TRUE(ceiling != nullptr || TimeWasUp()) << id;
    if (ceiling == nullptr || !ceiling->note.empty()) return std::nullopt;
    return ValueAt(*ceiling, cores_);
  }
  bool TimeWasUp() const {
    return Matches(Contains(HasSubstr("because the time was up")))(machine_.warnings);
  }
  const Machine& machine_;
  uint32_t cores_;
};

TEST(MeasureMachine, QuickGivesAPlausibleMachine) {
  CountingProgress progress;
  MeasureOptions options;
  options.effort = Effort::kQuick;
  const auto machine = MeasureMachine(options, progress);
  ASSERT_TRUE(machine) << machine.error();
  EXPECT_GT(progress.calls, 10);
  EXPECT_FALSE(machine->partial);
  EXPECT_EQ(machine->effort, "quick");
  for (const CeilingCurve& ceiling : machine->ceilings) {
    for (const MachinePoint& point : ceiling.curve) EXPECT_GT(point.value, 0) << ceiling.id;
  }
  for (const uint32_t cores : {1u, machine->cores}) {
    const Figures figures(*machine, cores);
    figures.ExpectNotLess("bandwidth.L1.read", "bandwidth.L2.read");
    figures.ExpectNotLess("bandwidth.L2.read", "bandwidth.DRAM.read");
    figures.ExpectNotLess("bandwidth.L1.read", "bandwidth.DRAM.triad");
    figures.ExpectAbove("bandwidth.DRAM.read", 0.5);
    figures.ExpectAbove("bandwidth.DRAM.triad", 0.5);
    figures.ExpectNotLess("compute.dp.peak", "compute.dp.ilp.scalar");
    figures.ExpectNotLess("compute.dp.ilp.scalar", "compute.dp.chain.scalar");
    figures.ExpectNotLess("compute.sp.peak", "compute.dp.peak");
    // An addition takes one to ten cycles.
    figures.ExpectNotLess("clock.scalar", "compute.dp.chain.scalar", 1 / (1.05 * cores));
    figures.ExpectNotLess("compute.dp.chain.scalar", "clock.scalar", 0.05 * cores);
  }
#if defined(__x86_64__)
  const Figures figures(*machine, 1);
  figures.ExpectCycles("latency.misprediction", 5, 60);
  figures.ExpectCycles("latency.atomic", 1, 100);
  figures.ExpectNotLess("branch.random", "branch.one_way");
  // A core adds one to sixteen numbers in a cycle, and multiplies no more of them.
  figures.ExpectNotLess("throughput.int", "clock.scalar", 0.8);
  figures.ExpectNotLess("clock.scalar", "throughput.int", 1 / 16.0);
  figures.ExpectNotLess("throughput.int", "throughput.int_mul", 0.8);
#endif
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
