// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark run --one-execution`: times and counts of one execution, beside those of two.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "lib/core/file.h"
#include "lib/counts/strata.h"
#include "lib/counts/visit_turns.h"
#include "tests/support/recording.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);

class OneExecution : public Recording {
 protected:
  Ended Run(const std::vector<std::string>& options, const std::string& how) {
    std::vector<std::string> command = {ROOFMARK, "run", "--no-machine", "-o", output_, "--force"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", TURNING, how});
    // The first visit, which is not counted, would be the one that looks functions up.
    const Environment given = {{"OMP_NUM_THREADS", "1"}, {"LD_BIND_NOW", "1"}};
    return test::Run(command, given, directory_.path());
  }
  JobProfile RunOnce(const std::string& how, const std::vector<std::string>& more = {}) {
    std::vector<std::string> options = {"--one-execution"};
    options.insert(options.end(), more.begin(), more.end());
    ended_ = Run(options, how);
    EXPECT_EQ(ended_.status, 0) << ended_.err;
    EXPECT_THAT(ended_.out, HasSubstr("done")) << ended_.err;
    return ReadRoofline(output_).job;
  }
  JobProfile RunTwice(const std::string& how) {
    const Ended ended = Run({"--work", "always", "--engine", "native", "--count", "flops"}, how);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return ReadRoofline(output_).job;
  }
  static const Cell& At(const JobProfile& job, const std::string& path, MetricId metric) {
    return job.At(static_cast<size_t>(job.FindPath(path)), metric);
  }
  static Status StatusOf(const JobProfile& job, const std::string& path, MetricId metric) {
    return Worst(At(job, path, metric).status_bits);
  }
  // On a busy machine a visit may last as long as ten; of some executions one is undisturbed.
  template <typename Check>
  static bool OfTwenty(Check check) {
    for (int i = 0; i < 20; ++i) {
      if (check()) return true;
    }
    return false;
  }
  static std::string Turns(const JobProfile& job) {
    return job.run.passes.at(0).facts.at(kTurnsFact);
  }
};

// Visits do the same, so what is scaled is exact; the interval has no width.
TEST_F(OneExecution, CountsAndTimesAreThoseOfTwo) {
  const JobProfile one = RunOnce("even");
  ASSERT_EQ(one.run.passes.size(), 1u);
  EXPECT_TRUE(one.run.passes[0].times_are_real);
  const std::string first = ended_.out;
  const JobProfile two = RunTwice("even");
  ASSERT_EQ(two.run.passes.size(), 2u);
  for (const std::string path : {"once/cheap", "once/costly", "once/costly/inner"}) {
    EXPECT_EQ(Value(one, path, metric::kVisits), 60u);
    EXPECT_EQ(Value(one, path, kAdds), Value(two, path, kAdds)) << path;
    EXPECT_EQ(Value(one, path, metric::kLoadBytes), Value(two, path, metric::kLoadBytes)) << path;
    EXPECT_EQ(StatusOf(one, path, kAdds), Status::kScaled) << path;
  }
  EXPECT_EQ(Value(one, "once/cheap", kAdds), 60u * 200000);
  EXPECT_EQ(Value(one, "once/costly/inner", kAdds), 60u * 1000);
  for (const std::string path : {"once", "once/cheap", "once/costly"}) {
    EXPECT_EQ(StatusOf(one, path, metric::kTimeNs), Status::kScaled) << path;
  }
}

// But where the first one, which is not counted, was longer, as on a busy machine.
TEST_F(OneExecution, VisitsThatDoTheSameHaveAnIntervalWithoutWidth) {
  std::set<std::string> left = {"once/cheap", "once/costly", "once/costly/inner"};
  EXPECT_TRUE(OfTwenty([&] {
    const JobProfile one = RunOnce("even");
    for (auto path = left.begin(); path != left.end();) {
      const bool none = Value(one, *path, metric::kFlopsMargin) == 0;
      path = none ? left.erase(path) : std::next(path);
    }
    return left.empty();
  })) << *left.begin();
}

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

TEST_F(OneExecution, SaysWhichRegionWasTimedAndCountedHow) {
  JobProfile job;
  // By how much counting costs more.
  EXPECT_TRUE(OfTwenty([&] {
    job = RunOnce("even");
    return Turns(job).find("once/costly (+") != std::string::npos;
  })) << Turns(job);
  EXPECT_THAT(Turns(job), HasSubstr("timed and counted in turns, and scaled to all visits: "));
  EXPECT_THAT(Turns(job), HasSubstr("visited too seldom to be counted: once"));
  EXPECT_THAT(ended_.out, HasSubstr("visits took turns: regions timed and counted"));
  EXPECT_THAT(ended_.err, HasSubstr("visits are timed or counted, in turns"));
  EXPECT_THAT(ended_.err, HasSubstr("no counts of once: visited too seldom"));
  EXPECT_EQ(StatusOf(job, "once", kAdds), Status::kUnsupported);
  EXPECT_EQ(Value(job, "once", metric::kTimedVisits), 1u);
}

// What a region around has of what counting took is taken out: it is no longer than its parts.
TEST_F(OneExecution, CountingIsInNoTimeAround) {
  std::string ratios;
  EXPECT_TRUE(OfTwenty([&] {
    const JobProfile job = RunOnce("even");
    const auto once = static_cast<double>(Value(job, "once", metric::kTimeNs));
    const auto parts = static_cast<double>(Value(job, "once/cheap", metric::kTimeNs) +
                                           Value(job, "once/costly", metric::kTimeNs));
    const std::string& counting_s = job.run.passes[0].facts.at("counting_s");
    ratios += fmt::format("\n{:.2f} beside {} s", once / parts, counting_s);
    return std::abs(once / parts - 1) < 0.15 && std::stod(counting_s) > 0;
  })) << ratios;
}

// The sum of all visits is known; it lies in the interval, which has a width.
TEST_F(OneExecution, VisitsThatDifferHaveAnInterval) {
  const JobProfile job = RunOnce("uneven");
  uint64_t truth = 0;
  for (uint64_t i = 0; i < 120; ++i) truth += 15000 + 10000 * (i * 7 % 16) / 15;
  const auto adds = static_cast<double>(Value(job, "uneven", kAdds));
  const auto margin = static_cast<double>(Value(job, "uneven", metric::kFlopsMargin));
  EXPECT_GT(margin, 0);
  EXPECT_NEAR(adds, static_cast<double>(truth), 0.1 * static_cast<double>(truth));
  EXPECT_LT(margin, 0.5 * adds);
  EXPECT_THAT(ended_.out, HasSubstr("scaled from the visits that were counted"));
  const Ended csv = test::Run({ROOFMARK, "report", "--csv", directory_.File("run.csv"), output_},
                              {}, directory_.path());
  EXPECT_EQ(csv.status, 0) << csv.err;
  const Result<std::string> text = ReadFile(directory_.File("run.csv"));
  ASSERT_TRUE(text) << text.error();
  EXPECT_THAT(*text, HasSubstr("gflops_interval_least"));
}

// Of visits whose FLOPs and turns are known, both the sum and its margin follow exactly.
TEST_F(OneExecution, TheMarginIsThatOfTheVisitsThatWereCounted) {
  constexpr uint64_t kAll = 120;
  std::array<counts::Stratum, counts::kStrata> strata{};
  uint64_t sum = 0, counted = 0;
  for (uint64_t i = 1; i < kAll; ++i) {
    if (!counts::IsCountedInTurn(i)) continue;
    const uint64_t adds = 15000 + 10000 * (i * 7 % 16) / 15;
    counts::Stratum& stratum = strata[counts::StratumOf(counts::PairOfVisit(i))];
    stratum.number += static_cast<double>(adds);
    stratum.by += 1;
    sum += adds;
    ++counted;
  }
  const auto margin = static_cast<uint64_t>(
      std::llround(*counts::Margin(strata, static_cast<double>(kAll - counted))));
  JobProfile job;
  ASSERT_TRUE(OfTwenty([&] {
    job = RunOnce("uneven");
    return Value(job, "uneven", metric::kTimedVisits) == kAll - counted &&
           Value(job, "uneven", metric::kFlopsMargin) == margin;
  })) << "visits were timed and counted at once, or the first one was longer: "
      << Turns(job) << ", " << Value(job, "uneven", metric::kFlopsMargin) << " for " << margin;
  EXPECT_EQ(Value(job, "uneven", kAdds), (sum * kAll + counted / 2) / counted);
}

// The first one does most of the work, is not counted, and took most of the time.
TEST_F(OneExecution, AFirstVisitUnlikeTheOthersLeavesNoInterval) {
  const JobProfile job = RunOnce("grids");
  EXPECT_EQ(StatusOf(job, "grid", metric::kFlopsMargin), Status::kUnsupported);
  EXPECT_EQ(StatusOf(job, "grid", kAdds), Status::kScaled);
  EXPECT_THAT(ended_.err, HasSubstr("FLOPs of grid are uncertain"));
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

TEST_F(OneExecution, ARegionInsideThatWasNeverCountedIsMissingAround) {
  const JobProfile job = RunOnce("seldom");
  EXPECT_EQ(StatusOf(job, "twice/once", kAdds), Status::kUnsupported);
  EXPECT_EQ(StatusOf(job, "twice", kAdds), Status::kUnsupported);
  EXPECT_EQ(Value(job, "twice", metric::kTimedVisits), 1u);
  EXPECT_THAT(ended_.err, HasSubstr("no counts of twice, twice/once"));
}

TEST_F(OneExecution, ASecondOneCountsWhatIsMissing) {
  const JobProfile job = RunOnce("even", {"--work", "always", "--count", "flops"});
  ASSERT_EQ(job.run.passes.size(), 2u);
  EXPECT_EQ(Value(job, "once", kAdds), 1000u + 60 * (200000 + 50000 + 1000));
  EXPECT_EQ(StatusOf(job, "once", kAdds), Status::kMeasured);
  EXPECT_THAT(Turns(job), HasSubstr("counts are those of a second execution"));
  EXPECT_THAT(ended_.err, Not(HasSubstr("no counts of")));
}

// The engine executes all threads but the main one, whatever is timed.
TEST_F(OneExecution, WhereThreadsWorkThereAreNoTimes) {
  const JobProfile job = RunOnce("team");
  EXPECT_EQ(StatusOf(job, "team", metric::kTimeNs), Status::kInvalid);
  EXPECT_EQ(StatusOf(job, "alone", metric::kTimeNs), Status::kScaled);
  EXPECT_EQ(Value(job, "team", kAdds), 60u * 2 * 11000);
  EXPECT_EQ(Value(job, "alone", kAdds), 60u * 10000);
  EXPECT_THAT(ended_.err, HasSubstr("no times of team, team/own: other threads work there"));
  EXPECT_THAT(Turns(job), HasSubstr("counted only, because other threads work in them"));
}

TEST_F(OneExecution, RecursionIsCountedOnce) {
  const JobProfile job = RunOnce("recursive");
  EXPECT_EQ(Value(job, "nest", metric::kVisits), 27u);
  EXPECT_EQ(Value(job, "nest", kAdds), 27u * 1000);
}

TEST_F(OneExecution, RefusesWhatItCannot) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> kWrong = {
      {{"--count", "cache"}, "leave out --count cache"},
      {{"--auto"}, "leave out --auto"},
      {{"--collector", "timer"}, "leave out --collector timer"},
      {{"--repeat", "3"}, "leave out --repeat"},
      {{"--visits", "first:3"}, "leave out --visits"},
      {{"--groups", "all"}, "leave out --groups"},
      {{"--work-limit", "10s"}, "--work always"},
  };
  for (const auto& [options, why] : kWrong) {
    std::vector<std::string> all = {"--one-execution"};
    all.insert(all.end(), options.begin(), options.end());
    const Ended ended = Run(all, "even");
    EXPECT_EQ(ended.status, 2) << why;
    EXPECT_THAT(ended.err, HasSubstr(why));
  }
}

TEST_F(OneExecution, ASettingThatNoCollectorHereHasIsSaid) {
  const Ended ended = test::Run({TURNING, "even"}, {{"ROOFMARK_VISITS", "in-turns"},
                                                    {"ROOFMARK_COLLECTOR", "timer"},
                                                    {"ROOFMARK_OUTPUT", output_}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("ROOFMARK_VISITS=in-turns"));
  EXPECT_EQ(Value(ReadRoofline(output_).job, "once/cheap", metric::kTimedVisits), 60u);
}

}  // namespace
}  // namespace roofmark::test
