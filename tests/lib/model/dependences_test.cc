// SPDX-License-Identifier: BSD-3-Clause
//
// Dependences as one more resource: known answers on the machine of model_machine.h, whose cores
// have 2 GHz.
#include "lib/model/dependences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "lib/report/advice_words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::Analyzed;
using test::CountedJob;
using test::First;
using test::JobOf;
using test::kGiga;
using test::Of;
using test::Set;
using ::testing::HasSubstr;
using ::testing::Not;

// Of the time by dependences, in percent. They are in the order of the metrics; those of units,
// atomics and branches come last here.
struct Percent {
  uint64_t fp = 0, address = 0, forward = 0, memory = 0, in_flight = 0, window = 0, tlb = 0,
           issue = 0, units = 0, atomic = 0, branch = 0;

  std::array<uint64_t, kDependenceKinds> InOrder() const {
    return {fp, address, forward, memory, in_flight, window, tlb, units, atomic, branch, issue};
  }
};

// Cycles of each rank.
void SetDependences(JobProfile& job, const std::vector<uint64_t>& cycles,
                    const std::vector<uint64_t>& busiest, const Percent& percent) {
  const auto set = [&job](MetricId id, const std::vector<uint64_t>& values) {
    Set(job, 0, id, values, "counting", Status::kModelled);
  };
  set(metric::kDependenceCycles, cycles);
  set(metric::kWorkerDependenceCyclesMax, busiest);
  for (size_t i = 0; i < kDependenceKinds; ++i) {
    std::vector<uint64_t> part = cycles;
    for (uint64_t& value : part) value = value / 100 * percent.InOrder()[i];
    set(static_cast<MetricId>(metric::kDependenceFpCycles + i), part);
  }
}

// Two ranks of one thread, a second, few additions from L1.
JobProfile Adding() { return JobOf(Width::kScalar, FlopKind::kAdd, kGiga, 64); }

TEST(Dependences, AChainThatTakesAllTheTimeLimits) {
  JobProfile job = Adding();
  SetDependences(job, {1'800'000'000, 1'800'000'000}, {1'800'000'000, 1'800'000'000},
                 {80, 0, 0, 0, 0, 0, 0, 20});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.runtime.binding, "dependences");
  EXPECT_EQ(path.limit.Mark(), "chain");
  EXPECT_EQ(path.limit.Kind(), "compute");
  EXPECT_NEAR(*path.split.needed_s, 0.9, 1e-9);
  EXPECT_NEAR(*path.runtime.attainable, 1 / 0.9, 1e-9);
  EXPECT_EQ(First(path), "dependences");
  // Additions need 1 / 8 of a second, what enters needs 0.18.
  EXPECT_NEAR(*Of(path, Shortfall::kDependences).gain.least, 5, 1e-6);
  EXPECT_NEAR(*Of(path, Shortfall::kLatency).gain.least, 1, 1e-6);
  EXPECT_THAT(LimitSentence(path),
              HasSubstr("a chain of dependent operations (floating-point operations 80 %, "
                        "instructions that wait for nothing 20 %) limits it: its work needs at "
                        "least 900 ms of 1.00 s (90 %)"));
}

// The machine's cores do not share a chain: the busiest thread's counts, of all ranks.
TEST(Dependences, ThatLimitHaveTheirPlace) {
  JobProfile job = Adding();
  SetDependences(job, {1'800'000'000, 1'800'000'000}, {1'800'000'000, 1'800'000'000},
                 {80, 0, 0, 0, 0, 0, 0, 20});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(CriticalSentence(path, {"sweep.c", 7, 480, 1000}),
            "its critical path spends 48 % of its cycles at sweep.c:7");
  EXPECT_EQ(CriticalSentence(path, {"sweep.c", 7, 48, 1000}), "") << "it is spread over many";
  EXPECT_EQ(CriticalSentence(path, {}), "");
  SetDependences(job, {1'000'000, 1'000'000}, {1'000'000, 1'000'000}, {80, 0, 0, 0, 0, 0, 0, 20});
  EXPECT_EQ(CriticalSentence(Analyzed(job), {"sweep.c", 7, 480, 1000}), "");
}

