// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/turn_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

#include "lib/counts/strata.h"
#include "lib/counts/visit_turns.h"
#include "tests/markers/runtime/played_turns.h"

namespace roofmark::runtime {
namespace {

using testing::HasSubstr;
using testing::Not;

class TurnTimes : public testing::Test {
 protected:
  uint64_t TakeOut() { return TakeOutCounting({played_.turns}, played_.input); }
  void Judge(uint64_t counting_ticks = 0) {
    JudgeTurns({played_.turns}, counting_ticks, played_.input, pass_);
  }
  std::optional<Status> Doubt(uint32_t path, MetricId metric) const {
    const auto doubt = played_.input.doubts.find({path, metric});
    if (doubt == played_.input.doubts.end()) return std::nullopt;
    return doubt->second;
  }
  std::string Fact() const { return pass_.facts.at(kTurnsFact); }

  PlayedTurns played_;
  PassInfo pass_;
};

// 20 visits after the first one, of which ten are counted and take 300 ticks more.
TEST_F(TurnTimes, WhatCountingTookIsTakenOutOfTheRegionsAround) {
  const uint32_t all = played_.AddPath("all"), part = played_.AddPath("part", all),
                 inner = played_.AddPath("inner", part);
  played_.Begin(all);
  played_.Begin(part);
  for (int i = 0; i < 21; ++i) played_.Pass(inner, 100);
  played_.End();
  played_.End();
  EXPECT_EQ(played_.Main(all).ticks, 2100u + 3000);
  EXPECT_EQ(TakeOut(), 3000u);
  EXPECT_EQ(played_.Main(part).ticks, 2100u);
  EXPECT_EQ(played_.Main(all).ticks, 2100u);
  EXPECT_EQ(played_.Main(inner).ticks, 1100u) << "of 11 visits that were timed";
}

TEST_F(TurnTimes, OutsideOfAllRegionsTheProgramAloneHasIt) {
  const uint32_t all = played_.AddPath("all"), own = played_.AddPath("own");
  played_.Pass(all, 500);
  for (int i = 0; i < 21; ++i) played_.Pass(own, 100);
  EXPECT_EQ(TakeOut(), 3000u);
  EXPECT_EQ(played_.Main(all).ticks, 500u);
}

// What is inside a visit that is counted has its own part of that.
TEST_F(TurnTimes, NothingIsTakenOutTwice) {
  const uint32_t all = played_.AddPath("all"), part = played_.AddPath("part", all),
                 inner = played_.AddPath("inner", part);
  played_.Begin(all);
  for (int i = 0; i < 21; ++i) {
    played_.Begin(part);
    played_.Work(100);
    played_.Pass(inner, 50);
    played_.End();
  }
  played_.End();
  EXPECT_EQ(TakeOut(), 10u * 450);
  EXPECT_EQ(played_.Main(all).ticks, 21u * 150);
}

TEST_F(TurnTimes, NoTimeIsNegative) {
  const uint32_t all = played_.AddPath("all"), inner = played_.AddPath("inner", all);
  played_.Begin(all);
  for (int i = 0; i < 21; ++i) played_.Pass(inner, 100);
  played_.End();
  played_.Main(all).ticks = 1000;
  TakeOut();
  EXPECT_EQ(played_.Main(all).ticks, 0u);
}

TEST_F(TurnTimes, WithoutAMainThreadNothingIsTakenOut) {
  const uint32_t own = played_.AddPath("own");
  for (int i = 0; i < 21; ++i) played_.Pass(own, 100);
  EXPECT_EQ(TakeOutCounting({played_.turns, 1}, played_.input), 0u);
}

TEST_F(TurnTimes, TheFirstVisitCountsOnceAndTheOthersAreScaled) {
  const uint32_t path = played_.AddPath("path");
  played_.Pass(path, 5000);
  for (int i = 0; i < 20; ++i) played_.Pass(path, 100);
  EXPECT_EQ(played_.Main(path).ticks, 5000u + 10 * 100);
  Judge();
  EXPECT_EQ(played_.Main(path).ticks, 5000u + 20 * 100);
  EXPECT_TRUE(played_.Main(path).of_all_visits);
}

// The first one has most page faults, and no time inside MPI, which the others have.
TEST_F(TurnTimes, WhatTheFirstVisitHadBesideItsTimeCountsOnce) {
  const uint32_t path = played_.AddPath("path");
  spool::DeclaredWork work;
  for (int i = 0; i < 21; ++i) {
    const auto turn = played_.turns.Begin({path, played_.Main(path).visits++, true, true, true});
    played_.turns.End(path, turn, turn.timed ? 100 : 400);
    if (!turn.timed) continue;
    ++played_.Main(path).measured;
    played_.Main(path).ticks += 100;
    spool::Raise(work.page_faults, i == 0 ? 30 : 2);
    if (i > 0) spool::Raise(work.mpi_ticks, 30);
    played_.turns.KeepFirst(path, turn, work);
  }
  played_.Main(path).kernel.page_faults = work.page_faults;
  played_.Main(path).mpi_ticks = work.mpi_ticks;
  Judge();
  EXPECT_EQ(played_.Main(path).kernel.page_faults, 30u + 20 * 2);
  EXPECT_EQ(played_.Main(path).mpi_ticks, 20u * 30);
}

TEST_F(TurnTimes, WhatWasTimedOnceIsNoLongerThanWhenCounted) {
  const uint32_t cold = played_.AddPath("cold"), alike = played_.AddPath("alike");
  played_.Pass(cold, 5000);
  played_.Pass(cold, 100);  // counted: 400
  played_.Pass(alike, 100);
  played_.Pass(alike, 100);
  Judge();
  EXPECT_EQ(played_.Main(cold).ticks, 5000u + 400);
  EXPECT_EQ(played_.Main(alike).ticks, 100u + 100) << "as the first one, which is shorter";
  EXPECT_THAT(Fact(), HasSubstr("timed in their first visit alone, and the others taken to be no "
                                "longer than it, nor than they were while they were counted: "
                                "cold, alike"));
  EXPECT_EQ(Doubt(cold, metric::kTimeMarginNs), Status::kUnsupported);
}

TEST_F(TurnTimes, WhatWasNeverTimedHasTheTimeOfItsCountedVisits) {
  const uint32_t all = played_.AddPath("all"), late = played_.AddPath("late", all);
  played_.Pass(all, 100);
  played_.Begin(all);  // counted
  played_.Pass(late, 50);
  played_.End();
  Judge();
  EXPECT_EQ(played_.Main(late).measured, 0u);
  EXPECT_EQ(played_.Main(late).ticks, 200u);
  EXPECT_THAT(Fact(), HasSubstr("never timed: their time is that of visits that were counted: "
                                "all/late"));
}

TEST_F(TurnTimes, WhereOtherThreadsWorkThereAreNone) {
  const uint32_t team = played_.AddPath("team"), shared = played_.AddPath("shared"),
                 own = played_.AddPath("own");
  for (const uint32_t path : {team, shared, own}) {
    for (int i = 0; i < 21; ++i) played_.Pass(path, 100);
  }
  played_.input.nodes[team].openmp_threads = 2;
  played_.input.threads.push_back(std::vector<ThreadPathTotals>(played_.input.nodes.size()));
  played_.input.threads[1][shared].visits = 1;
  Judge();
  EXPECT_EQ(Doubt(team, metric::kTimeNs), Status::kInvalid);
  EXPECT_EQ(Doubt(shared, metric::kTimeNs), Status::kInvalid);
  EXPECT_EQ(Doubt(own, metric::kTimeNs), std::nullopt);
  EXPECT_THAT(Fact(), HasSubstr("counted only, because other threads work in them, which are "
                                "always counted: team, shared"));
}

TEST_F(TurnTimes, TheMarginIsThatOfTheVisitsThatWereTimed) {
  const uint32_t path = played_.AddPath("path");
  std::array<counts::Stratum, counts::kStrata> strata{};
  uint64_t counted = 0;
  for (uint64_t visit = 0; visit < 101; ++visit) {
    const uint64_t ticks = 1000 + visit * 7 % 16;
    played_.Pass(path, ticks);
    if (visit == 0) continue;
    if (counts::IsCountedInTurn(visit)) {
      ++counted;
      continue;
    }
    counts::Stratum& stratum = strata[counts::StratumOf(counts::PairOfVisit(visit))];
    stratum.number += static_cast<double>(ticks);
    stratum.by += 1;
  }
  Judge();
  const auto margin = counts::Margin(strata, static_cast<double>(counted));
  ASSERT_TRUE(margin);
  EXPECT_EQ(played_.Main(path).margin_ticks, static_cast<uint64_t>(std::llround(*margin)));
  EXPECT_GT(played_.Main(path).margin_ticks, 0u);
  EXPECT_EQ(Doubt(path, metric::kTimeMarginNs), std::nullopt);
}

TEST_F(TurnTimes, AllVisitsThatWereTimedHaveNoMarginAndAFewTellNone) {
  const uint32_t once = played_.AddPath("once"), few = played_.AddPath("few");
  played_.Pass(once, 100);
  for (int i = 0; i < 7; ++i) played_.Pass(few, 100);
  Judge();
  EXPECT_EQ(played_.Main(once).margin_ticks, 0u);
  EXPECT_EQ(Doubt(once, metric::kTimeMarginNs), std::nullopt);
  EXPECT_EQ(Doubt(few, metric::kTimeMarginNs), Status::kUnsupported);
}

TEST_F(TurnTimes, TheFactSaysWhatWasDoneOfEachRegion) {
  const uint32_t cheap = played_.AddPath("cheap"), costly = played_.AddPath("costly"),
                 once = played_.AddPath("once");
  for (int i = 0; i < 41; ++i) played_.Pass(cheap, 100, 2);
  for (int i = 0; i < 41; ++i) played_.Pass(costly, 100, 50);
  played_.Pass(once, 100);
  Judge();
  EXPECT_EQ(Fact(),
            "timed and counted at once, where counting costs less than 10 % of the time, and "
            "scaled to all visits: cheap (+2 %); timed and counted in turns, and scaled to all "
            "visits: costly (+50 %); timed only, because they were visited too seldom to be "
            "counted: once");
}

// The others are timed three times; some time in one of them, or below it, is inside MPI.
TEST_F(TurnTimes, FewVisitsThatCanHaveWaitedAreNotReliable) {
  const uint32_t waits = played_.AddPath("waits"), works = played_.AddPath("works"),
                 below = played_.AddPath("below", waits);
  for (int i = 0; i < 7; ++i) played_.Pass(waits, 100);
  for (int i = 0; i < 7; ++i) played_.Pass(works, 100);
  played_.Main(below).mpi_ticks = 1;
  Judge();
  EXPECT_THAT(Fact(), HasSubstr("MPI in them can have waited for a rank that was counted: waits;"));
  EXPECT_THAT(Fact(), HasSubstr("with an uncertain time, because the visits that were timed are "
                                "few, or differ: works"));
}

TEST_F(TurnTimes, TimesThatDifferMuchAreUncertain) {
  const uint32_t steady = played_.AddPath("steady"), wild = played_.AddPath("wild");
  for (uint64_t i = 0; i < 41; ++i) {
    played_.Pass(steady, 1000 + i % 3);
    played_.Pass(wild, i * 7 % 16 < 8 ? 100 : 1900);
  }
  Judge();
  EXPECT_THAT(Fact(), HasSubstr("few, or differ: wild (±"));
  EXPECT_THAT(Fact(), Not(HasSubstr("steady (±")));
}

TEST_F(TurnTimes, TheProgramHasNotWhatCountingTook) {
  played_.input.ns_per_tick = 0.5;
  pass_.wall_s = 10;
  Judge(4'000'000'000);
  EXPECT_DOUBLE_EQ(pass_.wall_s, 8);
  EXPECT_EQ(pass_.facts.at("counting_s"), "2.000");
  Judge(40'000'000'000);
  EXPECT_EQ(pass_.wall_s, 0);
}

}  // namespace
}  // namespace roofmark::runtime
