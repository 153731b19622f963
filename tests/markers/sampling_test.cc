// SPDX-License-Identifier: BSD-3-Clause
#include "markers/sampling.h"

#include <gtest/gtest.h>

#include <set>

namespace roofmark::markers {
namespace {

class Switched final : public Collector {
 public:
  std::string_view Name() const override { return "switched"; }
  Result<std::vector<OfferedMetric>> Open(const Settings&) override {
    return std::vector<OfferedMetric>{};
  }
  void SetCounting(Extent extent) noexcept override {
    EXPECT_NE(extent, counting);
    counting = extent;
    ++switches;
  }
  Extent counting = Extent::kAll;
  int switches = 0;
};

class SamplingTest : public testing::Test {
 protected:
  bool Visit(spool::Accumulator& accumulator) {
    const bool measured = sampling_.Begin(&accumulator);
    accumulator.Commit(measured ? 1 : 0, 1);
    if (measured) sampling_.End();
    return measured;
  }
  // So often as makes the collector rest with first:1.
  void VisitOften(spool::Accumulator& accumulator) {
    for (int i = 0; i < 8; ++i) Visit(accumulator);
  }
  Switched collector_;
  Sampling sampling_;
};

TEST_F(SamplingTest, AfterTheFirstVisitsOfAllRegionsTheCollectorRests) {
  sampling_.Start({VisitPolicy::Kind::kFirst, 2}, &collector_);
  spool::Accumulator a, b;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(Visit(a));
    EXPECT_TRUE(Visit(b));
  }
  VisitOften(a);
  EXPECT_TRUE(IsStratum(collector_.counting));
  VisitOften(b);
  EXPECT_EQ(collector_.counting, Extent::kCheap);
  EXPECT_FALSE(Visit(a));
  spool::Accumulator late;
  EXPECT_TRUE(Visit(late));
  EXPECT_TRUE(IsStratum(collector_.counting)) << "a region never seen before wakes it";
}

TEST_F(SamplingTest, FirstVisitsAreCountedApart) {
  sampling_.Start({VisitPolicy::Kind::kFirst, 2}, &collector_);
  spool::Accumulator a, b;
  EXPECT_TRUE(sampling_.Begin(&a));
  EXPECT_EQ(collector_.counting, Extent::kFirst);
  a.Commit(1, 1);
  sampling_.End();
  EXPECT_TRUE(IsStratum(collector_.counting));
  EXPECT_TRUE(sampling_.Begin(&a));
  EXPECT_TRUE(IsStratum(collector_.counting));
  EXPECT_TRUE(sampling_.Begin(&b));
  EXPECT_EQ(collector_.counting, Extent::kFirst) << "inside of a";
}

// By what they differ in the interval of what is extrapolated comes about.
TEST_F(SamplingTest, LaterVisitsAreCountedInEightStrata) {
  sampling_.Start({VisitPolicy::Kind::kFirst, 9}, &collector_);
  spool::Accumulator a;
  EXPECT_TRUE(Visit(a));
  std::set<size_t> strata;
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(sampling_.Begin(&a));
    ASSERT_TRUE(IsStratum(collector_.counting));
    strata.insert(StratumIn(collector_.counting));
    a.Commit(1, 1);
    sampling_.End();
  }
  EXPECT_EQ(strata.size(), counts::kStrata);
}

TEST_F(SamplingTest, AStratumIsAnExtentOfItsOwn) {
  for (size_t i = 0; i < counts::kStrata; ++i) {
    EXPECT_TRUE(IsStratum(InStratum(i)) && CountsAll(InStratum(i)));
    EXPECT_EQ(StratumIn(InStratum(i)), i);
  }
  for (const Extent other : {Extent::kFirst, Extent::kCheap, Extent::kNothing}) {
    EXPECT_FALSE(IsStratum(other));
  }
}

// Initialisation is visited once, a time loop as long as the program runs.
TEST_F(SamplingTest, WhatIsNotVisitedAnyMoreDoesNotKeepItAwake) {
  sampling_.Start({VisitPolicy::Kind::kFirst, 1}, &collector_);
  spool::Accumulator loop, inner;
  EXPECT_TRUE(sampling_.Begin(&loop));
  EXPECT_TRUE(Visit(inner));
  VisitOften(inner);
  EXPECT_EQ(collector_.counting, Extent::kCheap);
}

TEST_F(SamplingTest, OtherPoliciesNeverRest) {
  sampling_.Start({VisitPolicy::Kind::kEvery, 1000}, &collector_);
  spool::Accumulator a;
  for (int i = 0; i < 1000; ++i) VisitOften(a);
  EXPECT_EQ(collector_.switches, 0);
}

TEST_F(SamplingTest, MoreVisitsThanThereCanBeAreAllMeasured) {
  sampling_.Start({VisitPolicy::Kind::kFirst, uint64_t{1} << 61}, &collector_);
  spool::Accumulator a;
  EXPECT_TRUE(Visit(a));
  VisitOften(a);
  EXPECT_TRUE(IsStratum(collector_.counting));
}

TEST_F(SamplingTest, APauseAndARestDoNotEndEachOther) {
  sampling_.Start({VisitPolicy::Kind::kFirst, 1}, &collector_);
  spool::Accumulator a;
  sampling_.Pause(true);
  EXPECT_EQ(collector_.counting, Extent::kNothing);
  sampling_.Pause(false);
  EXPECT_EQ(collector_.counting, Extent::kAll);
  EXPECT_TRUE(Visit(a));
  VisitOften(a);
  EXPECT_EQ(collector_.counting, Extent::kCheap);
  sampling_.Pause(true);
  EXPECT_EQ(collector_.counting, Extent::kNothing);
  sampling_.Pause(false);
  EXPECT_EQ(collector_.counting, Extent::kCheap) << "it still rests";
}

}  // namespace
}  // namespace roofmark::markers
