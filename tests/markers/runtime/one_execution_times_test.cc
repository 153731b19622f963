// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark run --one-execution`: times, what belongs to them, and how far they can be wrong.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <sstream>

#include "lib/core/file.h"
#include "tests/markers/runtime/one_execution.h"

namespace roofmark::test {
namespace {

TEST_F(OneExecution, TimesAreThoseOfTwo) {
  std::string ratios;
  std::set<std::string> left = {"once", "once/cheap", "once/costly", "turns"};
  EXPECT_TRUE(OfTwenty([&] {
    const JobProfile one = RunOnce("even"), two = RunTwice("even");
    // The first, one of each of 29 pairs, and the last if it is its turn.
    const uint64_t timed = Value(one, "once/costly", metric::kTimedVisits);
    ratios += fmt::format("\n{} visits", timed);
    if (timed == 30 || timed == 31) left.erase("turns");
    for (const std::string path : {"once", "once/cheap", "once/costly"}) {
      const double ratio = static_cast<double>(Value(one, path, metric::kTimeNs)) /
                           static_cast<double>(Value(two, path, metric::kTimeNs));
      ratios += fmt::format(" {}: {:.2f}", path, ratio);
      if (ratio > 0.7 && ratio < 1.4) left.erase(path);
    }
    return left.empty();
  })) << *left.begin()
      << ratios;
}

// What a region around has of what counting took is taken out: the rest is what the program saw
// less that. And counting took what the visits were longer than those that were timed. A busy
// machine changes neither: what delays the program, markers included, its own clock sees as well.
TEST_F(OneExecution, CountingIsInNoTimeAround) {
  std::string tries;
  EXPECT_TRUE(OfTwenty([&] {
    const JobProfile job = RunOnce("long");
    const auto seconds = [&](const std::string& path) {
      return static_cast<double>(Value(job, path, metric::kTimeNs)) * 1e-9;
    };
    const double parts = seconds("once/cheap") + seconds("once/costly");
    const double counting = std::stod(job.run.passes[0].facts.at("counting_s"));
    double own = 0, inside = 0;
    std::istringstream(ended_.out.substr(ended_.out.find("own times: ") + 11)) >> own >> inside;
    own *= 1e-9, inside *= 1e-9;
    tries += fmt::format("\nonce {:.3f} of {:.3f} s, parts {:.3f} of {:.3f} s, counting {:.3f} s",
                         seconds("once"), own, parts, inside, counting);
    EXPECT_LT(seconds("once"), own);
    return counting > 0.1 * own && std::abs(own - counting - seconds("once")) < 0.05 * own &&
           std::abs(inside - parts - counting) < 0.2 * counting;
  })) << tries;
}

// It took nearly all of the time. If it were scaled as the others are, of which half are timed, the
// region would have more than 1.7 times its time.
TEST_F(OneExecution, TheTimeOfTheFirstVisitCountsOnce) {
  std::string ratios;
  EXPECT_TRUE(OfTwenty([&] {
    const JobProfile job = RunOnce("grids");
    EXPECT_LE(Value(job, "grid", metric::kTimedVisits), 7u);
    const double ratio = static_cast<double>(Value(job, "grid", metric::kTimeNs)) /
                         static_cast<double>(Value(job, "grid", metric::kLongestVisitNs));
    ratios += fmt::format(" {:.2f}", ratio);
    // The others have 200 times fewer additions each.
    return ratio > 0.99 && ratio < 1.4;
  })) << ratios;
}

// The second visit was counted. If it were taken to be as long, the region would have twice its
// time.
TEST_F(OneExecution, VisitsThatWereNotTimedAreNoLongerThanWhenCounted) {
  std::string ratios;
  EXPECT_TRUE(OfTwenty([&] {
    const JobProfile job = RunOnce("cold");
    EXPECT_EQ(Value(job, "cold", metric::kTimedVisits), 1u);
    const double ratio = static_cast<double>(Value(job, "cold", metric::kTimeNs)) /
                         static_cast<double>(Value(job, "cold", metric::kLongestVisitNs));
    ratios += fmt::format(" {:.2f}", ratio);
    return ratio > 0.99 && ratio < 1.4;
  })) << ratios;
}

// One has no timed visit at all; it has a time nevertheless, and the file says whose.
TEST_F(OneExecution, TimesOfVisitsThatWereNotTimedAreMarked) {
  const JobProfile job = RunOnce("cold");
  EXPECT_THAT(Turns(job), testing::HasSubstr("timed in their first visit alone, and the others "
                                             "taken to be no longer than it, nor than they were "
                                             "while they were counted: cold, cold/inner"));
  EXPECT_EQ(Value(job, "cold/late", metric::kTimedVisits), 0u);
  EXPECT_GT(Value(job, "cold/late", metric::kTimeNs), 0u);
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
  EXPECT_THAT(ended_.err, testing::HasSubstr("or no other one was timed"));
}

// It has no time inside MPI, of which all others consist.
TEST_F(OneExecution, TheFirstVisitsTimeInsideMpiCountsOnce) {
  std::string ratios;
  EXPECT_TRUE(OfTwenty([&] {
    const JobProfile job = RunOnce("waits");
    const uint64_t others =
        Value(job, "waits", metric::kTimeNs) - Value(job, "waits", metric::kLongestVisitNs);
    const double ratio =
        static_cast<double>(Value(job, "waits", metric::kMpiNs)) / static_cast<double>(others);
    ratios += fmt::format(" {:.2f}", ratio);
    return ratio > 0.8 && ratio < 1.05;
  })) << ratios;
}

// One region's first visit touches memory, which the others find; the other one's visits do the
// same, whether the visit before was timed or counted.
TEST_F(OneExecution, PageFaultsOfTheFirstVisitCountOnce) {
  constexpr uint64_t kPages = 1024, kFew = 100;
  std::string found;
  EXPECT_TRUE(OfTwenty([&] {
    const JobProfile job = RunOnce("touches");
    const uint64_t same = Value(job, "same", metric::kPageFaults);
    const uint64_t other = Value(job, "other", metric::kPageFaults);
    found += fmt::format(" {} and {}", same, other);
    return same >= kPages && same < kPages + kFew && other >= 20 * kPages &&
           other < 20 * (kPages + kFew);
  })) << found;
}

// Half the width in the profile, both ends in the CSV, and in the report's JSON.
TEST_F(OneExecution, TimesHaveAnInterval) {
  const JobProfile job = RunOnce("uneven");
  const uint64_t time = Value(job, "uneven", metric::kTimeNs);
  const uint64_t margin = Value(job, "uneven", metric::kTimeMarginNs);
  EXPECT_EQ(StatusOf(job, "uneven", metric::kTimeMarginNs), Status::kScaled);
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
  EXPECT_GT(Value(job, "once/costly", metric::kTimeMarginNs), 0u);
}

}  // namespace
}  // namespace roofmark::test
