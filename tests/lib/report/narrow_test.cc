// SPDX-License-Identifier: BSD-3-Clause
//
// Reports of jobs with many regions and long names, in 80 columns.
#include "lib/report/narrow.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/display_width.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::AddPath;
using test::Set;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A run of a second.
JobProfile OneSecond() {
  JobProfile job = test::EmptyJob(1);
  test::AddPass(job, "timer", 1);
  return job;
}

void Region(JobProfile& job, const std::string& path, uint64_t milliseconds, uint64_t visits) {
  const size_t row = AddPath(job, path);
  Set(job, row, metric::kVisits, {visits}, "timer");
  Set(job, row, metric::kTimeNs, {milliseconds * 1'000'000}, "timer");
}

ReportJob Analyzed(JobProfile job) {
  const Machine machine = test::SampleMachine();
  JobAnalysis analysis = Analyze(job, &machine);
  return {"F", std::move(job), std::move(analysis)};
}

std::vector<std::string> NamesOf(const NarrowTable& table) {
  std::vector<std::string> names;
  for (const Row& row : table.rows) names.push_back(row.name);
  return names;
}

std::vector<std::string> HeadsOf(const NarrowTable& table) {
  std::vector<std::string> heads;
  for (const Column& column : table.columns) heads.push_back(column.head);
  return heads;
}

// Columns go into a second block before names become alike.
TEST(Narrow, AllColumnsLeaveRoomForNames) {
  JobProfile job = OneSecond();
  for (const char* path :
       {"CalcForceForNodes", "CalcForceForNodes/CommRecv", "CalcPressureForElems", "CalcQForElems",
        "CalcQForElems/CommRecv", "CalcEnergyForElems"}) {
    Region(job, path, 100, 1);
  }
  const std::string text = RenderTable({Analyzed(job)}, {.width = 80, .detail = Detail::kAll});
  for (const char* name :
       {"CalcPressureForElems", "CalcEnergyForElems", "CalcQForElems/CommRecv", "des/CommRecv"}) {
    EXPECT_THAT(text, HasSubstr(name));
  }
}

TEST(Narrow, ANameThatIsNotUniqueShowsWhereItIs) {
  JobProfile job = OneSecond();
  for (const char* path : {"a", "a/send", "a/x", "a/x/send", "b", "b/x", "b/x/send", "wait"}) {
    Region(job, path, 100, 1);
  }
  EXPECT_THAT(NamesOf(Narrow(Analyzed(job), {})),
              ElementsAre("a", "a/send", "a/x", "a/x/send", "b", "b/x", "b/x/send", "wait"));
}

TEST(Narrow, OfManyRegionsThoseThatMakeUpMostOfTheTimeAreShown) {
  JobProfile job = OneSecond();
  Region(job, "frame", 990, 1);
  Region(job, "frame/large", 600, 1);
  Region(job, "frame/middle", 340, 1);
  for (int i = 10; i < 27; ++i) Region(job, fmt::format("small{}", i), 2, 2);
  EXPECT_EQ(Narrow(Analyzed(job), {}).rows.size(), 20u);
  Region(job, "small27", 2, 2);
  const ReportJob report = Analyzed(job);
  const NarrowTable table = Narrow(report, {});
  EXPECT_THAT(NamesOf(table), ElementsAre("frame", "large", "middle"));
  EXPECT_THAT(
      table.legend,
      Contains("18 of 21 regions are not shown, 4 % of the regions' time: --all shows them"));
  EXPECT_EQ(Narrow(report, {.detail = Detail::kAll}).rows.size(), 21u);
}

