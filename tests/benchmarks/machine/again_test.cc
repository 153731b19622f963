// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/again.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

MeasureTask TaskOf(const std::string& id, std::vector<uint32_t> workers) {
  MeasureTask task;
  task.id = id;
  task.on = {std::move(workers), 1};
  task.repeats = 100;
  task.settled = true;
  for (int i = 0; i < 6; ++i) task.rates.Add(20, true);
  return task;
}

// Reads of DRAM by two cores are slower than by one; those of L3 have nothing to do with it.
class Again : public ::testing::Test {
 protected:
  const std::vector<FigureContradiction> found_ = {
      {{"bandwidth.DRAM.read", 2, 1}, {"bandwidth.DRAM.read", 1, 1}, ""}};
  std::vector<MeasureTask> tasks_ = {TaskOf("bandwidth.DRAM.read", {0}),
                                     TaskOf("bandwidth.DRAM.read", {0, 1}),
                                     TaskOf("bandwidth.L3.read", {0})};
};

TEST_F(Again, BothPointsOfAContradictionAreMeasuredAnew) {
  const EarlierSamples earlier = ForgetContradictory(found_, tasks_);
  EXPECT_EQ(earlier.size(), 2u);
  for (const size_t i : {0u, 1u}) {
    EXPECT_TRUE(tasks_[i].rates.empty());
    EXPECT_FALSE(tasks_[i].settled);
    EXPECT_EQ(tasks_[i].repeats, 0u) << "calibrated anew";
  }
  EXPECT_TRUE(tasks_[2].settled);
}

TEST_F(Again, WhatTheTimeDidNotReachKeepsItsSamples) {
  const EarlierSamples earlier = ForgetContradictory(found_, tasks_);
  for (int i = 0; i < 3; ++i) tasks_[1].rates.Add(40, true);
  RestoreUnmeasured(earlier, 3, tasks_);
  EXPECT_EQ(tasks_[0].rates.accepted(), 6u);
  EXPECT_EQ(tasks_[1].rates.accepted(), 3u);
}

TEST_F(Again, FewOrDisturbedSamplesReplaceNone) {
  const EarlierSamples earlier = ForgetContradictory(found_, tasks_);
  tasks_[0].rates.Add(40, true);
  for (int i = 0; i < 9; ++i) tasks_[1].rates.Add(40, false);
  RestoreUnmeasured(earlier, 3, tasks_);
  EXPECT_EQ(tasks_[0].rates.accepted(), 6u);
  EXPECT_EQ(tasks_[1].rates.accepted(), 6u);
}

TEST_F(Again, NothingIsMeasuredAgainWithoutAContradiction) {
  EXPECT_TRUE(ForgetContradictory({}, tasks_).empty());
  EXPECT_TRUE(tasks_[0].settled);
}

}  // namespace
}  // namespace roofmark
