// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "lib/profile/whole.h"

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
  job.cells = CellTable(rows.size());
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

TEST(JoinPasses, CriticalPlacesAreThoseOfTheWorkPass) {
  const JobProfile time = Pass("timer", {{"a", 3, 100, 0}});
  JobProfile work = Pass("counting", {{"a", 3, 99999, 42}, {"b", 1, 1, 1}});
  work.paths[0].critical = {"sweep.c", 7, 100, 300};
  work.paths[1].critical = {"other.c", 9, 1, 3};
  const JobProfile joined = JoinPasses(time, work);
  EXPECT_EQ(joined.paths[0].critical.file, "sweep.c");
  EXPECT_EQ(joined.paths[0].critical.cycles, 100u);
  EXPECT_EQ(joined.paths[1].critical.line, 9u);
}

TEST(JoinPasses, TheProgramIsJoinedAsRegionsAre) {
  JobProfile time = Pass("timer", {}), work = Pass("counting", {});
  for (const auto& [pass, ns, flops] :
       {std::tuple(&time, 100u, 0u), std::tuple(&work, 99999u, 42u)}) {
    pass->whole = CellTable(kWholeRows);
    pass->whole.At(1, metric::kTimeNs) = Cell::Of(ns, 0, Status::kMeasured);
    pass->whole.At(1, kAdds) = Cell::Of(flops, 0, Status::kMeasured);
  }
  const JobProfile joined = JoinPasses(time, work);
  EXPECT_EQ(joined.whole.At(1, metric::kTimeNs).min, 100u);
  EXPECT_EQ(joined.whole.At(1, kAdds).min, 42u);
  work.whole = {};
  EXPECT_TRUE(JoinPasses(time, work).whole.empty());
}

