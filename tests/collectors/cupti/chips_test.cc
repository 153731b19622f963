// SPDX-License-Identifier: BSD-3-Clause
//
// What chips can count in one pass, by the CUPTI that is installed: it needs no device for that.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "collectors/cupti/metrics.h"

namespace roofmark::cupti {
namespace {

class Chips : public testing::Test {
 protected:
  void SetUp() override {
    Result<Library> library = OpenCuptiAlone();
    if (!library) GTEST_SKIP() << library.error();
    library_ = *library;
  }
  Library library_;
};

class GroupsOfChips : public Chips, public testing::WithParamInterface<const char*> {};

TEST_P(GroupsOfChips, CountAllOfEachGroupInOnePass) {
  for (const Group group : {Group::kKernels, Group::kMemory}) {
    const Result<Plan> plan = MakePlan(library_, GetParam(), group);
    ASSERT_TRUE(plan) << plan.error();
    EXPECT_FALSE(plan->config.empty());
    for (const MetricRow& row : Metrics()) {
      const std::string& missing = plan->missing[static_cast<size_t>(row.id)];
      EXPECT_EQ(missing.empty(), row.group == group) << row.cupti << ": " << missing;
    }
  }
}

// A chip for each set of links that there is.
TEST_F(Chips, CountTheLinksThatTheyHave) {
  const auto links = [this](const char* chip) {
    const Result<Plan> plan = MakePlan(library_, chip, Group::kLinks);
    std::vector<DeviceMetric> metrics;
    if (plan) {
      for (const MetricRow& row : plan->rows) metrics.push_back(row.id);
    }
    return metrics;
  };
  using Metric = DeviceMetric;
  std::vector<DeviceMetric> wanted = {Metric::kPcieReceivedBytes, Metric::kPcieSentBytes};
  EXPECT_EQ(links("AD102"), wanted);
  EXPECT_EQ(links("GB202"), wanted);
  wanted.insert(wanted.end(), {Metric::kNvlinkReceivedBytes, Metric::kNvlinkSentBytes});
  EXPECT_EQ(links("GV100"), wanted);
  EXPECT_EQ(links("GA100"), wanted);
  wanted.insert(wanted.end(), {Metric::kC2cReceivedBytes, Metric::kC2cSentBytes});
  EXPECT_EQ(links("GH100"), wanted);
  EXPECT_EQ(links("GB100"), wanted);
  const Result<Plan> none = MakePlan(library_, "GB10B", Group::kLinks);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error(), "CUPTI knows no metric of GB10B that is wanted");
}

TEST_F(Chips, CountNoLinksWithMemory) {
  Result<Plan> memory = MakePlan(library_, "GH100", Group::kMemory);
  ASSERT_TRUE(memory) << memory.error();
  const size_t rows = memory->rows.size();
  memory->rows.push_back(*std::find_if(Metrics().begin(), Metrics().end(), [](const auto& row) {
    return row.id == DeviceMetric::kPcieReceivedBytes;
  }));
  const Result<Plan> fewer = WithLinks(library_, std::move(*memory), kAllLinks, "why");
  ASSERT_TRUE(fewer) << fewer.error();
  EXPECT_EQ(fewer->rows.size(), rows) << "a reason for a group of their own";
}

// As a GPU does whose only neighbour is the CPU of its module.
TEST_F(Chips, CountSomeLinksWithoutTheOthers) {
  const Result<Plan> all = MakePlan(library_, "GH100", Group::kLinks);
  ASSERT_TRUE(all) << all.error();
  const Link kept[] = {Link::kPcie, Link::kC2c};
  const Result<Plan> some = WithLinks(library_, *all, kept, "why");
  ASSERT_TRUE(some) << some.error();
  EXPECT_EQ(some->rows.size(), 4u);
  EXPECT_FALSE(some->config.empty());
  for (const MetricRow& row : all->rows) {
    EXPECT_EQ(some->missing[static_cast<size_t>(row.id)], row.link == Link::kNvlink ? "why" : "");
  }
  EXPECT_FALSE(WithLinks(library_, *all, {}, "why"));
}

INSTANTIATE_TEST_SUITE_P(OfDataCentres, GroupsOfChips, testing::Values("GA100", "GH100", "GB100"));

TEST_F(Chips, AnUnknownOneIsAnErrorWithItsName) {
  const Result<Plan> plan = MakePlan(library_, "GX999", Group::kKernels);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().find("GX999"), std::string::npos) << plan.error();
}

}  // namespace
}  // namespace roofmark::cupti
