// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/first_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/whole.h"
#include "tests/lib/model/analyzed.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A second in "r", which only adds, of a run of two seconds; "wait" waits in MPI for
// half a second.
ReportJob TwoRegions() {
  JobProfile job = test::EmptyJob(2);
  test::AddPass(job, "timer", 2);
  for (const char* path : {"r", "wait"}) test::AddPath(job, path);
  test::Set(job, 0, metric::kVisits, {1, 1}, "timer");
  test::Set(job, 0, metric::kTimeNs, {1'000'000'000, 1'000'000'000}, "timer");
  test::Set(job, 1, metric::kVisits, {1, 1}, "timer");
  test::Set(job, 1, metric::kTimeNs, {500'000'000, 500'000'000}, "timer");
  test::Set(job, 0, metric::kMpiNs, {0, 0}, "timer");
  test::Set(job, 1, metric::kMpiNs, {400'000'000, 500'000'000}, "timer");
  for (size_t path = 0; path < 2; ++path) {
    for (MetricId m = 0; m < kFlopClasses; ++m) test::Set(job, path, m, {0, 0});
    test::Set(job, path, metric::kFlops, {0, 0});
    test::Set(job, path, metric::kDramBytes, {0, 0}, "counting", Status::kModelled);
  }
  test::Set(job, 0, test::kDpScalarAdd, {20'000'000'000, 20'000'000'000});
  test::Set(job, 0, metric::kFlops, {20'000'000'000, 20'000'000'000});
  const Machine machine = test::SampleMachine();
  JobAnalysis analysis = Analyze(job, &machine);
  return {"two.json", std::move(job), std::move(analysis)};
}

TEST(FirstTable, HasRankRegionDeedAndWhatItMaySave) {
  const std::string text = FirstTable(TwoRegions(), {80, false});
  EXPECT_THAT(text, StartsWith("What to do first      "));
  EXPECT_THAT(text, HasSubstr("  may save (of 2.00 s)\n"));
  EXPECT_THAT(
      text, HasSubstr("\n1   r       Fuse multiplications with additions              238-525 ms  "
                      "12-26 %\n"));
  EXPECT_THAT(text, HasSubstr("\n            0 % of the FLOPs are fused; app.c:10\n"));
  EXPECT_THAT(text,
              ::testing::ContainsRegex("\n[0-9]   wait +Wait less in MPI +0-450 ms +0-22 %\n"));
  EXPECT_THAT(text, HasSubstr("400 ms on rank 0 to 500 ms on rank 1; app.c:11\n"));
  const std::string order = "Ordered by what they may save for their effort; savings in one region";
  EXPECT_THAT(text, HasSubstr("\n  " + order + " do not\n"));
  EXPECT_THAT(RenderMarkdown({TwoRegions()}), HasSubstr("\n" + order));
  EXPECT_THAT(RenderHtml({TwoRegions()}), HasSubstr(">" + order));
}

TEST(FirstTable, WhatIsNotExplainedIsAQuestionWithTheCommandThatHelps) {
  ReportJob job = TwoRegions();
  PathAnalysis& path = job.analysis.paths[0];
  path.limit = {LimitedBy::kUnexplained};
  path.split.needed_s = Value::Of(0.25, Status::kModelled, "");
  path.split.unexplained_s = Value::Of(0.75, Status::kModelled, "");
  const std::string without = FirstTable(job, {100, false});
  EXPECT_THAT(without, HasSubstr("?   r       Find the cause: 750 ms of 1.00 s are not explained"));
  EXPECT_THAT(without, HasSubstr("`roofmark run --loops` records its code"));
  job.has_loops = true;
  EXPECT_THAT(FirstTable(job, {100, false}), HasSubstr("  `roofmark loops two.json r`\n"));
  job.name = "a/file/with/a/name/that/is/long.json";
  EXPECT_THAT(FirstTable(job, {100, false}), HasSubstr("  `roofmark loops FILE r`\n"));
}

