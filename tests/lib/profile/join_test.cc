// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);

struct Row {
  const char* path;
  uint64_t visits, time_ns, flops;
};

JobProfile Pass(const char* collector, const std::vector<Row>& rows) {
  JobProfile job;
  PassInfo pass;
  pass.collector = collector;
  job.run.passes = {pass};
  for (MetricId id : {MetricId{metric::kVisits}, MetricId{metric::kTimeNs}, kAdds}) {
    job.sources[id] = {collector, Status::kMeasured, ""};
  }
  for (const Row& row : rows) job.paths.push_back({row.path, "", 0, RegionKind::kTeam});
  job.cells.resize(rows.size() * kMetrics);
  for (size_t i = 0; i < rows.size(); ++i) {
    job.At(i, metric::kVisits) = Cell::Of(rows[i].visits, 0, Status::kMeasured);
    job.At(i, metric::kTimeNs) = Cell::Of(rows[i].time_ns, 0, Status::kMeasured);
    job.At(i, kAdds) = Cell::Of(rows[i].flops, 0, Status::kMeasured);
  }
  return job;
}

TEST(JoinPasses, TimesFromOneCountsFromTheOther) {
  const JobProfile joined =
      JoinPasses(Pass("timer", {{"a", 3, 100, 0}}), Pass("counting", {{"a", 3, 99999, 42}}));
  ASSERT_EQ(joined.paths.size(), 1u);
  EXPECT_EQ(joined.At(0, metric::kTimeNs).min, 100u);
  EXPECT_EQ(joined.At(0, kAdds).min, 42u);
  EXPECT_EQ(joined.sources[kAdds].origin, "counting");
  EXPECT_EQ(joined.run.passes.size(), 2u);
  EXPECT_THAT(joined.run.warnings, IsEmpty());
}

TEST(JoinPasses, DifferencesAreNamed) {
  const JobProfile joined = JoinPasses(Pass("timer", {{"a", 3, 1, 0}, {"b", 1, 1, 0}}),
                                       Pass("counting", {{"a", 4, 1, 1}, {"c", 1, 1, 1}}));
  EXPECT_THAT(
      joined.run.warnings,
      ElementsAre("region \"a\" was entered 3 times in the time pass and 4 times in the work "
                  "pass: its GFLOP/s mix two different executions",
                  "region \"b\" was entered only in the time pass",
                  "region \"c\" was entered only in the work pass"));
  EXPECT_EQ(joined.At(static_cast<size_t>(joined.FindPath("b")), kAdds).ranks, 0u);
}

TEST(JoinPasses, ManyDifferencesAreCounted) {
  std::vector<Row> rows;
  std::vector<std::string> names;
  for (char c = 'a'; c <= 'p'; ++c) names.emplace_back(1, c);
  for (const std::string& name : names) rows.push_back({name.c_str(), 1, 1, 1});
  const JobProfile joined = JoinPasses(Pass("timer", rows), Pass("counting", {}));
  ASSERT_EQ(joined.run.warnings.size(), 11u);
  EXPECT_EQ(joined.run.warnings.back(), "6 more regions differ between the passes");
}

TEST(JoinPasses, OtherDispatchIsNamed) {
  JobProfile time = Pass("timer", {{"a", 1, 1, 0}}), work = Pass("counting", {{"a", 1, 1, 1}});
  time.run.passes[0].facts["dispatch.openblas"] = "SkylakeX";
  work.run.passes[0].facts["dispatch.openblas"] = "Haswell";
  EXPECT_THAT(JoinPasses(time, work).run.warnings,
              ElementsAre(HasSubstr("openblas used code for SkylakeX in the time pass and for "
                                    "Haswell in the work pass")));
}

}  // namespace
}  // namespace roofmark
