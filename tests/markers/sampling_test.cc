// SPDX-License-Identifier: BSD-3-Clause
#include "markers/sampling.h"

#include <gtest/gtest.h>

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
    if (measured) sampling_.End(&accumulator);
    return measured;
  }
  Switched collector_;
  Sampling sampling_;
};

TEST_F(SamplingTest, AfterTheFirstVisitsOfAllRegionsTheCollectorRests) {
  sampling_.Start({VisitPolicy::Kind::kFirst, 2}, &collector_);
  spool::Accumulator a, b;
  EXPECT_TRUE(Visit(a));
  EXPECT_EQ(collector_.counting, Extent::kAll);
  EXPECT_TRUE(sampling_.Begin(&b));
  EXPECT_EQ(collector_.counting, Extent::kFirst);
  EXPECT_TRUE(Visit(a));
  EXPECT_EQ(collector_.counting, Extent::kFirst) << "b is in its first visit";
  b.Commit(1, 1);
  sampling_.End(&b);
  EXPECT_EQ(collector_.counting, Extent::kAll) << "b has a visit left";
  EXPECT_TRUE(Visit(b));
  EXPECT_EQ(collector_.counting, Extent::kCheap);
  EXPECT_FALSE(Visit(a));
  spool::Accumulator late;
  EXPECT_TRUE(sampling_.Begin(&late));
  EXPECT_EQ(collector_.counting, Extent::kFirst) << "a region never seen before wakes it";
}

TEST_F(SamplingTest, WithoutARegionEverythingIsCounted) {
  sampling_.Start({VisitPolicy::Kind::kFirst, 1}, &collector_);
  sampling_.Pause(true);
  sampling_.Pause(false);
  EXPECT_EQ(collector_.counting, Extent::kAll);
}

TEST_F(SamplingTest, APauseAndARestDoNotEndEachOther) {
  sampling_.Start({VisitPolicy::Kind::kFirst, 1}, &collector_);
  spool::Accumulator a;
  sampling_.Pause(true);
  EXPECT_EQ(collector_.counting, Extent::kNothing);
  sampling_.Pause(false);
  EXPECT_EQ(collector_.counting, Extent::kAll);
  EXPECT_TRUE(Visit(a));
  EXPECT_EQ(collector_.counting, Extent::kCheap);
  sampling_.Pause(true);
  EXPECT_EQ(collector_.counting, Extent::kNothing);
  sampling_.Pause(false);
  EXPECT_EQ(collector_.counting, Extent::kCheap) << "it still rests";
  EXPECT_EQ(collector_.switches, 6);
}

}  // namespace
}  // namespace roofmark::markers