TEST(FirstTable, TimeThatNoRegionCoversIsAQuestion) {
  ReportJob job = TwoRegions();
  const auto whole = [&job](uint64_t outside_ms, uint64_t mpi_ms) {
    job.profile.whole = CellTable(kWholeRows);
    const auto set = [&job](WholeRow row, MetricId metric, uint64_t ms) {
      Cell cell = Cell::Of(ms * 1'000'000, 0, Status::kMeasured);
      job.profile.whole.At(static_cast<size_t>(row), metric) =
          Combine(cell, Cell::Of(ms * 1'000'000, 1, Status::kMeasured));
    };
    set(WholeRow::kOutside, metric::kTimeNs, outside_ms);
    set(WholeRow::kOutside, metric::kMpiNs, mpi_ms);
    set(WholeRow::kProgram, metric::kTimeNs, 2000);
    set(WholeRow::kProgram, metric::kMpiNs, 500 + mpi_ms);
    const Machine machine = test::SampleMachine();
    job.analysis = Analyze(job.profile, &machine);
    return FirstTable(job, {80, false});
  };
  EXPECT_THAT(whole(500, 0), AllOf(HasSubstr("25 % of the run lies outside of all regions"),
                                   HasSubstr("put markers around the loops there\n")));
  EXPECT_THAT(whole(500, 400),
              AllOf(::testing::ContainsRegex(
                        "\n3   \\(outside\\) +Spend less time in MPI there +0-400 ms +0-20 %\n"),
                    HasSubstr("400 ms of 500 ms; MPI_Init and MPI_Finalize are in it")));
  EXPECT_THAT(whole(100, 0), Not(HasSubstr("outside of all regions")));
}

// Nine regions, each of which waits a tenth of the run in MPI.
TEST(FirstTable, WhatTheCutHidesIsCountedWithItsTime) {
  JobProfile profile = test::EmptyJob(2);
  test::AddPass(profile, "timer", 2);
  for (const char* path : {"a", "a/in", "b", "c", "d", "e", "f", "g"}) {
    const size_t row = test::AddPath(profile, path);
    test::Set(profile, row, metric::kVisits, {1, 1}, "timer");
    test::Set(profile, row, metric::kTimeNs, {200'000'000, 200'000'000}, "timer");
    test::Set(profile, row, metric::kMpiNs, {190'000'000, 190'000'000}, "timer");
  }
  const Machine machine = test::SampleMachine();
  JobAnalysis analysis = Analyze(profile, &machine);
  const ReportJob job = {"many.json", std::move(profile), std::move(analysis)};
  const std::string text = FirstTable(job, {80, false});
  EXPECT_THAT(text, AllOf(HasSubstr("\n5   "), Not(HasSubstr("\n6   "))));
  EXPECT_THAT(text, HasSubstr("\n  2 more are not shown, in regions with 20 % of the run: --all "
                              "shows them\n"));
  const std::string all = FirstTable(job, {.unicode = false, .detail = Detail::kAll});
  EXPECT_THAT(all, AllOf(HasSubstr("\n7   "), Not(HasSubstr("not shown"))));
}

TEST(FirstTable, WithoutAdviceThereIsNone) {
  EXPECT_EQ(FirstTable({"F", test::EmptyJob(1), {}}, {}), "");
}

TEST(FirstTable, SavingsHaveTwoDigitsAndTheUnitOfTheUpperEnd) {
  EXPECT_EQ(SavesText({0.0403, 0.0648}), "40-65 ms");
  EXPECT_EQ(SavesText({0, 0.00123}), "0-1.2 ms");
  EXPECT_EQ(SavesText({0.0003, 0.00123}), "0.3-1.2 ms");
  EXPECT_EQ(SavesText({0.0549, 0.055}), "55 ms");
  EXPECT_EQ(SavesText({0.9, 2}), "0.9-2.0 s");
}

}  // namespace
}  // namespace roofmark
