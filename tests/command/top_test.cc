// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "command/top/table.h"

namespace roofmark::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

// Two ranks in "a" with 1 s and 3 s of 10 s, one visit of "a/b" open.
TopState Sample() {
  TopState state;
  state.running = 2;
  JobProfile& job = state.job;
  job.run.job_id = "j1";
  job.run.ranks = 4;
  job.run.ranks_merged = 2;
  job.run.passes.emplace_back();
  job.run.passes[0].wall_s = 10;
  job.paths = {{"a", "", 0, RegionKind::kTeam}, {"a/b", "", 0, RegionKind::kTeam}};
  job.paths[1].unfinished = 1;
  job.cells = CellTable(2);
  job.At(0, metric::kVisits) =
      Combine(Cell::Of(10, 0, Status::kMeasured), Cell::Of(30, 1, Status::kMeasured));
  job.At(0, metric::kTimeNs) = Combine(Cell::Of(1'000'000'000, 0, Status::kMeasured),
                                       Cell::Of(3'000'000'000, 1, Status::kMeasured));
  job.At(1, metric::kVisits) = Cell::Of(0, 0, Status::kMeasured);
  job.At(1, metric::kTimeNs) = Cell::Of(0, 0, Status::kMeasured);
  return state;
}

TEST(Top, RanksVisitsShareAndImbalance) {
  const std::string text = RenderTop(Sample(), 80, 10);
  EXPECT_THAT(text, HasSubstr("job j1: 2 of 4 ranks seen, 2 running, 10.0 s"));
  EXPECT_THAT(text, testing::ContainsRegex("\na +2 +0 +40 +2.00 s +20 % +1.50\n"));
  EXPECT_THAT(text, testing::ContainsRegex("\n  b +1 +1 +0 +- +- +-\n"));
}

TEST(Top, FitsTheTerminal) {
  TopState state = Sample();
  state.job.paths[0].path = std::string(300, 'x');
  std::istringstream lines(RenderTop(state, 60, 1));
  int shown = 0;
  for (std::string line; std::getline(lines, line); ++shown) {
    if (line.rfind("inside", 0) == 0) break;
    EXPECT_LE(line.size(), 60u) << line;
  }
  EXPECT_THAT(RenderTop(state, 60, 1), HasSubstr("(1 more regions)"));
  EXPECT_THAT(RenderTop(state, 60, 1), Not(HasSubstr("  b ")));
}

TEST(Top, NoRegionYet) {
  EXPECT_THAT(RenderTop(TopState{}, 80, 10), HasSubstr("no region was entered so far"));
}

}  // namespace
}  // namespace roofmark::cli
