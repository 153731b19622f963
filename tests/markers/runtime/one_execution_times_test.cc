// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark run --one-execution`: times, what belongs to them, and how far they can be wrong.
#include <array>
#include <cmath>
#include <cstdint>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "lib/counts/strata.h"
#include "tests/markers/runtime/one_execution.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

constexpr uint64_t kEvenNs = kOnceNs + kEvenVisits * (kCheap.ns + kCostly.ns + kInner.ns);

// How many of the visits from the second one on are `so`.
template <typename So>
uint64_t CountVisits(uint64_t visits, So so) {
  uint64_t count = 0;
  for (uint64_t i = 1; i < visits; ++i) count += so(i) ? 1 : 0;
  return count;
}

// Visits that are timed and counted at once are timed with what counting costs, which is little.
TEST_F(OneExecution, TimesAreThoseOfTwo) {
  const JobProfile one = RunOnce("even"), two = RunTwice("even");
  EXPECT_EQ(Value(two, "once", metric::kTimeNs), kEvenNs);
  EXPECT_EQ(Value(two, "once/cheap", metric::kTimeNs), kEvenVisits * kCheap.ns);
  EXPECT_EQ(Value(two, "once/costly", metric::kTimeNs), kEvenVisits * (kCostly.ns + kInner.ns));
  EXPECT_EQ(Value(one, "once/costly", metric::kTimeNs), kEvenVisits * (kCostly.ns + kInner.ns));
  EXPECT_EQ(Value(one, "once/costly/inner", metric::kTimeNs), kEvenVisits * kInner.ns);
  EXPECT_EQ(Value(one, "once/costly", metric::kTimedVisits),
            kEvenVisits - CountVisits(kEvenVisits, IsCounted));
  const uint64_t little = kEvenVisits * (kCheap.Counted() - kCheap.ns);
  EXPECT_EQ(Value(one, "once/cheap", metric::kTimedVisits),
            kEvenVisits - CountVisits(kEvenVisits, [](uint64_t visit) {
              return IsCounted(visit) && !IsBoth(visit);
            }));
  EXPECT_GT(Value(one, "once/cheap", metric::kTimeNs), kEvenVisits * kCheap.ns);
  EXPECT_LT(Value(one, "once/cheap", metric::kTimeNs), kEvenVisits * kCheap.ns + little);
  EXPECT_GT(Value(one, "once", metric::kTimeNs), kEvenNs);
  EXPECT_LT(Value(one, "once", metric::kTimeNs), kEvenNs + little);
}

// What a region around has of what counting took is taken out of its time, and out of the
// program's.
TEST_F(OneExecution, CountingIsInNoTimeAround) {
  const JobProfile job = RunOnce("even");
  const uint64_t costly = CountVisits(kEvenVisits, IsCounted) *
                          (kCostly.Counted() + kInner.Counted() - kCostly.ns - kInner.ns);
  const auto seconds = [](uint64_t ns) { return static_cast<double>(ns) * 1e-9; };
  const double little = seconds(kEvenVisits * (kCheap.Counted() - kCheap.ns));
  const double counting = std::stod(job.run.passes[0].facts.at("counting_s"));
  EXPECT_NEAR(counting, seconds(costly), little);
  EXPECT_NEAR(seconds(Value(job, "once", metric::kTimeNs)), seconds(kEvenNs), little);
  EXPECT_NEAR(job.run.passes[0].wall_s, seconds(kEvenNs), little);
}

// It took nearly all of the time. If it were scaled as the others are, of which half are timed, the
// region would have twice its time.
TEST_F(OneExecution, TheTimeOfTheFirstVisitCountsOnce) {
  const JobProfile job = RunOnce("grids");
  EXPECT_EQ(Value(job, "grid", metric::kTimedVisits),
            kGridVisits - CountVisits(kGridVisits, IsCounted));
  EXPECT_EQ(Value(job, "grid", metric::kTimeNs), kFirstGridNs + (kGridVisits - 1) * kGrid.ns);
  EXPECT_EQ(Value(job, "grid", metric::kLongestVisitNs), kFirstGridNs);
}

// The second visit was counted. If it were taken to be as long as the first one, the region would
// have twice its time. Inside, counted visits are taken to be no longer than the timed one.
TEST_F(OneExecution, VisitsThatWereNotTimedAreNoLongerThanWhenCounted) {
  const JobProfile job = RunOnce("cold");
  EXPECT_EQ(Value(job, "cold", metric::kTimedVisits), 1u);
  const uint64_t counted = kCold.Counted() + kInnerInSecond * kInCold.Counted() + kLate.Counted();
  EXPECT_EQ(Value(job, "cold", metric::kTimeNs), kFirstColdNs + kInCold.ns + counted);
  EXPECT_EQ(Value(job, "cold", metric::kLongestVisitNs), kFirstColdNs + kInCold.ns);
  EXPECT_EQ(Value(job, "cold/inner", metric::kTimeNs), (1 + kInnerInSecond) * kInCold.ns);
}

