// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <utility>

#include "tests/lib/profile/sample_job.h"
#include "tests/support/held_clock.h"

namespace roofmark::cli {
namespace {

using roofmark::test::AddPath;
using roofmark::test::Set;

// Visits of "init" and "solve" on so many ranks.
JobProfile Job(const std::vector<uint64_t>& init, const std::vector<uint64_t>& solve) {
  JobProfile job = roofmark::test::EmptyJob(static_cast<uint32_t>(solve.size()));
  const size_t a = AddPath(job, "init"), b = AddPath(job, "solve");
  Set(job, a, metric::kVisits, init, "timer");
  Set(job, a, metric::kTimeNs, std::vector<uint64_t>(init.size(), 1000), "timer");
  Set(job, b, metric::kVisits, solve, "timer");
  Set(job, b, metric::kTimeNs, std::vector<uint64_t>(solve.size(), 3000), "timer");
  return job;
}

TEST(ShareDone, VisitsOverThoseOfTheTimePassWeighedByTheirTime) {
  const JobProfile time = Job({1, 1}, {100, 100});
  EXPECT_EQ(ShareDone(time, {}), std::nullopt) << "nobody is seen: other nodes, or not begun";
  EXPECT_DOUBLE_EQ(*ShareDone(time, {Job({0}, {0})}), 0);
  EXPECT_DOUBLE_EQ(*ShareDone(time, {Job({1}, {0})}), 0.25);
  EXPECT_DOUBLE_EQ(*ShareDone(time, {Job({1}, {50}), Job({1}, {50})}), 0.625);
  EXPECT_DOUBLE_EQ(*ShareDone(time, {Job({1}, {1000})}), 1) << "more visits than before";
}

TEST(ShareDone, WithoutTimesNothingIsKnown) {
  EXPECT_EQ(ShareDone(roofmark::test::EmptyJob(1), {Job({1}, {1})}), std::nullopt);
}

TEST(ProgressText, HasTheTimeLeftOnceItIsKnown) {
  EXPECT_EQ(ProgressText(std::nullopt, 30, {25, 281}), "30 s of 25 s to 5 min");
  EXPECT_EQ(ProgressText(0.001, 30, {25, 281}), "30 s of 25 s to 5 min");
  EXPECT_EQ(ProgressText(0.25, 30, {25, 281}), "25 %, 30 s, about 90 s left");
}

constexpr uint64_t kSecond = 1'000'000'000;

// Without a terminal there is one sentence, when enough is done to tell the rest from it.
TEST(PassForecast, IsToldOnce) {
  const test::HeldClock clock;
  const JobProfile time = Job({1}, {100});
  std::vector<JobProfile> running;
  std::vector<PassForecast::Found> told;
  int looks = 0;
  PassForecast forecast(
      time,
      [&] {
        ++looks;
        return running;
      },
      [&](const PassForecast::Found& found) { told.push_back(found); });
  const auto after = [&](uint64_t seconds) {
    held_clock_pass(seconds * kSecond);
    for (int i = 0; i < 3; ++i) forecast.Tick();
    return looks;
  };
  EXPECT_EQ(after(9), 0);
  EXPECT_EQ(after(1), 1);
  running = {Job({0}, {4})};  // 3 %
  EXPECT_EQ(after(10), 2);
  running = {Job({1}, {50})};
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(after(19), 2) << "each time after twice as long";
  EXPECT_EQ(after(1), 3);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_DOUBLE_EQ(told[0].share, 0.625);
  EXPECT_DOUBLE_EQ(told[0].elapsed_s, 40);
  EXPECT_DOUBLE_EQ(told[0].left_s, 24);
  EXPECT_EQ(after(400), 3);
}

// All visits have ended, and the program goes on: they tell nothing of the rest.
TEST(PassForecast, IsNotToldWhereNoVisitIsLeft) {
  const test::HeldClock clock;
  const JobProfile time = Job({1}, {100});
  bool told = false;
  PassForecast forecast(
      time, [] { return std::vector{Job({1}, {100})}; },
      [&](const PassForecast::Found&) { told = true; });
  held_clock_pass(10 * kSecond);
  forecast.Tick();
  EXPECT_FALSE(told);
}

// With a held clock, and a pipe in place of the terminal.
class PassProgressTest : public ::testing::Test {
 protected:
  PassProgressTest() { EXPECT_EQ(pipe2(ends_.data(), O_NONBLOCK), 0); }
  ~PassProgressTest() override {
    for (const int end : ends_) close(end);
  }
  // `looking_ns`: what looking takes.
  void Begin(std::vector<JobProfile> running, uint64_t looking_ns = 0) {
    progress_.emplace(
        time_, Expectation{25, 281},
        [this, running = std::move(running), looking_ns] {
          ++looks_;
          held_clock_pass(looking_ns);
          return running;
        },
        ends_[1]);
  }
  // Looks until then, from the begin on.
  int LooksAfter(uint64_t ns) {
    held_clock_pass(ns);
    for (int i = 0; i < 3; ++i) progress_->Tick();
    return looks_;
  }
  std::string Drawn() const {
    std::array<char, 1000> text{};
    const ssize_t bytes = read(ends_[0], text.data(), text.size());
    return {text.data(), bytes > 0 ? static_cast<size_t>(bytes) : 0};
  }

  const test::HeldClock clock_;
  const JobProfile time_ = Job({1}, {100});
  std::array<int, 2> ends_{};
  int looks_ = 0;
  std::optional<PassProgress> progress_;
};

TEST_F(PassProgressTest, AShortPassIsOverBeforeAnythingIsDrawn) {
  Begin({});
  EXPECT_EQ(LooksAfter(0), 0);
  EXPECT_EQ(LooksAfter(2 * kSecond - 1), 0);
  progress_.reset();
  EXPECT_EQ(Drawn(), "");
}

TEST_F(PassProgressTest, ItIsDrawnAfterTwoSecondsAndRenewedEachSecond) {
  Begin({Job({1}, {0})});
  EXPECT_EQ(LooksAfter(2 * kSecond), 1);
  EXPECT_EQ(Drawn(), "\r\033[Kroofmark: 25 %, 2.0 s, about 6.0 s left\r");
  EXPECT_EQ(LooksAfter(kSecond - 1), 1);
  EXPECT_EQ(LooksAfter(1), 2);
  EXPECT_EQ(Drawn(), "\r\033[Kroofmark: 25 %, 3.0 s, about 9.0 s left\r");
  progress_.reset();
  EXPECT_EQ(Drawn(), "\r\033[K\r") << "the line is cleared";
}

TEST_F(PassProgressTest, LookingTakesATwentiethOfTheTimeAtMost) {
  constexpr uint64_t kLook = kSecond / 2;
  Begin({}, kLook);
  EXPECT_EQ(LooksAfter(2 * kSecond), 1);
  EXPECT_EQ(Drawn(), "\r\033[Kroofmark: 2.5 s of 25 s to 5 min\r") << "looking is part of it";
  EXPECT_EQ(LooksAfter(20 * kLook - 1), 1);
  EXPECT_EQ(LooksAfter(1), 2);
}

}  // namespace
}  // namespace roofmark::cli
