// SPDX-License-Identifier: BSD-3-Clause
//
// What limits the loops of the kernel `hard` is what the model names. Counts and dependences come
// from the counting collector with fixed caches and latencies, and are held against a machine file
// of round numbers, so that nothing depends on the machine that the tests run on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>

#include "lib/model/advice.h"
#include "lib/model/analysis.h"
#include "lib/model/balance.h"
#include "lib/model/health.h"
#include "lib/model/memory_streams.h"
#include "lib/report/advice_words.h"
#include "lib/report/health_words.h"
#include "tests/benchmarks/kernels/counted.h"
#include "tests/lib/model/model_machine.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLatencies =
    "dp_add=4,dp_mul=4,dp_fma=4,dp_div=13,load_l1=5,load_l2=14,load_l3=50,load_dram=250,misses=10";

class Hard : public ::testing::Test {
 protected:
  // One rank is no job of the launcher.
  void Run(const std::string& variant, int n, int ranks, int threads, test::Environment environment,
           const test::Mpi& mpi = kCheapMpi) {
    std::vector<std::string> command;
    if (ranks > 1) command = {mpi.launcher, "-n", std::to_string(ranks)};
    for (const std::string& word :
         {std::string(KERNELS "/") + mpi.name + "/hard", std::string("--variant"), variant,
          std::string("--iterations"), std::string("2"), std::string("--n"), std::to_string(n)}) {
      command.push_back(word);
    }
    const std::string output = directory_.File("run.json");
    environment.insert({{"ROOFMARK_OUTPUT", output},
                        {"OMP_NUM_THREADS", std::to_string(threads)},
                        {"OMPI_MCA_hwloc_base_binding_policy", "none"}});
    const test::Ended ended =
        test::Run(command, test::ForLaunchers(environment), directory_.path());
    ASSERT_EQ(ended.status, 0) << ended.err;
    ASSERT_THAT(ended.out, HasSubstr("result checked"));
    job_ = test::ReadRoofline(output).job;
    std::remove(output.c_str());
    ASSERT_GE(job_.FindPath("hard"), 0);
    row_ = static_cast<size_t>(job_.FindPath("hard"));
  }
  void Count(const std::string& variant, int n, int ranks = 1, int threads = 1,
             const test::Mpi& mpi = kCheapMpi) {
    Run(variant, n, ranks, threads,
        {{"ROOFMARK_COLLECTOR", "counting"},
         {"ROOFMARK_ENGINE", engine_},
         {"ROOFMARK_CACHE", "L1:32K:8,L2:256K:8,L3:1M:16"},
         {"ROOFMARK_COUNT", "cache"},
         {"ROOFMARK_LATENCIES", kLatencies}},
        mpi);
  }

  // As if it had taken `factor` times what its work needs at least.
  PathAnalysis Judged(double factor, const Machine& machine = test::ModelMachine()) {
    const auto judge = [&] { return Analyze(job_, &machine).paths[row_]; };
    const PathAnalysis untimed = judge();
    const double needed = *untimed.runtime.needed_s * factor;
    test::AddPass(job_, "timer", needed);
    test::Set(job_, row_, metric::kTimeNs, {static_cast<uint64_t>(std::llround(needed * 1e9))},
              "timer");
    return judge();
  }

  double Sum(MetricId metric) const { return job_.At(row_, metric).SumAsDouble(); }

  std::string engine_ = "valgrind";  // which alone knows the lines of dependences
  JobProfile job_;
  size_t row_ = 0;
  test::TempDir directory_;
};

