// SPDX-License-Identifier: BSD-3-Clause
//
// Letters follow the rows of tables, and one region has one letter everywhere.
#include "lib/report/time_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/json_document.h"
#include "lib/report/chart.h"
#include "lib/report/first_table.h"
#include "lib/report/narrow.h"
#include "lib/report/page_data.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// In the file's order the shortest first; "copy" does no FLOPs, and has no dot.
ReportJob FourRegions() {
  JobProfile job = test::EmptyJob(1);
  test::AddPass(job, "timer", 10);
  const auto add = [&job](const char* path, uint64_t seconds, uint64_t flops) {
    const size_t row = test::AddPath(job, path);
    test::Set(job, row, metric::kVisits, {1}, "timer");
    test::Set(job, row, metric::kTimeNs, {seconds * 1'000'000'000}, "timer");
    for (MetricId m = 0; m < kFlopClasses; ++m) test::Set(job, row, m, {0});
    test::Set(job, row, test::kDpScalarAdd, {flops});
    test::Set(job, row, metric::kFlops, {flops});
    test::Set(job, row, metric::kDramBytes, {4'000'000'000});
  };
  add("copy", 4, 0);
  add("init", 1, 1'000'000'000);
  add("solve", 5, 3'000'000'000);
  add("solve/halo", 1, 1'000'000'000);
  add("solve/sweep", 3, 2'000'000'000);
  const Machine machine = test::SampleMachine();
  JobAnalysis analysis = Analyze(job, &machine);
  return {"four.json", std::move(job), std::move(analysis)};
}

// "A solve": of all that have a letter.
std::vector<std::string> Lettered(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    if (!row.key.empty()) names.push_back(NameOf(row));
  }
  return names;
}

// Where each is found first in `text`.
void ExpectInOrder(const std::string& text, const std::vector<std::string>& parts) {
  size_t last = 0;
  for (const std::string& part : parts) {
    const size_t at = text.find(part, last);
    ASSERT_NE(at, std::string::npos) << part << " in " << text;
    last = at + 1;
  }
}

TEST(TimeOrder, IsATreeWithTheLongestSiblingFirst) {
  const ReportJob job = FourRegions();
  EXPECT_THAT(TimeOrder(job.profile, job.analysis), ElementsAre(2, 4, 3, 0, 1));
  EXPECT_EQ(TimedTree(job.profile, job.analysis).Own(2), 1) << "of 5 s, 3 and 1 are inside";
}

TEST(TimeOrder, LettersAreInTheOrderOfTheTable) {
  const ReportJob job = FourRegions();
  EXPECT_THAT(Lettered(Narrow(job, {}).rows),
              ElementsAre("A solve", "B sweep", "C halo", "D init"));
}

TEST(TimeOrder, ARegionHasOneLetterEverywhere) {
  const ReportJob job = FourRegions();
  for (const ChartDot& dot : ChartDots(job)) {
    EXPECT_EQ(dot.key, ReportRows(job.profile, job.analysis)[dot.region].key);
  }
  EXPECT_THAT(FirstTable(job, {}), HasSubstr(" B sweep"));
  const std::string svg = RenderSvg({job});
  ExpectInOrder(svg.substr(svg.find(">region<")),
                {">A solve<", ">B sweep<", ">C halo<", ">copy<", ">D init<"});
  const std::string page = RenderHtml({job});
  const auto cell = [](const char* key, const char* depth, const char* name) {
    return std::string("</svg> ") + key + "</td><td class=\"name " + depth + "\">" + name + "<";
  };
  ExpectInOrder(page.substr(page.find("class=\"regions\"")),
                {cell("A", "d0", "solve"), cell("B", "d1", "sweep"), cell("C", "d1", "halo"),
                 ">copy<", cell("D", "d0", "init")});
}

// The script finds the region of a row by it.
TEST(TimeOrder, ThePageSaysWhichRegionARowIs) {
  const Json page = Json::parse(PageData({FourRegions()}));
  EXPECT_EQ(page[0]["order"], Json({2, 4, 3, 0, 1}));
  EXPECT_EQ(page[0]["regions"][2]["key"], "A");
}

}  // namespace
}  // namespace roofmark
