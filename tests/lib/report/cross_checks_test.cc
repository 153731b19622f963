// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/cross_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::kGiga;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

CrossCheck Check(MetricId metric, double hardware, double engine) {
  return {
      metric, {"perf_event", Status::kMeasured, hardware}, {"counting", Status::kMeasured, engine}};
}

ReportJob JobWith(std::vector<CrossCheck> checks) {
  JobProfile job = test::JobOf(Width::k256, FlopKind::kFma, 3 * kGiga, 25 * kGiga);
  job.paths[0].cross_checks = std::move(checks);
  JobAnalysis analysis = test::AnalyzedJob(job);
  return {"job", std::move(job), std::move(analysis)};
}

TEST(CrossChecks, EngineOverHardwareForEachThatBothCounted) {
  const ReportJob job =
      JobWith({Check(metric::kFlops, 200, 190), Check(metric::kDramBytes, 640, 320)});
  const CounterTable table = CrossChecks(job.profile, job.analysis);
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[1].head, "DRAM bytes");
  EXPECT_THAT(table.rows.at(0).cells, ElementsAre("0.950", "0.500"));
  EXPECT_EQ(table.legend.size(), 2u) << "what to expect of bytes";
}

TEST(CrossChecks, NothingIsDividedByZero) {
  const ReportJob job = JobWith({Check(metric::kFlops, 0, 190)});
  EXPECT_THAT(CrossChecks(job.profile, job.analysis).rows.at(0).cells, ElementsAre("-"));
}

TEST(CrossChecks, StandInTerminalAndPage) {
  const ReportJob job = JobWith({Check(metric::kInstructions, 200, 190)});
  EXPECT_THAT(RenderTable({job}, {}), HasSubstr(std::string(kCrossChecksTitle) + "\n"));
  EXPECT_THAT(RenderTable({job}, {}), HasSubstr("0.95"));
  EXPECT_THAT(RenderHtml({job}), HasSubstr("Cross-check"));
  EXPECT_THAT(RenderCsv(job),
              HasSubstr(",cross_check_instructions,1,counting+perf_event,measured"));
}

TEST(CrossChecks, AreNotShownWhereOneCounted) {
  const ReportJob job = JobWith({});
  EXPECT_THAT(CrossChecks(job.profile, job.analysis).columns, IsEmpty());
  EXPECT_THAT(RenderTable({job}, {}), Not(HasSubstr("cross-check")));
  EXPECT_THAT(RenderHtml({job}), Not(HasSubstr("Cross-check")));
  EXPECT_THAT(RenderCsv(job), Not(HasSubstr("cross_check")));
}

}  // namespace
}  // namespace roofmark
