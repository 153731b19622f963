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
  for (const Column& column : table.columns) heads.push_back(HeadOf(column));
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

TEST(Narrow, OfManyRegionsThoseBelowAHundredthOfTheRunAreLeftOut) {
  JobProfile job = OneSecond();
  Region(job, "large", 600, 1);
  for (int i = 10; i < 29; ++i) Region(job, fmt::format("small{}", i), 9, 2);
  EXPECT_EQ(Narrow(Analyzed(job), {}).rows.size(), 20u);
  Region(job, "small29", 9, 2);
  const ReportJob report = Analyzed(job);
  const NarrowTable table = Narrow(report, {});
  EXPECT_THAT(NamesOf(table), ElementsAre("large"));
  EXPECT_THAT(table.legend, Contains("20 regions below 1 % of the run are left out (--all)"));
  EXPECT_EQ(Narrow(report, {.detail = Detail::kAll}).rows.size(), 21u);
}

TEST(Narrow, ColumnsThatSayNothingAreLeftOut) {
  JobProfile job = OneSecond();
  Region(job, "a", 400, 7);
  Region(job, "b", 500, 7);
  const NarrowTable table = Narrow(Analyzed(job), {});
  EXPECT_THAT(HeadsOf(table), ElementsAre("time", "of run"));
  EXPECT_THAT(table.legend, ElementsAre("the same everywhere: imbalance 1.00, visits 7"));
  EXPECT_EQ(table.rows[0].cells.size(), 2u);
}

TEST(Narrow, WithOneRegionNothingIsTheSameEverywhere) {
  JobProfile job = OneSecond();
  Region(job, "a", 400, 7);
  EXPECT_THAT(HeadsOf(Narrow(Analyzed(job), {})), Contains("visits"));
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
  EXPECT_THAT(narrow.legend, Contains(HasSubstr("left out for want of room: DRAM bytes")));
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