// One has no timed visit at all; it has a time nevertheless, and the file says whose.
TEST_F(OneExecution, TimesOfVisitsThatWereNotTimedAreMarked) {
  const JobProfile job = RunOnce("cold");
  EXPECT_THAT(Turns(job), testing::HasSubstr("timed in their first visit alone, and the others "
                                             "taken to be no longer than it, nor than they were "
                                             "while they were counted: cold, cold/inner"));
  EXPECT_EQ(Value(job, "cold/late", metric::kTimedVisits), 0u);
  EXPECT_EQ(Value(job, "cold/late", metric::kTimeNs), kLate.Counted());
  EXPECT_THAT(
      Turns(job),
      testing::HasSubstr("never timed: their time is that of visits that were counted: cold/late"));
  for (const std::string path : {"cold", "cold/inner", "cold/late"}) {
    EXPECT_EQ(StatusOf(job, path, metric::kTimeMarginNs), Status::kUnsupported) << path;
  }
  // Eight of nine visits were counted, all alike; of the first one nothing is known.
  EXPECT_EQ(Value(job, "cold/inner", kAdds), 9u * 1000);
  EXPECT_EQ(StatusOf(job, "cold/inner", metric::kFlopsMargin), Status::kUnsupported);
  EXPECT_EQ(Value(job, "cold/late", kAdds), 100000u);
  EXPECT_THAT(ended_.err, test::Says(message::kFlopsUncertainInTurns, testing::_));
}

// It has less than the others, which consist of it.
TEST_F(OneExecution, TheFirstVisitsTimeInsideMpiCountsOnce) {
  const JobProfile job = RunOnce("waits");
  const uint64_t others = (kGridVisits - 1) * kWait.ns;
  EXPECT_EQ(Value(job, "waits", metric::kTimeNs), kFirstWaitNs + others);
  EXPECT_EQ(Value(job, "waits", metric::kMpiNs), kFirstMpiNs + others);
}

// One region's first visit touches memory, which the others find; the other one's visits do the
// same, whether the visit before was timed or counted.
TEST_F(OneExecution, PageFaultsOfTheFirstVisitCountOnce) {
  constexpr uint64_t kPages = 1024, kFew = 100;
  const JobProfile job = RunOnce("touches");
  const uint64_t same = Value(job, "same", metric::kPageFaults);
  EXPECT_GE(same, kPages);
  EXPECT_LT(same, kPages + kFew);
  const uint64_t other = Value(job, "other", metric::kPageFaults);
  EXPECT_GE(other, 20 * kPages);
  EXPECT_LT(other, 20 * (kPages + kFew));
}

// Half the width in the profile, both ends in the CSV, and in the report's JSON.
TEST_F(OneExecution, TimesHaveAnInterval) {
  const JobProfile job = RunOnce("uneven");
  const uint64_t time = Value(job, "uneven", metric::kTimeNs);
  const uint64_t margin = Value(job, "uneven", metric::kTimeMarginNs);
  std::array<counts::Stratum, counts::kStrata> strata{};
  uint64_t others = 0, ticks = 0;
  for (uint64_t i = 1; i < kUnevenVisits; ++i) {
    if (IsCounted(i)) continue;
    counts::Stratum& stratum = strata[counts::StratumOf(counts::PairOfVisit(i))];
    stratum.number += static_cast<double>(UnevenOf(i).ns);
    stratum.by += 1;
    ticks += UnevenOf(i).ns;
    ++others;
  }
  const double mean = static_cast<double>(ticks) / static_cast<double>(others);
  EXPECT_NEAR(static_cast<double>(time),
              static_cast<double>(UnevenOf(0).ns) + (kUnevenVisits - 1) * mean, 1);
  EXPECT_EQ(StatusOf(job, "uneven", metric::kTimeMarginNs), Status::kScaled);
  const auto untimed = static_cast<double>(CountVisits(kUnevenVisits, IsCounted));
  EXPECT_NEAR(static_cast<double>(margin), *counts::Margin(strata, untimed), 1);
  EXPECT_GT(margin, 0u);
  EXPECT_EQ(job.sources[metric::kTimeMarginNs].origin, job.sources[metric::kTimeNs].origin);
  const std::string csv_file = directory_.File("run.csv"), json_file = directory_.File("out.json");
  const Ended ended = test::Run(
      {ROOFMARK, "report", "--csv", csv_file, "--json", json_file, output_}, {}, directory_.path());
  EXPECT_EQ(ended.status, 0) << ended.err;
  const Result<std::string> csv = ReadFile(csv_file), json = ReadFile(json_file);
  ASSERT_TRUE(csv && json);
  const auto number_of = [&csv](const std::string& line) {
    const size_t at = csv->find("\nuneven," + line + ",");
    if (at == std::string::npos) return std::nan("");
    std::string fields = csv->substr(at + 1, csv->find('\n', at + 1) - at - 1);
    for (int i = 0; i < 7; ++i) fields.erase(0, fields.find(',') + 1);
    return std::stod(fields);
  };
  const double least = number_of("time_s_interval_least");
  EXPECT_NEAR(number_of("time_s_interval_most"), static_cast<double>(time + margin) * 1e-9, 1e-9);
  EXPECT_NEAR(
      least, std::max(0.0, (static_cast<double>(time) - static_cast<double>(margin)) * 1e-9), 1e-9);
  EXPECT_NE(json->find("\"interval\""), std::string::npos);
}

// Of two visits one was timed; of a region that is visited once, all were.
TEST_F(OneExecution, TimesOfTooFewVisitsHaveNoneAndThatOfAllNoWidth) {
  const JobProfile few = RunOnce("seldom");
  EXPECT_EQ(StatusOf(few, "twice", metric::kTimeMarginNs), Status::kUnsupported);
  const JobProfile job = RunOnce("even");
  EXPECT_EQ(Value(job, "once", metric::kTimeMarginNs), 0u);
  EXPECT_TRUE(HasValue(StatusOf(job, "once", metric::kTimeMarginNs)));
  EXPECT_LT(Value(job, "once/costly", metric::kTimedVisits), kEvenVisits);
  EXPECT_EQ(Value(job, "once/costly", metric::kTimeMarginNs), 0u) << "its visits are all alike";
  EXPECT_GT(Value(job, "once/cheap", metric::kTimeMarginNs), 0u);
}

}  // namespace
}  // namespace roofmark::test