class HardOnEngine : public Hard, public ::testing::WithParamInterface<std::string> {
 protected:
  HardOnEngine() { engine_ = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Engines, HardOnEngine, ::testing::ValuesIn(Engines()),
                         [](const auto& param) { return param.param; });

std::string LineOf(const std::string& file, uint32_t number) {
  std::ifstream source(SOURCES "/benchmarks/kernels/" + file);
  std::string line;
  for (uint32_t i = 0; i < number; ++i) std::getline(source, line);
  return line;
}

// The row before gives what this one needs. HPCG counts 2 FLOPs for each entry; the division here
// is that by the diagonal.
TEST_F(Hard, AGaussSeidelSweepIsAChain) {
  ASSERT_NO_FATAL_FAILURE(Count("symgs", 20));
  EXPECT_EQ(Sum(metric::kFlops), Sum(metric::kDeclaredFlops));
  const PathAnalysis path = Judged(1.1);
  EXPECT_EQ(path.limit.Mark(), "chain");
  EXPECT_GT(path.runtime.dependences.Share(Dependence::kFp), 0.5);
  // Of a row the part behind the neighbour before it: half of the products, 13 inside the cube, and
  // the division; the value goes through memory, too.
  const double rows = 20 * 20 * 20 * 2 * 2, neighbours = std::pow(3 - 2.0 / 20, 3) - 1;
  const double cycles = neighbours / 2 * 4 + 13;
  EXPECT_GT(Sum(metric::kDependenceCycles) / rows, cycles);
  EXPECT_LT(Sum(metric::kDependenceCycles) / rows, 1.25 * cycles);
  EXPECT_THAT(LimitSentence(path), HasSubstr("a chain of dependent operations"));
  const CriticalPlace& place = job_.paths[row_].critical;
  EXPECT_EQ(place.file, "hard_symgs.h");
  EXPECT_THAT(LineOf("hard_symgs.h", place.line), HasSubstr("sum -= values_"));
  EXPECT_GT(place.Share(), 0.5);
}

TEST_P(HardOnEngine, AChaseThroughTheFirstLevelIsAChainOfAddresses) {
  ASSERT_NO_FATAL_FAILURE(Count("chase", 1));  // 16 KiB
  const PathAnalysis path = Judged(1.1);
  EXPECT_EQ(path.limit.Mark(), "chain");
  EXPECT_EQ(Sum(metric::kFlops), 0);
  EXPECT_GT(path.runtime.dependences.Share(Dependence::kAddress), 0.95);
  EXPECT_NEAR(Sum(metric::kDependenceCycles) / Sum(metric::kDeclaredOperations), 5, 0.1);
}

// Most of L2, half of L3, four times L3, in pieces of 16 KiB. (To the native engine lines are new
// that the program touched before the region.)
TEST_F(Hard, AChaseBeyondTheFirstLevelIsLatency) {
  for (const auto& [n, latency] : {std::pair{12, 14.0}, {32, 50.0}, {256, 250.0}}) {
    SCOPED_TRACE(n);
    ASSERT_NO_FATAL_FAILURE(Count("chase", n));
    const PathAnalysis path = Judged(1.1);
    EXPECT_EQ(path.limit.Mark(), "latency");
    EXPECT_GT(path.runtime.dependences.Share(Dependence::kMemory), 0.9);
    // Most lines come from that level, some from the one above it.
    const double cycles = Sum(metric::kDependenceCycles) / Sum(metric::kDeclaredOperations);
    EXPECT_GT(cycles, 0.85 * latency);
    EXPECT_LE(cycles, 1.03 * latency);
    EXPECT_THAT(LimitSentence(path), HasSubstr("loads from beyond L1"));
  }
}

// One core draws 6 GB/s from one stream, 20 GB/s from four.
Machine WithStreams() {
  Machine machine = test::ModelMachine();
  for (const auto& [streams, gbs] : {std::pair{1, 6.0}, {2, 12.0}, {4, 20.0}, {8, 20.0}}) {
    const std::string id = StreamCeilingId(streams);
    machine.ceilings.push_back(test::MakeCeiling(id, id, gbs));
    machine.ceilings.back().curve.resize(1);
    machine.ceilings.back().curve[0].noise = 0;
  }
  return machine;
}

// Addresses are known long before: the next misses begin while others are on their way. They are
// more streams than help.
TEST_P(HardOnEngine, AccessesAreMissesInFlightAndNoChain) {
  for (const char* variant : {"gups", "gather"}) {
    SCOPED_TRACE(variant);
    ASSERT_NO_FATAL_FAILURE(Count(variant, 256));
    EXPECT_EQ(Sum(metric::kFlops), Sum(metric::kDeclaredFlops));
    const JobProfile counted = job_;
    const PathAnalysis path = Judged(1.1);
    EXPECT_EQ(path.limit.Mark(), "latency");
    EXPECT_GT(path.runtime.dependences.Share(Dependence::kInFlight), 0.9);
    EXPECT_LT(path.runtime.dependences.Chain(), 0.05);
    EXPECT_THAT(LimitSentence(path), HasSubstr("misses in flight"));
    EXPECT_THAT(LimitSentence(path), Not(HasSubstr("chain")));
    job_ = counted;
    const Value streams = Judged(1.1, WithStreams()).runtime.streams.count;
    ASSERT_TRUE(streams);
    EXPECT_GT(*streams, 8);
  }
}

TEST_P(HardOnEngine, ASumOverOneArrayComesInOneStream) {
  ASSERT_NO_FATAL_FAILURE(Count("stream", 1024));  // 16 MiB, so that some windows lie in it
  EXPECT_NEAR(Sum(metric::kFlops) / Sum(metric::kDeclaredFlops), 1, 0.01);
  const PathAnalysis path = Judged(1.1, WithStreams());
  ASSERT_TRUE(path.runtime.streams.count);
  EXPECT_NEAR(*path.runtime.streams.count, 1, 0.02);
  EXPECT_EQ(path.limit.Mark(), "DRAM");
  EXPECT_THAT(LimitSentence(path), HasSubstr("in one stream: one core draws 6 GB/s so, 20 GB/s "
                                             "from 4"));
  EXPECT_EQ(*WorthCuring(path.runtime)[0]->extent, *path.runtime.streams.count);
  EXPECT_EQ(WorthCuring(path.runtime)[0]->shortfall, Shortfall::kStreams);
  EXPECT_NEAR(*path.runtime.needed_s, Sum(metric::kDramReadBytes) / 6e9,
              0.01 * *path.runtime.needed_s);
}

TEST_P(HardOnEngine, ASumInFourPartsComesInFour) {
  ASSERT_NO_FATAL_FAILURE(Count("streams", 1024));
  const PathAnalysis path = Judged(1.1, WithStreams());
  ASSERT_TRUE(path.runtime.streams.count);
  EXPECT_NEAR(*path.runtime.streams.count, 4, 0.2);
  EXPECT_EQ(path.limit.Mark(), "DRAM");
  EXPECT_THAT(LimitSentence(path), HasSubstr("DRAM bandwidth limits it"));
  EXPECT_EQ(path.runtime.ceilings[Index(Shortfall::kStreams)].rank, 0);
}

// Two threads of a triangle whose rows are shared out evenly: the second one has three quarters.
TEST_P(HardOnEngine, AnUnbalancedLoopIsImbalanceOfItsThreads) {
  ASSERT_NO_FATAL_FAILURE(Count("unbalanced", 256, 1, 2));
  EXPECT_NEAR(Sum(metric::kFlops) / Sum(metric::kDeclaredFlops), 1, 0.02);
  EXPECT_NEAR(*WorkBalance(job_, row_).even_ranks, 1.5, 0.01);
  const PathAnalysis path = Judged(1.1);
  const auto worth = WorthCuring(path.runtime);
  const auto named = std::find_if(worth.begin(), worth.end(), [](const Ceiling* ceiling) {
    return ceiling->shortfall == Shortfall::kThreadImbalance;
  });
  ASSERT_NE(named, worth.end());
  EXPECT_LE(*(*named)->gain.least, 1.6);
  EXPECT_NEAR((*named)->gain.most, 1.5, 0.1) << "windows tell the chain of each thread";
}

// How each MPI waits under Valgrind: tool_layers_mpi_test.cc.
class DotProductsOnMpich
    : public Hard,
      public ::testing::WithParamInterface<std::tuple<test::Mpi, std::string>> {};

// MPI's busy waiting is no work: ranks that wait for each other execute what one rank does.
TEST_P(DotProductsOnMpich, AreTheSameWorkOnAnyNumberOfRanks) {
  engine_ = std::get<1>(GetParam());
  const test::Mpi& mpi = std::get<test::Mpi>(GetParam());
  ASSERT_NO_FATAL_FAILURE(Count("ddot", 4, 1, 1, mpi));
  const double alone = Sum(metric::kInstructions) / Sum(metric::kFlops);
  EXPECT_NEAR(Sum(metric::kFlops) / Sum(metric::kDeclaredFlops), 1, 0.05)
      << "the lanes are added up at the end";
  ASSERT_NO_FATAL_FAILURE(Count("ddot", 4, 2, 1, mpi));
  EXPECT_NEAR(Sum(metric::kInstructions) / Sum(metric::kFlops) / alone, 1, 0.03);
  EXPECT_GT(Sum(InMpi(metric::kInstructionsApart)), Sum(metric::kInstructions));
}

class DotProducts : public Hard, public ::testing::WithParamInterface<test::Mpi> {};

// 64 elements are multiplied in less time than any message takes.
TEST_P(DotProducts, WaitForMpi) {
  ASSERT_NO_FATAL_FAILURE(Run(
      "ddot", 4, 2, 1, {{"ROOFMARK_COLLECTOR", "timer"}, {"LD_PRELOAD", MPI_WAIT}}, GetParam()));
  const Machine machine = test::ModelMachine();
  const PathAnalysis path = Analyze(job_, &machine).paths[row_];
  ASSERT_TRUE(path.mpi_share);
  EXPECT_GT(*path.mpi_share, 0.5);
  EXPECT_EQ(path.limit.Mark(), "wait");
  EXPECT_THAT(LimitSentence(path), HasSubstr("of its time is spent inside MPI"));
}

INSTANTIATE_TEST_SUITE_P(Mpis, DotProductsOnMpich,
                         ::testing::ValuesIn(test::Pairs(test::OneMpi("mpich"), Engines())),
                         [](const auto& param) {
                           return std::get<0>(param.param).name + ("_" + std::get<1>(param.param));
                         });
INSTANTIATE_TEST_SUITE_P(Mpis, DotProducts, ::testing::ValuesIn(test::kMpis),
                         [](const auto& param) { return std::string(param.param.name); });

// What follows is executed on one CPU, children included, until this ends.
class OnOneCpu {
 public:
  OnOneCpu() {
    sched_getaffinity(0, sizeof before_, &before_);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &before_)) ++cpu;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OnOneCpu() { sched_setaffinity(0, sizeof before_, &before_); }
  OnOneCpu(const OnOneCpu&) = delete;
  OnOneCpu& operator=(const OnOneCpu&) = delete;

