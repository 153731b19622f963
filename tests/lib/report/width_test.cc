// SPDX-License-Identifier: BSD-3-Clause
//
// No line of what the terminal shows is longer than asked for, whatever names a run has.
#include <gtest/gtest.h>

#include <sstream>

#include "lib/report/display_width.h"
#include "lib/report/format.h"
#include "lib/report/report.h"
#include "tests/lib/model/large_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

// A tree of `depth` regions with names of `length` characters, and such names wherever else.
ReportJob LongJob(size_t depth, size_t length, const Machine& machine) {
  JobProfile job = test::EmptyJob(2, 1, 2);
  const std::string name(length, 'n');
  test::AddPass(job, "timer", 5.0);
  test::AddPass(job, "counting", 5.0);
  job.run.passes[0].command = {"/" + name + "/app", "--" + name};
  job.run.warnings = {name + " is a warning", "region \"" + name + "\" was entered " + name};
  job.run.mpi = name;
  std::string path;
  for (size_t i = 0; i < depth; ++i) {
    path += (path.empty() ? "" : "/") + name;
    const size_t row = test::AddPath(job, path);
    job.paths[row].operation = name;
    test::Set(job, row, metric::kVisits, {10, 10}, "timer");
    test::Set(job, row, metric::kTimeNs, {1000000, 900000}, "timer");
    for (MetricId m = 0; m < kFlopClasses; ++m) test::Set(job, row, m, {0, 0});
    test::Set(job, row, test::kDp256Fma, {5000000, 5000000});
    test::Set(job, row, metric::kFlops, {5000000, 5000000});
    test::Set(job, row, metric::kDeclaredOperations, {5000000, 5000000});
    test::Set(job, row, metric::kDramBytes, {500000, 500000}, "counting", Status::kModelled);
  }
  JobAnalysis analysis = Analyze(job, &machine);
  return {name + ".json", std::move(job), std::move(analysis)};
}

void ExpectFits(const std::string& text, int width) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(DisplayWidth(line), static_cast<size_t>(width)) << line;
  }
}

// The column of the limit is what a table is read for: names give way rather than it.
TEST(Width, LongNamesPutNoColumnIntoAnotherBlock) {
  const Machine machine = test::LargeMachine();
  JobProfile profile = LongJob(3, 60, machine).profile;
  // Cells as wide as they become: "<0.001", "<0.1 %".
  for (const MetricId flops : std::initializer_list<MetricId>{test::kDp256Fma, metric::kFlops,
                                                              metric::kDeclaredOperations}) {
    test::Set(profile, 1, flops, {1, 0});
  }
  test::Set(profile, 2, metric::kTimeNs, {100, 90}, "timer");
  const ReportJob job = {"odd.json", profile, Analyze(profile, &machine)};
  for (int width = 80; width <= 160; ++width) {
    const std::string table = RenderTable({job}, {width, false});
    const size_t head = table.find("\n  region ");
    ASSERT_NE(head, table.npos) << table;
    EXPECT_NE(table.substr(head, table.find('\n', head + 1) - head).find("held by"), table.npos)
        << width << ":\n"
        << table;
  }
}

TEST(Width, EveryLineFits) {
  const Machine machine = test::LargeMachine();
  for (const int width : {kMinWidth, 80, 200}) {
    for (const bool unicode : {false, true}) {
      const TextStyle style = {width, unicode};
      for (const auto& [depth, length] : {std::pair<size_t, size_t>{3, 300}, {20, 20}}) {
        SCOPED_TRACE(::testing::PrintToString(std::make_tuple(width, unicode, depth, length)));
        const ReportJob job = LongJob(depth, length, machine);
        ExpectFits(RenderTable({job}, style), width);
        ExpectFits(RenderTable({job, job}, style), width);
        for (const ChartKind kind :
             {ChartKind::kRoofline, ChartKind::kHierarchical, ChartKind::kCacheAware}) {
          ExpectFits(RenderChart({job, job}, style, kind), width);
        }
      }
      ExpectFits(RenderTable({LongJob(0, 300, machine)}, style), width);
      ExpectFits(RenderMachine(machine, style), width);
    }
  }
}

TEST(Width, AWordThatIsLongerThanALineIsBroken) {
  EXPECT_EQ(Wrap("ab cdefghijkl mn", 6, 2), "ab\n  cdef\n  ghij\n  kl\n  mn\n");
  EXPECT_EQ(Wrap("abcdefgh", 4, 1), "abcd\n efg\n h\n");
}

}  // namespace
}  // namespace roofmark