TEST(Dependences, AreThoseOfTheBusiestThread) {
  JobProfile job = CountedJob(2, 2);
  test::SpreadFlops(job, Width::kScalar, FlopKind::kAdd, kGiga);
  test::SpreadReads(job, 64);
  SetDependences(job, {400'000'000, 1'200'000'000}, {200'000'000, 1'000'000'000},
                 {100, 0, 0, 0, 0, 0, 0, 0});
  const Dependences dependences = DependencesOf(job, 0, 2);
  EXPECT_NEAR(*dependences.seconds.as_is, 0.5, 1e-9);
  EXPECT_NEAR(*dependences.seconds.even_ranks, 0.3, 1e-9);    // mean of the ranks' busiest
  EXPECT_NEAR(*dependences.seconds.even_threads, 0.3, 1e-9);  // the busiest rank, shared by two
  EXPECT_NEAR(dependences.even_s, 0.2, 1e-9);
  EXPECT_NEAR(*Analyzed(job).split.needed_s, 0.5, 1e-9);
}

TEST(Dependences, APointerChaseIsLatencyEvenWithoutFlops) {
  JobProfile job = CountedJob();
  SetDependences(job, {2'000'000'000, 2'000'000'000}, {2'000'000'000, 2'000'000'000},
                 {0, 5, 0, 95, 0, 0, 0, 0});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.limit.Mark(), "latency");
  EXPECT_FALSE(path.waiting.waits());
  EXPECT_NEAR(path.split.Explained(), 1, 1e-9);
  EXPECT_THAT(LimitSentence(path),
              HasSubstr("memory latency (loads from beyond L1 95 %) limits it"));
}

TEST(Dependences, GathersAreLimitedByTheMissesInFlightAndAreNoChain) {
  JobProfile job = Adding();
  SetDependences(job, {1'600'000'000, 1'600'000'000}, {1'600'000'000, 1'600'000'000},
                 {5, 0, 0, 10, 80, 0, 0, 5});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.limit.Mark(), "latency");
  EXPECT_EQ(First(path), "latency");
  EXPECT_THAT(LimitSentence(path),
              HasSubstr("the number of misses in flight (misses in flight 80 %"));
  EXPECT_THAT(LimitSentence(path), Not(HasSubstr("chain")));
}

// The pages are the job's: where it is known that they are small, huge ones save what TLBs miss.
TEST(Dependences, TlbMissesAreNamedAndHugePagesSaveThem) {
  JobProfile job = Adding();
  SetDependences(job, {1'800'000'000, 1'800'000'000}, {1'800'000'000, 1'800'000'000},
                 {0, 0, 0, 30, 10, 0, 50, 10});
  const PathAnalysis before = Analyzed(job);
  EXPECT_EQ(before.limit.Mark(), "latency");
  EXPECT_THAT(LimitSentence(before),
              HasSubstr("latency of TLB misses (TLB misses 50 %, loads from beyond L1 30 %"));
  EXPECT_FALSE(Of(before, Shortfall::kSmallPages).extent) << "nobody told the job's pages";
  test::TouchSmallPages(job, 100'000);
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*Of(path, Shortfall::kSmallPages).extent, 1, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kSmallPages).gain.least, 2, 1e-9);
  EXPECT_EQ(First(path), "small_pages") << "a setting, not a change of the code";
  EXPECT_NEAR(*Of(path, Shortfall::kLatency).gain.least, 0.9 / 0.125, 1e-9);
  EXPECT_NEAR(*path.split.needed_s, 0.9, 1e-9);
}

// Instructions that wait for nothing are no chain, whatever their number takes.
TEST(Dependences, ManyInstructionsAreComputation) {
  JobProfile job = Adding();
  SetDependences(job, {1'800'000'000, 1'800'000'000}, {1'800'000'000, 1'800'000'000},
                 {20, 0, 0, 0, 0, 0, 0, 80});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.runtime.binding, "compute");
  EXPECT_NEAR(*path.split.needed_s, 0.9, 1e-9);
}

