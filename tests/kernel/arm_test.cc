// SPDX-License-Identifier: BSD-3-Clause
//
// The perf_event collector, built for AArch64, on a core whose PMU the emulator really has: it
// counts retired instructions, one by one. The machine's clock counts instructions too, so nothing
// here depends on the host.
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <thread>
#include <vector>

#include "collectors/hardware/threads/delta.h"
#include "collectors/perf_event/perf_event.h"

namespace roofmark {
namespace {

constexpr int kThreads = 6;
constexpr uint64_t kLeadersLoop = 1'000'000;  // longer than the others' short one

// 2 n instructions.
void Loop(uint64_t n) { asm volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r"(n) : : "cc"); }

uint64_t LongLoop(int thread) { return 10'000'000 + 1000 * static_cast<uint64_t>(thread); }

class Sums final : public HarvestSink {
 public:
  void Add(uint32_t, uint32_t path, MetricId metric, uint64_t value) override {
    if (metric == metric::kInstructions) instructions[path].push_back(value);
  }
  void AddInclusive(uint32_t, MetricId, uint64_t) override {}
  void AddShared(std::string_view, MetricId, const Distribution&, Status) override {}
  void Doubt(uint32_t path, MetricId metric, Status) override {
    if (metric == metric::kInstructions) ++doubts;
  }

  std::map<uint32_t, std::vector<uint64_t>> instructions;
  int doubts = 0;
};

class ArmTest : public testing::Test {
 protected:
  void SetUp() override {
    collector_ = MakePerfEventCollector();
    const auto offered = collector_->Open({});
    ASSERT_TRUE(offered) << offered.error();
  }

  std::unique_ptr<Collector> collector_;
};

// Never inlined: the instructions around the loop are always the same.
__attribute__((noinline)) void Visit(Collector& collector, uint32_t path, uint64_t n) {
  collector.EnterOwn(path);
  Loop(n);
  collector.EnterOwn(0);
}

// Both paths of a thread are alike but for the length of one loop.
TEST_F(ArmTest, OwnRegionsOfAllThreadsCountEveryInstruction) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([this, t] {
      const uint32_t brief = 10 + t, lengthy = 20 + t, warm_up = 30;
      for (const uint32_t path : {warm_up, warm_up, lengthy, brief, brief}) {
        Visit(*collector_, path, 1);
      }
      Visit(*collector_, lengthy, LongLoop(t));
    });
  }
  for (std::thread& thread : threads) thread.join();
  Sums sums;
  collector_->Harvest(sums);
  EXPECT_EQ(sums.doubts, 0);
  for (uint32_t t = 0; t < kThreads; ++t) {
    ASSERT_EQ(sums.instructions[10 + t].size(), 1u);
    ASSERT_EQ(sums.instructions[20 + t].size(), 1u);
    const uint64_t brief = sums.instructions[10 + t][0], lengthy = sums.instructions[20 + t][0];
    EXPECT_EQ(lengthy - brief, 2 * (LongLoop(t) - 1)) << "thread " << t;
    printf("  thread %u: %lu instructions, residual %ld\n", t, lengthy,
           static_cast<long>(lengthy - brief - 2 * (LongLoop(t) - 1)));
  }
}

// A worker that waits in the kernel for each order, so that it retires nothing while it waits.
class Worker {
 public:
  Worker() {
    EXPECT_EQ(pipe(orders_), 0);
    EXPECT_EQ(pipe(answers_), 0);
    thread_ = std::thread([this] {
      for (uint64_t n = 0; read(orders_[0], &n, sizeof(n)) == sizeof(n) && n != 0;) {
        Loop(n);
        if (write(answers_[1], &n, sizeof(n)) != sizeof(n)) return;
      }
    });
  }
  ~Worker() {
    Order(0);
    thread_.join();
    for (const int end : {orders_[0], orders_[1], answers_[0], answers_[1]}) close(end);
  }
  void Order(uint64_t n) { EXPECT_EQ(write(orders_[1], &n, sizeof(n)), ssize_t{sizeof(n)}); }
  void Await() {
    uint64_t n;
    EXPECT_EQ(read(answers_[0], &n, sizeof(n)), ssize_t{sizeof(n)});
  }

 private:
  int orders_[2], answers_[2];
  std::thread thread_;
};

TEST_F(ArmTest, TheLeaderReadsWhatItsTeamRetired) {
  std::vector<std::unique_ptr<Worker>> team;
  for (int t = 0; t < kThreads; ++t) team.push_back(std::make_unique<Worker>());
  const auto visit = [&](uint32_t path, bool lengthy) {
    collector_->EnterTeam(path);
    Loop(kLeadersLoop);
    for (int t = 0; t < kThreads; ++t) {
      team[t]->Order(lengthy ? LongLoop(t) : 1);
      team[t]->Await();
    }
    usleep(5000);  // all wait again
    collector_->EnterTeam(0);
  };
  for (const uint32_t path : {3, 3, 1, 2, 1}) visit(path, false);
  visit(2, true);
  team.clear();
  Sums sums;
  collector_->Harvest(sums);
  EXPECT_EQ(sums.doubts, 0);
  auto brief = sums.instructions[1], lengthy = sums.instructions[2];
  std::sort(brief.begin(), brief.end());
  std::sort(lengthy.begin(), lengthy.end());
  // The leader comes last where the workers' loops are short, and first where they are long.
  ASSERT_EQ(lengthy.size(), kThreads + 1u);
  ASSERT_EQ(brief.size(), kThreads + 1u);
  EXPECT_EQ(brief[0], brief[kThreads - 1]) << "all workers are alike";
  for (int t = 0; t < kThreads; ++t) {
    const auto residual = lengthy[1 + t] - brief[0] - 2 * (LongLoop(t) - 1);
    printf("  worker %d: residual %ld\n", t, static_cast<long>(residual));
    EXPECT_EQ(lengthy[1 + t] - brief[0], 2 * (LongLoop(t) - 1)) << "thread " << t;
  }
}

// One group for each event, as the collector opens what does not fit on the counters.
TEST_F(ArmTest, EventsThatTakeTurnsAreScaledToTheTruth) {
  collector_.reset();
  constexpr int kEvents = 12;
  constexpr uint64_t kIterations = 400'000'000;
  std::vector<int> events;
  for (int i = 0; i < kEvents; ++i) {
    perf_event_attr attr{};
    attr.size = sizeof(attr);
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.exclude_kernel = 1;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    events.push_back(static_cast<int>(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0)));
    ASSERT_GE(events.back(), 0) << "event " << i;
  }
  std::vector<threads::Total> before(kEvents), after(kEvents);
  const auto all = [&](std::vector<threads::Total>& totals) {
    for (int i = 0; i < kEvents; ++i) {
      uint64_t words[3];
      ASSERT_EQ(read(events[i], words, sizeof(words)), ssize_t{sizeof(words)});
      totals[i] = {words[0], words[1], words[2]};
    }
  };
  all(before);
  Loop(kIterations);
  all(after);
  for (int i = 0; i < kEvents; ++i) {
    const threads::Estimate estimate = threads::Scale(threads::Difference(before[i], after[i]));
    EXPECT_EQ(estimate.status, Status::kScaled);
    EXPECT_LT(estimate.share, 0.75);
    const double ratio = static_cast<double>(estimate.value) / (2.0 * kIterations);
    printf("  counted %.3f of the time, scaled %.5f of the truth\n", estimate.share, ratio);
    EXPECT_NEAR(ratio, 1, 0.01);
    close(events[i]);
  }
}

}  // namespace
}  // namespace roofmark
