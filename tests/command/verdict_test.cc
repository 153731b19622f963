// SPDX-License-Identifier: BSD-3-Clause
//
// Counted against known, without counters.
#include "command/self_test/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/self_test/self_test.h"

namespace roofmark::cli {
namespace {

using testing::HasSubstr;

constexpr MetricId kFma256 = FlopMetric(Precision::kDouble, Width::k256, FlopKind::kFma);

Check OfHardware(double known, double counted, std::string exercise = "dp 256 add") {
  return Judge(Family::kFlops, std::move(exercise), "flops_dp_256", Exactly(known), counted,
               Status::kMeasured, false, known);
}

TEST(KnownFlops, EveryMetricThatMaySeeAClass) {
  const Known known = KnownFlops({{kFma256, 800}});
  for (const char* name :
       {"flops_dp_256_fma", "flops_dp_256", "flops_mixed_fma", "flops_dp_any", "flops_mixed_any"}) {
    EXPECT_EQ(known.at(name).least, 800) << name;
  }
  for (const char* name :
       {"flops_dp_256_add", "flops_dp_512", "flops_sp_256", "flops_mixed_add", "flops_sp_any"}) {
    EXPECT_EQ(known.at(name).most, 0) << name;
  }
  for (const auto& [name, range] : known) {
    EXPECT_TRUE(FindMetric(name)) << name << " is no metric of the table";
  }
}

TEST(KnownFlops, RootsStandWithDivisionsWhereOnlyKindsAreTold) {
  const Known known =
      KnownFlops({{FlopMetric(Precision::kSingle, Width::k128, FlopKind::kSqrt), 40},
                  {FlopMetric(Precision::kSingle, Width::k128, FlopKind::kAdd), 40}});
  EXPECT_EQ(known.at("flops_mixed_div").most, 40);
  EXPECT_EQ(known.at("flops_sp_128").most, 80);
}

TEST(Verdict, HardwareWithinOnePerMille) {
  EXPECT_EQ(OfHardware(1e6, 1e6).verdict, Verdict::kExact);
  EXPECT_EQ(OfHardware(1e6, 1e6 + 900).verdict, Verdict::kOk);
  EXPECT_EQ(OfHardware(1e6, 1e6 + 1100).verdict, Verdict::kOff);
  EXPECT_EQ(OfHardware(1e6, 1e6 - 1100).verdict, Verdict::kOff);
}

TEST(Verdict, TheEngineIsExactOrWrong) {
  const auto engine = [](double counted) {
    return Judge(Family::kFlops, "dp 256 add", "flops_dp_256_add", Exactly(1e6), counted,
                 Status::kMeasured, true, 1e6)
        .verdict;
  };
  EXPECT_EQ(engine(1e6), Verdict::kExact);
  EXPECT_EQ(engine(1e6 + 1), Verdict::kOff);
}

TEST(Verdict, WhatTookTurnsIsAnEstimate) {
  const auto scaled = [](double counted) {
    return Judge(Family::kFlops, "dp 256 add", "flops_dp_256", Exactly(1e6), counted,
                 Status::kScaled, false, 1e6)
        .verdict;
  };
  EXPECT_EQ(scaled(1.04e6), Verdict::kOk);
  EXPECT_EQ(scaled(1.06e6), Verdict::kOff);
}

TEST(Verdict, LeaksAreOff) {
  const auto leak = [](double counted) {
    return Judge(Family::kFlops, "dp 256 add", "flops_sp_256", Exactly(0), counted,
                 Status::kMeasured, false, 1e6);
  };
  EXPECT_EQ(leak(0).verdict, Verdict::kExact);
  EXPECT_FALSE(leak(0).Ratio());
  EXPECT_EQ(leak(100).verdict, Verdict::kOk);
  EXPECT_EQ(leak(1e6).verdict, Verdict::kOff);
  EXPECT_THAT(leak(1e6).hint, HasSubstr("does not do"));
}

TEST(Verdict, HintsSayWhatRatiosMean) {
  EXPECT_THAT(OfHardware(1e6, 5e5, "dp 256 fma").hint, HasSubstr("multiply-add is counted as one"));
  EXPECT_THAT(OfHardware(1e6, 2e6).hint, HasSubstr("twice"));
  EXPECT_THAT(OfHardware(1e6, 0).hint, HasSubstr("counts nothing"));
  EXPECT_THAT(OfHardware(1e6, 1.3e6).hint, HasSubstr("executed, not retired"));
}

TEST(Verdict, StoresMayOrMayNotReadTheirLines) {
  const auto copy = [](double counted) {
    return Judge(Family::kDram, "copy", "dram_read_bytes", {8e8, 16e8}, counted, Status::kMeasured,
                 false, 16e8);
  };
  for (const double bytes : {7.5e8, 8e8, 12e8, 16e8, 17e8}) {
    EXPECT_EQ(copy(bytes).verdict, Verdict::kOk) << bytes;
  }
  EXPECT_EQ(copy(12e8).Ratio(), 1.0);
  EXPECT_EQ(copy(4e8).verdict, Verdict::kOff);
  EXPECT_DOUBLE_EQ(*copy(4e8).Ratio(), 0.5);
  EXPECT_THAT(copy(4e8).hint, HasSubstr("half of the traffic"));
  EXPECT_THAT(copy(32e8).hint, HasSubstr("other programs"));
}

SelfTest Sample() {
  SelfTest test;
  test.collector = "perf_event";
  test.line = "counting events";
  test.facts = {{"event_groups", "2"}};
  test.checks = {OfHardware(1e6, 1e6), OfHardware(1e6, 5e5, "dp 256 fma")};
  test.not_tested = {{"l1_read_bytes, l2_read_bytes", Status::kUnsupported, "not asked for"}};
  return test;
}

TEST(SelfTest, SurvivesJson) {
  const Result<SelfTest> back = SelfTestFromJson(SelfTestToJson(Sample()));
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(SelfTestToJson(*back), SelfTestToJson(Sample()));
  EXPECT_EQ(back->CountOff(), 1u);
  EXPECT_FALSE(SelfTestFromJson("{}"));
  EXPECT_FALSE(SelfTestFromJson(""));
}

TEST(SelfTest, ShowsWhatIsOff) {
  const std::string text = SelfTestText(Sample());
  EXPECT_THAT(text, HasSubstr("    dp 256                  1.000       -   0.500!"));
  EXPECT_THAT(text, HasSubstr("! dp 256 fma, flops_dp_256: 500000 counted, 1e+06 known: a fused"));
  EXPECT_THAT(text, HasSubstr("2 checks: 1 exact, 0 within tolerance, 1 off"));
  EXPECT_THAT(text, HasSubstr("events take turns"));
}

TEST(SelfTest, MergedGroupsAddWhatTheFirstLeftOut) {
  SelfTest test = Sample(), more = Sample();
  more.checks.push_back(Judge(Family::kCaches, "read", "l1_read_bytes", Exactly(100), 100,
                              Status::kMeasured, false, 100));
  Merge(test, more);
  EXPECT_EQ(test.checks.size(), 3u) << "known pairs of kernel and metric stay alone";
  ASSERT_EQ(test.not_tested.size(), 1u);
  EXPECT_EQ(test.not_tested[0].metric, "l2_read_bytes");
}

}  // namespace
}  // namespace roofmark::cli