 private:
  cpu_set_t before_;
};

TEST_F(Hard, TwoThreadsOnOneCpuAreSaidFirst) {
  {
    const OnOneCpu bound;
    ASSERT_NO_FATAL_FAILURE(Run("unbalanced", 16, 1, 2, {{"ROOFMARK_COLLECTOR", "timer"}}));
  }
  const Machine machine = test::ModelMachine();
  const JobAnalysis analysis = Analyze(job_, &machine);
  const std::vector<HealthIssue> issues = HealthOf(job_, analysis);
  ASSERT_FALSE(issues.empty());
  EXPECT_EQ(issues[0].id, HealthId::kSharedCpus);
  EXPECT_EQ(issues[0].threads, 2u);
  EXPECT_EQ(issues[0].cpus, 1u);
  EXPECT_TRUE(TimesAreDoubtful(issues)) << "no verdict that rests on times holds";
  const ReportJob report = {"run.json", job_, analysis};
  EXPECT_THAT(HealthThings(report)[0],
              ::testing::AllOf(HasSubstr("2 threads share 1 CPU"), HasSubstr("do not hold"),
                               HasSubstr("taskset")));
  EXPECT_THAT(FirstTitle(report), HasSubstr("rests on times that do not hold"));
}

}  // namespace
}  // namespace roofmark