// The one rank computes, and the other one waits for it.
TEST(Narrow, PartsThatTakeMoreThanTheWholeAreThoseOfTheSlowestRank) {
  const auto legend = [](uint64_t second_ms) {
    JobProfile job = test::EmptyJob(2);
    test::AddPass(job, "timer", 1);
    for (const char* path : {"step", "step/compute", "step/exchange"}) AddPath(job, path);
    const uint64_t ms = 1'000'000;
    Set(job, 0, metric::kTimeNs, {900 * ms, 900 * ms}, "timer");
    Set(job, 1, metric::kTimeNs, {800 * ms, 100 * ms}, "timer");
    Set(job, 2, metric::kTimeNs, {100 * ms, second_ms * ms}, "timer");
    return Narrow(Analyzed(job), {}).legend;
  };
  const auto says = Contains(HasSubstr("slowest rank"));
  EXPECT_THAT(legend(800), says);
  EXPECT_THAT(legend(100), Not(says));
}

TEST(Narrow, NotMoreThanTwentyFiveAreShown) {
  JobProfile job = OneSecond();
  for (int i = 100; i < 590; ++i) {
    Region(job, fmt::format("r{}", i), static_cast<uint64_t>(i), 1);
  }
  const ReportJob report = Analyzed(job);
  const NarrowTable table = Narrow(report, {});
  ASSERT_EQ(table.rows.size(), 25u);
  EXPECT_EQ(table.rows[0].name, "r589");
  EXPECT_THAT(table.legend, Contains(HasSubstr("465 of 490 regions are not shown, 9")));
}

TEST(Narrow, TheChartHasTheDotsOfTheTableAlone) {
  JobProfile job = OneSecond();
  for (size_t row = 0; row < 30; ++row) {
    Region(job, fmt::format("r{}", 10 + row), 10 + row, 1);
    for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, row, m, {0});
    Set(job, row, test::kDpScalarAdd, {1'000'000});
    Set(job, row, metric::kFlops, {1'000'000});
    Set(job, row, metric::kDramBytes, {4'000'000});
  }
  const ReportJob report = Analyzed(job);
  const std::string left_out = "5 of 30 dots are left out (--all)\n";
  EXPECT_THAT(RenderChart({report}, {}), HasSubstr(left_out));
  EXPECT_THAT(RenderChart({report}, {.detail = Detail::kAll}), Not(HasSubstr(left_out)));
}

TEST(Narrow, OfManyRegionsTheLongestHaveTheLetters) {
  JobProfile job = OneSecond();
  for (size_t row = 0; row < 60; ++row) {
    Region(job, fmt::format("r{}", 10 + row), 10 + row, 1);
    for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, row, m, {0});
    Set(job, row, test::kDpScalarAdd, {1'000'000});
    Set(job, row, metric::kFlops, {1'000'000});
    Set(job, row, metric::kDramBytes, {4'000'000});
  }
  const ReportJob report = Analyzed(std::move(job));
  const std::vector<Row> rows = ReportRows(report.profile, report.analysis);
  EXPECT_EQ(rows.back().key, "A");
  EXPECT_EQ(rows[8].key, "z");
  EXPECT_EQ(rows[7].key, "1");
}

TEST(Narrow, SiblingsStandByTimeBelowTheirParent) {
  JobProfile job = OneSecond();
  Region(job, "init", 100, 1);
  Region(job, "solve", 800, 1);
  Region(job, "solve/halo", 100, 1);
  Region(job, "solve/sweep", 600, 1);
  EXPECT_THAT(NamesOf(Narrow(Analyzed(job), {})), ElementsAre("solve", "sweep", "halo", "init"));
}

TEST(Narrow, AnImbalanceIsShownWhereThereIsOne) {
  JobProfile job = test::EmptyJob(2);
  test::AddPass(job, "timer", 1);
  for (const char* path : {"a", "b"}) {
    const size_t row = AddPath(job, path);
    Set(job, row, metric::kVisits, {1, 1}, "timer");
    Set(job, row, metric::kTimeNs, {400'000'000, 400'000'000}, "timer");
  }
  EXPECT_THAT(HeadsOf(Narrow(Analyzed(job), {})), Not(Contains("imbal.")));
  Set(job, 1, metric::kTimeNs, {400'000'000, 200'000'000}, "timer");
  EXPECT_THAT(HeadsOf(Narrow(Analyzed(job), {})), Contains("imbal."));
}