TEST(JoinPasses, DifferencesAreNamed) {
  const JobProfile joined = JoinPasses(Pass("timer", {{"a", 3, 1, 0}, {"b", 1, 1, 0}}),
                                       Pass("counting", {{"a", 4, 1, 1}, {"c", 1, 1, 1}}));
  EXPECT_THAT(
      joined.run.warnings,
      ElementsAre("the program did not do equally much in the time pass and in the work pass; what "
                  "was counted is scaled to the time pass: \"a\" 3 and 4 times",
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

// A solver that runs until a time is over.
TEST(JoinPasses, CountsAreScaledToTheVisitsOfTheTimePass) {
  const JobProfile joined = JoinPasses(
      Pass("timer", {{"run", 1, 900, 0}, {"run/dot", 5, 9, 0}, {"run/mg", 50, 800, 0}}),
      Pass("counting", {{"run", 1, 1, 1070}, {"run/dot", 5, 1, 70}, {"run/mg", 10, 1, 800}}));
  const auto flops = [&joined](const char* path) {
    return joined.At(static_cast<size_t>(joined.FindPath(path)), kAdds);
  };
  EXPECT_EQ(flops("run/mg").min, 4000u);
  EXPECT_EQ(Worst(flops("run/mg").status_bits), Status::kScaled);
  EXPECT_EQ(flops("run/dot").min, 70u);
  EXPECT_EQ(Worst(flops("run/dot").status_bits), Status::kMeasured);
  EXPECT_EQ(flops("run").min, 200u + 70u + 4000u);
  EXPECT_EQ(Worst(flops("run").status_bits), Status::kScaled);
}

// How often what was found was entered is known by places that were counted.
TEST(JoinPasses, WhatWasFoundIsScaledByItsRatio) {
  JobProfile work =
      Pass("counting", {{"f()", 1, 0, 1100}, {"f()/a", 10, 0, 800}, {"f()/b", 2, 0, 300}});
  for (PathInfo& info : work.paths) info.kind = RegionKind::kFound;
  const JobProfile joined =
      JoinPasses(Pass("timer", {}), work, {{"f()/a", {5, 10}}, {"f()/b", {1, 2}}});
  const auto row = [&joined](const char* path) {
    return static_cast<size_t>(joined.FindPath(path));
  };
  EXPECT_EQ(joined.At(row("f()/a"), kAdds).min, 4000u);
  EXPECT_EQ(joined.At(row("f()/a"), metric::kVisits).min, 50u);
  EXPECT_EQ(joined.At(row("f()/b"), kAdds).min, 300u);
  EXPECT_EQ(Worst(joined.At(row("f()/b"), kAdds).status_bits), Status::kMeasured);
  EXPECT_EQ(joined.At(row("f()"), kAdds).min, 4300u);
  EXPECT_EQ(joined.At(row("f()"), metric::kVisits).min, 1u);
  EXPECT_THAT(joined.run.warnings,
              testing::Contains(HasSubstr("code of \"f()/a\" 50 and 10 times")));
}

TEST(JoinPasses, TheProgramIsScaledByItsRegionsAndNotOutsideOfThem) {
  const auto with_program = [](JobProfile pass, uint64_t outside, uint64_t program) {
    pass.whole = CellTable(kWholeRows);
    pass.whole.At(0, kAdds) = Cell::Of(outside, 0, Status::kMeasured);
    pass.whole.At(1, kAdds) = Cell::Of(program, 0, Status::kMeasured);
    return pass;
  };
  const JobProfile joined =
      JoinPasses(with_program(Pass("timer", {{"a", 3, 9, 0}, {"b", 1, 9, 0}}), 0, 0),
                 with_program(Pass("counting", {{"a", 1, 9, 10}, {"b", 1, 9, 5}}), 100, 115));
  EXPECT_EQ(joined.whole.At(0, kAdds).min, 100u);
  EXPECT_EQ(Worst(joined.whole.At(0, kAdds).status_bits), Status::kMeasured);
  EXPECT_EQ(joined.whole.At(1, kAdds).min, 135u);
  EXPECT_EQ(Worst(joined.whole.At(1, kAdds).status_bits), Status::kScaled);
}

TEST(JoinPasses, NumbersOfThreadsAreNotScaledAndTheBusiestThreadIs) {
  JobProfile work = Pass("counting", {{"a", 1, 1, 10}});
  for (MetricId id :
       {MetricId{metric::kWorkers}, MetricId{metric::kWorkerFlopsMax}, MetricId{metric::kFlops}}) {
    work.sources[id] = {"counting", Status::kMeasured, ""};
  }
  work.At(0, metric::kWorkers) = Cell::Of(2, 0, Status::kMeasured);
  work.At(0, metric::kWorkerFlopsMax) = Cell::Of(6, 0, Status::kMeasured);
  work.At(0, metric::kFlops) = Cell::Of(10, 0, Status::kMeasured);
  FillSpreads(work);
  const JobProfile joined = JoinPasses(Pass("timer", {{"a", 3, 9, 0}}), work);
  EXPECT_EQ(joined.At(0, metric::kWorkers), work.At(0, metric::kWorkers));
  EXPECT_EQ(joined.At(0, metric::kWorkerFlopsMax).min, 18u);
  EXPECT_EQ(joined.At(0, metric::kFlops).min, 30u);
  EXPECT_EQ(joined.SpreadAt(0, Drawn::kFlops).lowest[0].value, 30u);
}

// Rank 0 counted 10 and rank 1 counted 30, in 2 visits each; 3 of rank 0 and 5 of rank 1 are to be.
TEST(JoinPasses, RanksAreScaledTogether) {
  JobProfile time = Pass("timer", {{"a", 3, 9, 0}}), work = Pass("counting", {{"a", 2, 1, 10}});
  time.At(0, metric::kVisits) =
      Combine(time.At(0, metric::kVisits), Cell::Of(5, 1, Status::kMeasured));
  work.At(0, metric::kVisits) =
      Combine(work.At(0, metric::kVisits), Cell::Of(2, 1, Status::kMeasured));
  work.At(0, kAdds) = Combine(work.At(0, kAdds), Cell::Of(30, 1, Status::kMeasured));
  const Cell flops = JoinPasses(time, work).At(0, kAdds);
  EXPECT_EQ(flops.Sum(), 80u);
  EXPECT_EQ(flops.min, 20u);
  EXPECT_EQ(flops.max, 60u);
  EXPECT_EQ(flops.max_rank, 1u);
  EXPECT_DOUBLE_EQ(flops.mean, 40);
  EXPECT_DOUBLE_EQ(flops.StdDev(), 20);
}

TEST(JoinPasses, WhatOtherRanksEnteredIsNotScaled) {
  JobProfile time = Pass("timer", {{"a", 3, 9, 0}});
  const JobProfile work = Pass("counting", {{"a", 2, 1, 10}});
  time.At(0, metric::kVisits) =
      Combine(time.At(0, metric::kVisits), Cell::Of(5, 1, Status::kMeasured));
  const JobProfile joined = JoinPasses(time, work);
  EXPECT_EQ(joined.At(0, kAdds), work.At(0, kAdds));
  EXPECT_THAT(joined.run.warnings,
              ElementsAre("region \"a\" was entered by 2 ranks in the time pass and by 1 in the "
                          "work pass"));
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