// Neither wider nor fewer instructions are there: all units are taken by what there is.
TEST(Dependences, UnitsThatAreTakenAreComputation) {
  JobProfile job = Adding();
  SetDependences(job, {1'800'000'000, 1'800'000'000}, {1'800'000'000, 1'800'000'000},
                 {.fp = 10, .issue = 20, .units = 70});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.runtime.binding, "compute");
  EXPECT_EQ(path.limit.Mark(), "compute");
  EXPECT_NEAR(*path.split.needed_s, 0.9, 1e-9);
  EXPECT_THAT(LimitSentence(path), HasSubstr("computation (units that others take 70 %, "
                                             "instructions that wait for nothing 20 %, "
                                             "floating-point operations 10 %) limits it"));
}

// Wider registers leave a quarter of the operations, and of what they wait for each other's units.
TEST(Dependences, UnitsAreFreeEarlierWithWiderInstructions) {
  JobProfile job = Adding();
  SetDependences(job, {1'800'000'000, 1'800'000'000}, {1'800'000'000, 1'800'000'000},
                 {.issue = 20, .units = 80});
  const PathAnalysis path = Analyzed(job);
  EXPECT_GT(*Of(path, Shortfall::kSimd).gain.least, 2);
}

TEST(Dependences, MispredictedBranchesLimit) {
  JobProfile job = Adding();
  SetDependences(job, {1'800'000'000, 1'800'000'000}, {1'800'000'000, 1'800'000'000},
                 {.fp = 10, .issue = 20, .branch = 70});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.runtime.binding, "branches");
  EXPECT_EQ(path.limit.Mark(), "branch");
  EXPECT_EQ(path.limit.Kind(), "compute");
  EXPECT_EQ(First(path), "branches");
  EXPECT_NEAR(*Of(path, Shortfall::kBranches).gain.least, 0.9 / 0.27, 1e-6);
  EXPECT_TRUE(Of(path, Shortfall::kBranches).may_give_nothing);
  EXPECT_THAT(LimitSentence(path),
              HasSubstr("branch misprediction (70 % of its critical path) limits it"));
}

// What the model of the predictor misses and the core cannot have missed is in no number.
TEST(Dependences, BranchesTakeNoMoreThanTheTimeLeaves) {
  JobProfile job = Adding();
  SetDependences(job, {4'000'000'000, 4'000'000'000}, {4'000'000'000, 4'000'000'000},
                 {.issue = 25, .branch = 75});
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*path.split.needed_s, 1, 1e-9) << "not 2 s";
  EXPECT_EQ(path.limit.Mark(), "compute") << "half of it enters";
  SetDependences(job, {4'000'000'000, 4'000'000'000}, {4'000'000'000, 4'000'000'000},
                 {.issue = 10, .branch = 90});
  EXPECT_EQ(Analyzed(job).limit.Mark(), "branch?");
  // A bound that is above the time without them is as wrong as before.
  SetDependences(job, {4'000'000'000, 4'000'000'000}, {4'000'000'000, 4'000'000'000},
                 {.fp = 80, .branch = 20});
  EXPECT_TRUE(Analyzed(job).split.BoundIsAboveTime());
}

TEST(Dependences, AtomicsLimit) {
  JobProfile job = Adding();
  SetDependences(job, {1'800'000'000, 1'800'000'000}, {1'800'000'000, 1'800'000'000},
                 {.issue = 20, .atomic = 80});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.limit.Mark(), "atomic");
  EXPECT_EQ(First(path), "atomics");
  EXPECT_NEAR(*Of(path, Shortfall::kAtomics).gain.least, 5, 1e-6);
}

// Where another resource needs more, a chain is not spoken of.
TEST(Dependences, AreNamedOnlyWhereTheyBind) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kAdd, kGiga, 27 * kGiga);
  SetDependences(job, {1'000'000'000, 1'000'000'000}, {1'000'000'000, 1'000'000'000},
                 {50, 0, 0, 50, 0, 0, 0, 0});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.limit.Mark(), "DRAM");
  EXPECT_NEAR(*Of(path, Shortfall::kDependences).gain.least, 1, 1e-9);
  EXPECT_EQ(Of(path, Shortfall::kDependences).rank, 0);
  EXPECT_EQ(Of(path, Shortfall::kLatency).rank, 0);
}

// A chain that needs 0.7 s and DRAM traffic that needs 0.5 s of a second.
JobProfile ChainBesideDram() {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kAdd, kGiga, 15 * kGiga);
  SetDependences(job, {1'400'000'000, 1'400'000'000}, {1'400'000'000, 1'400'000'000},
                 {80, 0, 0, 0, 0, 0, 0, 20});
  return job;
}

