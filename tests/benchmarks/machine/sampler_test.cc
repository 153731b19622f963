// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/sampler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

namespace roofmark {
namespace {

// The samplers' clock, which stands still but for the loads.
std::atomic<uint64_t> g_now_ns{0};
uint64_t FakeNow() noexcept { return g_now_ns; }

// Each repeat takes 10 us, and each run what the test says besides.
class FakeLoad final : public Load {
 public:
  bool Prepare(uint32_t) override { return prepares; }
  void Warm(uint32_t, uint64_t) override { ++warmed; }
  void Run(uint32_t, uint64_t repeats) override {
    g_now_ns += 10'000 * repeats + (runs < held_up_ns.size() ? held_up_ns[runs] : 0);
    ++runs;
  }
  bool Check(uint32_t) override { return right; }
  void Finish(uint32_t) override { ++finished; }
  uint64_t MostRepeats() const override { return most; }
  double WorkPerRepeat() const override { return 10'000; }  // 1e9 per second

  bool prepares = true, right = true;
  uint64_t most = 1 << 20;
  size_t runs = 0;
  std::vector<uint64_t> held_up_ns;  // of the first runs
  std::atomic<int> warmed{0}, finished{0};
};

class SamplerTest : public testing::Test {
 protected:
  SamplerTest()
      : topology_(*ReadTopology()), team_({topology_.cores[0]}, &FakeNow), sampler_(team_, 0.0005) {
    load_ = std::make_shared<FakeLoad>();
    task_.load = load_;
  }
  Topology topology_;
  Team team_;
  Sampler sampler_;
  std::shared_ptr<FakeLoad> load_;
  MeasureTask task_;
};

TEST_F(SamplerTest, CalibratesTheLengthOfASample) {
  sampler_.Round(task_, 4);
  EXPECT_EQ(task_.repeats, 50u) << "of 10 us in 0.5 ms";
  EXPECT_EQ(task_.rates.accepted() + task_.rates.rejected(), 4u);
  EXPECT_DOUBLE_EQ(task_.rates.Summary().min, 1);
  EXPECT_DOUBLE_EQ(task_.rates.Summary().max, 1);
  EXPECT_GT(task_.clock.Summary().max, 0);
  EXPECT_FALSE(task_.wrong);
  EXPECT_EQ(load_->warmed, static_cast<int>(load_->runs));
  EXPECT_EQ(load_->finished, 1);
}

// With 1, 2, 4 and 8 repeats a run takes too little; that with 8, 80 us, is done twice.
TEST_F(SamplerTest, OneRunThatIsHeldUpDecidesNothing) {
  load_->held_up_ns = {0, 0, 0, 1'000'000};
  sampler_.Round(task_, 2);
  EXPECT_EQ(task_.repeats, 50u);
  EXPECT_EQ(load_->runs, 5u + 2);
}

TEST_F(SamplerTest, ACalibrationThatWasHeldUpIsDoneAgain) {
  load_->held_up_ns = {1'000'000, 1'000'000};  // one repeat seems to take all of a sample
  sampler_.Round(task_, 3);
  EXPECT_EQ(task_.repeats, 50u);
  EXPECT_EQ(task_.rates.accepted() + task_.rates.rejected(), 3u);
  EXPECT_DOUBLE_EQ(task_.rates.Summary().min, 1) << "the sample that was too short is left out";
}

TEST_F(SamplerTest, KeepsToTheLongestSampleOfALoad) {
  load_->most = 7;
  sampler_.Round(task_, 2);
  EXPECT_LE(task_.repeats, 7u);
}

TEST_F(SamplerTest, MarksAWrongResult) {
  load_->right = false;
  sampler_.Round(task_, 1);
  EXPECT_TRUE(task_.wrong);
}

TEST_F(SamplerTest, MarksMissingMemory) {
  load_->prepares = false;
  sampler_.Round(task_, 1);
  EXPECT_TRUE(task_.no_memory);
  EXPECT_TRUE(task_.rates.empty());
}

TEST(Team, RunsEachRankOnItsOwnCpu) {
  const auto topology = ReadTopology();
  ASSERT_TRUE(topology) << topology.error();
  Team team(topology->cores);
  std::vector<std::atomic<int>> cpus(team.size());
  const auto timings = team.Time(
      team.All(), [](uint32_t) {}, [&](uint32_t rank) { cpus[rank] = sched_getcpu(); },
      [](uint32_t) {});
  for (uint32_t rank = 0; rank < team.size(); ++rank) {
    EXPECT_EQ(static_cast<uint32_t>(cpus[rank]), topology->cores[rank].cpu);
    EXPECT_GE(timings[rank].end_ns, timings[rank].begin_ns);
  }
  EXPECT_TRUE(team.unbound().empty());
}

TEST(Team, RunsTheNamedWorkersInTheirOrder) {
  const auto topology = ReadTopology();
  if (topology->cores.size() < 2) GTEST_SKIP() << "only one core is allowed";
  Team team(topology->cores);
  std::vector<std::atomic<int>> cpus(2);
  team.Run({1, 0}, [&](uint32_t rank) { cpus[rank] = sched_getcpu(); });
  EXPECT_EQ(static_cast<uint32_t>(cpus[0]), topology->cores[1].cpu);
  EXPECT_EQ(static_cast<uint32_t>(cpus[1]), topology->cores[0].cpu);
  std::atomic<int> ran{0};
  team.Run({1}, [&](uint32_t rank) { ran += 1 + static_cast<int>(rank); });
  EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace roofmark