TEST(Narrow, TheShareIsABarWhereThereIsRoom) {
  JobProfile job = OneSecond();
  Region(job, "a", 500, 1);
  Region(job, "b", 300, 2);
  const std::string text = RenderTable({Analyzed(job)}, {.width = 80, .unicode = false});
  EXPECT_THAT(text, HasSubstr("\n  a      500 ms  50 % #####\n  b      300 ms  30 % ###\n"));
}

TEST(Narrow, ColumnsThatSayNothingAreLeftOut) {
  JobProfile job = OneSecond();
  Region(job, "a", 400, 7);
  Region(job, "b", 500, 7);
  const NarrowTable table = Narrow(Analyzed(job), {});
  EXPECT_THAT(HeadsOf(table), ElementsAre("time", "share"));
  EXPECT_THAT(table.legend, ElementsAre("the same everywhere: visits 7"));
  EXPECT_EQ(table.rows[0].cells.size(), 2u);
}

TEST(Narrow, HeadsAreInOneLine) {
  JobProfile job = OneSecond();
  Region(job, "a", 400, 7);
  const std::string text =
      RenderTable({Analyzed(job)}, {.width = 160, .unicode = false, .detail = Detail::kAll});
  EXPECT_THAT(text, HasSubstr("  region   time share GFLOP/s roof of roof FLOP/B GB/s held by "
                              "imbal. visits FLOPs DRAM bytes\n  a      400 ms"));
}

TEST(Narrow, WithOneRegionNothingIsTheSameEverywhere) {
  JobProfile job = OneSecond();
  Region(job, "a", 400, 7);
  EXPECT_THAT(HeadsOf(Narrow(Analyzed(job), {.width = 120})), Contains("visits"));
}

TEST(Narrow, ColumnsGiveWayToLongNames) {
  JobProfile job = OneSecond();
  const std::string name = "CalcHourglassControlForElems";
  Region(job, name, 400, 7);
  Region(job, "b", 500, 8);
  for (size_t path = 0; path < 2; ++path) {
    for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, path, m, {0});
    Set(job, path, test::kDpScalarAdd, {1000000 * (path + 1)});
    Set(job, path, metric::kDramReadBytes, {1000 * (path + 1)});
    Set(job, path, metric::kDramWriteBytes, {0});
    Set(job, path, metric::kDramDirtyBytes, {0});
  }
  const ReportJob report = Analyzed(job);
  const NarrowTable narrow = Narrow(report, {.width = 80});
  EXPECT_THAT(HeadsOf(narrow), Not(Contains("DRAM bytes")));
  EXPECT_THAT(narrow.legend,
              Contains("--all, or a wider terminal, shows visits, FLOPs, DRAM bytes, too"));
  EXPECT_THAT(HeadsOf(Narrow(report, {.width = 120})), Contains("DRAM bytes"));
  EXPECT_THAT(RenderTable({report}, {.width = 80}), HasSubstr("CalcHourglas"));
}

TEST(Narrow, TwentyRegionsFitOnTwoScreens) {
  JobProfile job = OneSecond();
  for (int i = 10; i < 30; ++i) {
    Region(job, fmt::format("CalcHourglassControlForElems{}", i), 40, static_cast<uint64_t>(i));
  }
  const std::string table = RenderTable({Analyzed(job)}, {.width = 80});
  EXPECT_LE(std::count(table.begin(), table.end(), '\n'), 2 * 40);
  for (size_t at = 0; at < table.size();) {
    const size_t end = table.find('\n', at);
    EXPECT_LE(DisplayWidth(std::string_view(table).substr(at, end - at)), 80u);
    at = end + 1;
  }
}

}  // namespace
}  // namespace roofmark
