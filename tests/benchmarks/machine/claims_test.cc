// SPDX-License-Identifier: BSD-3-Clause
//
// Every kernel behind a ceiling does exactly what it claims, as the counting collector sees it: at
// most 256 bits wide, for the counting engine has no more.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "lib/core/metric.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

// What the program printed, and what was counted: region -> metric -> long minus short.
class Claims : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const test::TempDir directory;
    const std::string file = directory.File("claims.json");
    const test::Ended ended = test::Run({CLAIMS},
                                        {{"ROOFMARK_COLLECTOR", "counting"},
                                         {"ROOFMARK_CACHE", "L1:32K:8,L2:256K:8,L3:1M:16"},
                                         {"ROOFMARK_OUTPUT", file}},
                                        directory.path(), 300);
    ASSERT_EQ(ended.status, 0) << ended.err;
    std::istringstream lines(ended.out);
    std::string region, metric;
    uint64_t value;
    while (lines >> region >> metric >> value) claims_[region][metric] = value;
    job_ = test::ReadRoofline(file).job;
  }

  static uint64_t Counted(const std::string& region, MetricId metric) {
    return test::Value(job_, region + ".long", metric) -
           test::Value(job_, region + ".short", metric);
  }
  static uint64_t Counted(const std::string& region, const std::string& metric) {
    if (metric != "traffic") return Counted(region, *FindMetric(metric));
    // Dirty lines at the end stand for those that the region's start pushed out.
    return Counted(region, metric::kDramReadBytes) + Counted(region, metric::kDramWriteBytes) +
           Counted(region, metric::kDramDirtyBytes);
  }

  static inline std::map<std::string, std::map<std::string, uint64_t>> claims_;
  static inline JobProfile job_;
};

TEST_F(Claims, CoverEveryKindAndBothPrecisions) {
  std::set<std::string> kinds;
  for (const auto& [region, ignored] : claims_) kinds.insert(region.substr(0, region.rfind('.')));
  for (const char* kind : {"dp.chain.1", "dp.fma.1", "dp.fma.4", "dp.fmaadd.2", "sp.fma.8",
                           "sp.muladd.4", "sp.div.8", "dp.sqrt.4", "core", "dram", "chase"}) {
    EXPECT_TRUE(kinds.count(kind) || claims_.count(kind)) << kind;
  }
}

TEST_F(Claims, HoldExactlyForWorkAndForBytesOfTheCore) {
  size_t checked = 0;
  for (const auto& [region, metrics] : claims_) {
    for (const auto& [metric, claimed] : metrics) {
      if (metric == "traffic") continue;
      EXPECT_EQ(Counted(region, metric), claimed) << region << " " << metric;
      ++checked;
    }
  }
  EXPECT_GT(checked, 100u);
}

TEST_F(Claims, LeaveNoOtherFlops) {
  for (const auto& [region, metrics] : claims_) {
    if (metrics.count("traffic") != 0 || region.starts_with("core")) continue;
    uint64_t all = 0, claimed = 0;
    for (MetricId id = 0; id < kFlopClasses; ++id) {
      all += Counted(region, id);
      const auto claim = metrics.find(GetMetric(id).name);
      if (claim != metrics.end()) claimed += claim->second;
    }
    EXPECT_EQ(all, claimed) << region;
  }
}

TEST_F(Claims, HoldForTrafficOfDram) {
  size_t checked = 0;
  for (const auto& [region, metrics] : claims_) {
    if (metrics.count("traffic") == 0) continue;
    const auto claimed = static_cast<double>(metrics.at("traffic"));
    const auto counted = static_cast<double>(Counted(region, "traffic"));
    // Of the list of lines to visit, four bytes for each line of 64, some are written back.
    const double list = region == "dram.random" ? claimed / 16 : 0;
    EXPECT_GE(counted, 0.98 * claimed) << region;
    EXPECT_LE(counted, 1.02 * claimed + list) << region;
    ++checked;
  }
  EXPECT_EQ(checked, 11u);
}

}  // namespace
}  // namespace roofmark