// As in sweeps of a matrix that does not fit into the caches: without the chain the time is between
// that of the memory, and that of all that is left, one after the other.
TEST(Dependences, AChainAndMemoryThatFillTheTimeTogetherLimitBoth) {
  const JobProfile job = ChainBesideDram();
  const JobAnalysis analysis = test::AnalyzedJob(job);
  const PathAnalysis& path = analysis.paths[0];
  EXPECT_EQ(path.limit.resource, "dependences");
  EXPECT_EQ(path.limit.beside, "DRAM");
  EXPECT_EQ(path.limit.Mark(), "chain+DRAM");
  EXPECT_EQ(path.limit.Kind(), "both");
  const double memory = path.runtime.sides.memory_s;
  EXPECT_NEAR(path.runtime.sides.core_s, 0.7, 1e-9);
  EXPECT_THAT(LimitSentence(path),
              HasSubstr("a chain of dependent operations (floating-point operations 80 %, "
                        "instructions that wait for nothing 20 %) and DRAM bandwidth limit it "
                        "together: they need at least 700 ms and 500 ms of 1.00 s"));
  const std::vector<Advice> all = AdviceFor(job, analysis);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].kind, AdviceKind::kCure) << "nothing else is left to be explained";
  EXPECT_EQ(all[0].shortfall, Shortfall::kDependences);
  // What enters needs 0.14 s.
  const double least = 0.7 - memory - 0.14, most = 1 - memory / 0.7;
  EXPECT_NEAR(all[0].saves.least, 0.95 * least, 1e-9) << "0.2 s, if they overlap";
  EXPECT_NEAR(all[0].saves.most, 1.05 * most, 1e-9);
  EXPECT_NEAR(all[0].expected_s, (least + most) / 2, 1e-9);
}

// What is left beside the larger one belongs to nothing that was counted, or to almost nothing.
TEST(Dependences, ASmallerResourceIsNotNamedBesideOneThatSuffices) {
  JobProfile job = ChainBesideDram();
  SetDependences(job, {1'900'000'000, 1'900'000'000}, {1'900'000'000, 1'900'000'000},
                 {80, 0, 0, 0, 0, 0, 0, 20});
  EXPECT_EQ(Analyzed(job).limit.Mark(), "chain") << "0.95 of the time: the traffic overlaps";
  SetDependences(job, {1'100'000'000, 1'100'000'000}, {1'100'000'000, 1'100'000'000},
                 {80, 0, 0, 0, 0, 0, 0, 20});
  test::SpreadReads(job, 7 * kGiga);
  EXPECT_EQ(Analyzed(job).limit.Mark(), "chain") << "0.55 and 0.23 do not fill the time";
  SetDependences(job, {1'700'000'000, 1'700'000'000}, {1'700'000'000, 1'700'000'000},
                 {80, 0, 0, 0, 0, 0, 0, 20});
  EXPECT_EQ(Analyzed(job).limit.Mark(), "chain") << "0.23 is small beside 0.85";
}

// No experiment has shown that the time of instructions adds to that of memory.
TEST(Dependences, InstructionsAreNotNamedBesideMemory) {
  JobProfile job = ChainBesideDram();
  SetDependences(job, {1'400'000'000, 1'400'000'000}, {1'400'000'000, 1'400'000'000},
                 {20, 0, 0, 0, 0, 0, 0, 80});
  EXPECT_EQ(Analyzed(job).limit.Mark(), "compute");
}

TEST(Dependences, WithoutAWindowTheRegionSaysSo) {
  JobProfile job = Adding();
  SetDependences(job, {0, 0}, {0, 0}, {});
  EXPECT_EQ(DependencesOf(job, 0, 2).seconds.as_is.reason.id, Reason::kNoWindow);
  SetDependences(job, {1000, 1000}, {1000, 1000}, {100, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(DependencesOf(job, 0, 0).seconds.as_is.reason.id, Reason::kNoClock);
  const PathAnalysis path = Analyzed(Adding());
  EXPECT_FALSE(path.runtime.needed_s);
  EXPECT_EQ(path.runtime.binding, "compute");
}

}  // namespace
}  // namespace roofmark
