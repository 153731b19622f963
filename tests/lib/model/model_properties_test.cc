// SPDX-License-Identifier: BSD-3-Clause
//
// What must hold of the resource-time model for any region, on random ones (fixed seeds).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "lib/model/advice.h"
#include "lib/model/analysis.h"
#include "lib/model/architecture_ceilings.h"
#include "lib/model/resource_times.h"
#include "lib/model/runtime_ceilings.h"
#include "tests/lib/model/agreement.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::CountedJob;
using test::ModelMachine;
using test::Set;

using test::kRounding;
constexpr size_t kDram = static_cast<size_t>(MemoryLevel::kDram);

// One worker of the simulated machine.
struct Worker {
  std::array<uint64_t, kFlopClasses> flops = {};
  uint64_t instructions = 0, bytes = 0, written = 0;  // bytes: read
  std::array<uint64_t, kDependenceKinds> waits = {};  // cycles, one after the other

  int streams = 12;  // its lines come from DRAM in as many

  uint64_t AllWaits() const { return std::accumulate(waits.begin(), waits.end(), uint64_t{0}); }

  uint64_t AllFlops() const {
    uint64_t sum = 0;
    for (const uint64_t part : flops) sum += part;
    return sum;
  }
};

class RandomRegion {
 public:
  explicit RandomRegion(uint32_t seed) : random_(seed) {
    for (Worker& worker : workers_) Fill(worker);
    if (Chance(0.2)) workers_[1] = Worker();
    constexpr int kCounts[] = {1, 2, 3, 4, 6, 12};
    for (Worker& worker : workers_) worker.streams = kCounts[seed % std::size(kCounts)];
    if (workers_[0].AllFlops() == 0) workers_[0].flops[0] = 8'000'000;
  }

  const std::array<Worker, 2>& workers() const { return workers_; }

  JobProfile Job(double seconds) {
    const bool ranks = Chance(0.5);
    JobProfile job = ranks ? CountedJob(2, 1) : CountedJob(1, 2);
    const auto each = [&](auto number) {
      const uint64_t a = number(workers_[0]), b = number(workers_[1]);
      return ranks ? std::vector<uint64_t>{a, b} : std::vector<uint64_t>{a + b};
    };
    const auto busiest = [&](auto number) {
      const uint64_t a = number(workers_[0]), b = number(workers_[1]);
      return ranks ? std::vector<uint64_t>{a, b} : std::vector<uint64_t>{std::max(a, b)};
    };
    const auto bytes = [](const Worker& w) { return w.bytes; };
    const auto written = [](const Worker& w) { return w.written; };
    for (MetricId m = 0; m < kFlopClasses; ++m) {
      Set(job, 0, m, each([m](const Worker& w) { return w.flops[m]; }));
    }
    Set(job, 0, metric::kInstructions, each([](const Worker& w) { return w.instructions; }));
    Set(job, 0, metric::kDramReadBytes, each(bytes));
    Set(job, 0, metric::kDramWriteBytes, each(written));
    Set(job, 0, metric::kStoreBytes, each(written));
    Set(job, 0, metric::kLoadBytes, each(bytes));
    Set(job, 0, metric::kWorkerBytesMax,
        busiest([](const Worker& w) { return w.bytes + w.written; }));
    Set(job, 0, metric::kWorkerFlopsMax, busiest([](const Worker& w) { return w.AllFlops(); }));
    Misses(job);
    const auto lines = [](const Worker& w) { return w.bytes / 64; };
    Set(job, 0, metric::kWindowLines, each(lines), "counting", Status::kModelled);
    Set(job, 0, metric::kWindowStreamLines,
        each([](const Worker& w) { return w.bytes / 64 / static_cast<uint64_t>(w.streams); }),
        "counting", Status::kModelled);
    Dependences(job, each, busiest);
    const auto ns = static_cast<uint64_t>(seconds * 1e9) + 1;
    Set(job, 0, metric::kTimeNs, std::vector<uint64_t>(job.run.ranks, ns), "timer");
    return job;
  }

 private:
  bool Chance(double probability) {
    return std::uniform_real_distribution<>(0, 1)(random_) < probability;
  }
  // From 1e6 to 1e10, or nothing.
  uint64_t Amount() {
    if (Chance(0.4)) return 0;
    return static_cast<uint64_t>(std::pow(10, std::uniform_real_distribution<>(6, 10)(random_))) /
           64 * 64;
  }

  void Fill(Worker& worker) {
    double issued = 0;
    for (const Precision precision : {Precision::kDouble, Precision::kSingle}) {
      for (const Width width : {Width::kScalar, Width::k128, Width::k256}) {
        for (size_t k = 0; k < kFlopKinds; ++k) {
          const auto kind = static_cast<FlopKind>(k);
          if (Chance(0.6)) continue;
          const uint64_t flops = Amount();
          worker.flops[FlopMetric(precision, width, kind)] = flops;
          issued += static_cast<double>(flops) / Lanes(precision, width) /
                    (kind == FlopKind::kFma ? 2 : 1);
        }
      }
    }
    worker.instructions = static_cast<uint64_t>(issued) + 1 + Amount();
    worker.bytes = (Chance(0.5) ? 32 : 1) * Amount();  // some stream
    worker.written = Amount();
    if (Chance(0.5)) return;
    for (uint64_t& cycles : worker.waits) cycles = Chance(0.5) ? 0 : Amount();
    const double most = std::pow(10, std::uniform_real_distribution<>(9, 11)(random_));
    worker.waits[random_() % kDependenceKinds] = static_cast<uint64_t>(most);
  }

  template <typename Each, typename Busiest>
  void Dependences(JobProfile& job, Each each, Busiest busiest) {
    const auto set = [&job](MetricId id, const std::vector<uint64_t>& values) {
      Set(job, 0, id, values, "counting", Status::kModelled);
    };
    for (size_t i = 0; i < kDependenceKinds; ++i) {
      set(static_cast<MetricId>(metric::kDependenceFpCycles + i),
          each([i](const Worker& w) { return w.waits[i]; }));
    }
    set(metric::kDependenceCycles, each([](const Worker& w) { return w.AllWaits(); }));
    set(metric::kWorkerDependenceCyclesMax, busiest([](const Worker& w) { return w.AllWaits(); }));
  }

  void Misses(JobProfile& job) {
    std::array<uint64_t, 3> parts = {Amount(), Amount(), Amount()};
    for (size_t i = 0; i < 3; ++i) {
      const auto m = static_cast<MetricId>(metric::kMissesCompulsory + i);
      Set(job, 0, m, std::vector<uint64_t>(job.run.ranks, parts[i]), "counting", Status::kModelled);
    }
  }

  std::mt19937 random_;
  std::array<Worker, 2> workers_;
};

// The model machine at its best, simulated worker by worker: on each core pipes, divider and issue
// run side by side without a stall. Knows nothing of the model.
double CoreSeconds(const Worker& worker) {
  double pipes = 0, divider = 0;
  for (const Precision precision : {Precision::kDouble, Precision::kSingle}) {
    for (const Width width : {Width::kScalar, Width::k128, Width::k256}) {
      const double lanes = Lanes(precision, width);
      const auto operations = [&](FlopKind kind) {
        return static_cast<double>(worker.flops[FlopMetric(precision, width, kind)]) / lanes;
      };
      // Two pipes at 2 GHz, one slot for each operation. A division then keeps the divider for 4
      // cycles, a root for 8.
      pipes += (operations(FlopKind::kAdd) + operations(FlopKind::kMul) +
                operations(FlopKind::kFma) / 2 + operations(FlopKind::kDiv) +
                operations(FlopKind::kSqrt)) /
               4e9;
      divider += operations(FlopKind::kDiv) / 0.5e9 + operations(FlopKind::kSqrt) / 0.25e9;
    }
  }
  return std::max({pipes, divider, static_cast<double>(worker.instructions) / 8e9,
                   static_cast<double>(worker.AllWaits()) / 2e9});
}

// Both cores draw half of what two of them reach until one is done; then the other has what one
// alone reaches.
double StreamSeconds(uint64_t a, uint64_t b, double one_core, double both) {
  const auto small = static_cast<double>(std::min(a, b)),
             large = static_cast<double>(std::max(a, b));
  return small / (both / 2) + (large - small) / one_core;
}

// What one core reads through its streams, of GB/s.
constexpr std::pair<int, double> kStreamRates[] = {{1, 8},  {2, 14}, {3, 17},
                                                   {4, 19}, {6, 20}, {12, 20}};
double OwnSeconds(const Worker& worker) {
  for (const auto& [streams, gbs] : kStreamRates) {
    if (streams == worker.streams) return static_cast<double>(worker.bytes) * 1e-9 / gbs;
  }
  return 0;
}

double SimulatedSeconds(const std::array<Worker, 2>& workers) {
  const Worker &a = workers[0], &b = workers[1];
  // 30 GB/s of reads, and writes besides as long as all of it is below 45.
  const double memory =
      std::max(StreamSeconds(a.bytes, b.bytes, 20e9, 30e9),
               StreamSeconds(a.bytes + a.written, b.bytes + b.written, 30e9, 45e9));
  return std::max({memory, OwnSeconds(a), OwnSeconds(b), CoreSeconds(a), CoreSeconds(b)});
}

// With a copy that reaches more than reads alone do: 2/3 of its traffic are reads.
Machine SimulatedMachine() {
  Machine machine = ModelMachine();
  machine.ceilings.push_back(test::MakeCeiling("bandwidth.DRAM.copy", "copy", 20, 1.5));
  machine.ceilings.back().curve[1].value = 30;
  for (const auto& [streams, gbs] : {std::pair{1, 8.0}, {2, 14.0}, {4, 19.0}, {8, 20.0}}) {
    machine.ceilings.push_back(test::MakeCeiling(StreamCeilingId(streams), "read in streams", gbs));
    machine.ceilings.back().curve.resize(1);
  }
  return machine;
}

class Model : public ::testing::TestWithParam<int> {
 protected:
  static constexpr int kRegions = 400;  // of each seed
  const Machine machine_ = SimulatedMachine();
};

// Whatever the code does, it stays below what the model says it can attain.
TEST_P(Model, NothingRunsAboveItsAttainable) {
  for (int i = 0; i < kRegions; ++i) {
    RandomRegion region(static_cast<uint32_t>(GetParam() * kRegions + i));
    const JobProfile job = region.Job(SimulatedSeconds(region.workers()));
    const PathAnalysis path = Analyze(job, &machine_).paths[0];
    ASSERT_TRUE(path.runtime.attainable) << static_cast<int>(path.runtime.attainable.reason.id);
    EXPECT_LE(*path.gflops, *path.runtime.attainable * (1 + kRounding)) << "region " << i;
  }
}

TEST_P(Model, GainsAreAtLeastOneAndCeilingsNeverExceedTheRoof) {
  for (int i = 0; i < kRegions; ++i) {
    RandomRegion region(static_cast<uint32_t>(GetParam() * kRegions + i));
    const JobProfile job = region.Job(1);
    const JobModel model = test::ModelOf(machine_, job.run);
    const RegionInputs inputs = InputsOf(job, 0, model);
    const RuntimeModel runtime = RuntimeCeilingsOf(inputs, model);
    double last[3] = {TopRoof(inputs, model), model.roofs.bandwidth[kDram]->value, 1e300};
    EXPECT_LE(*runtime.attainable, last[0] * (1 + kRounding));
    for (const Ceiling& ceiling : runtime.ceilings) {
      if (!ceiling.height.least) continue;
      const double height = *ceiling.height.least;
      double& above = last[static_cast<size_t>(AxisOf(ceiling.shortfall))];
      EXPECT_LE(height, above * (1 + kRounding)) << i << " " << InfoOf(ceiling.shortfall).name;
      above = height;
      EXPECT_GE(*ceiling.gain.least, 1 - kRounding) << InfoOf(ceiling.shortfall).name;
      EXPECT_GE(ceiling.gain.most, *ceiling.gain.least) << InfoOf(ceiling.shortfall).name;
    }
  }
}

TEST_P(Model, CuringAnythingNeverLowersWhatIsAttainable) {
  std::mt19937 random(static_cast<uint32_t>(GetParam()));
  for (int i = 0; i < kRegions; ++i) {
    RandomRegion region(static_cast<uint32_t>(GetParam() * kRegions + i));
    const JobProfile job = region.Job(1);
    const JobModel model = test::ModelOf(machine_, job.run);
    const RegionInputs inputs = InputsOf(job, 0, model);
    const Shortfalls some(random() % (1u << kShortfalls));
    for (const Untold untold : {Untold::kBest, Untold::kWorst}) {
      const double before = LeastTimes(inputs, model, some, untold).Seconds();
      for (size_t s = 0; s < kShortfalls; ++s) {
        Shortfalls cured = some;
        cured.reset(s);
        EXPECT_LE(LeastTimes(inputs, model, cured, untold).Seconds(), before * (1 + kRounding))
            << i << " " << InfoOf(static_cast<Shortfall>(s)).name;
      }
    }
  }
}

// Whatever a report says of a region derives from its split and its limit: they agree with each
// other, with the model, and with the advice.
TEST_P(Model, AllThatIsSaidOfARegionAgrees) {
  std::mt19937 random(static_cast<uint32_t>(GetParam()));
  size_t limits[8] = {}, broken = 0, streams = 0;
  std::map<std::string, size_t> resources;
  for (int i = 0; i < kRegions; ++i) {
    RandomRegion region(static_cast<uint32_t>(GetParam() * kRegions + i));
    const double slower = std::pow(10, std::uniform_real_distribution<>(0, 2)(random));
    JobProfile job = region.Job(slower * SimulatedSeconds(region.workers()));
    const auto time_ns = static_cast<double>(job.At(0, metric::kTimeNs).max);
    const auto inside =
        static_cast<uint64_t>(time_ns * std::uniform_real_distribution<>(0, 1)(random));
    if (i % 2 == 0) Set(job, 0, metric::kMpiNs, std::vector(job.run.ranks, inside), "timer");
    if (i % 3 == 0) {
      Set(job, 0, metric::kParallelNs, std::vector(job.run.ranks, inside), "timer");
      Set(job, 0, metric::kOpenMpBusiestNs, std::vector(job.run.ranks, inside / 4), "timer");
    }
    if (i % 5 == 0) {
      Set(job, 0, metric::kSystemNs, std::vector(job.run.ranks, 2 * inside), "kernel");
    }
    const JobAnalysis analysis = Analyze(job, &machine_);
    const PathAnalysis& path = analysis.paths[0];
    ASSERT_TRUE(path.split.needed_s || path.split.BoundIsAboveTime());
    broken += path.split.BoundIsAboveTime() ? 1 : 0;
    ++limits[static_cast<size_t>(path.limit.what)];
    ++resources[path.limit.resource];
    test::ExpectRegionAgrees(path);
    streams += test::StreamsAreNamed(path) ? 1 : 0;
    for (const Advice& advice : AdviceFor(job, analysis)) {
      test::ExpectAdviceAgrees(path, advice);
    }
  }
  for (const LimitedBy what :
       {LimitedBy::kWaiting, LimitedBy::kKernel, LimitedBy::kUnexplained, LimitedBy::kResource}) {
    EXPECT_GT(limits[static_cast<size_t>(what)], 0u) << static_cast<int>(what);
  }
  EXPECT_GT(streams, 0u);
  EXPECT_GT(broken, 0u);
  for (const char* what : {"compute", "dependences", "latency"}) {
    EXPECT_GT(resources[what], 0u) << what;
  }
}

// The same of many regions whose time their work nearly explains.
TEST(TwoLimits, AreNamedWhereBothMatterAndTheirSavingsLeaveTheOther) {
  constexpr uint32_t kMany = 2000;
  const Machine machine = SimulatedMachine();
  std::mt19937 random(1);
  size_t both = 0;
  for (uint32_t i = 0; i < kMany; ++i) {
    RandomRegion region(i);
    const double slower = std::uniform_real_distribution<>(1, 1.6)(random);
    const JobProfile job = region.Job(slower * SimulatedSeconds(region.workers()));
    const JobAnalysis analysis = Analyze(job, &machine);
    if (!test::ExpectTwoOnlyWhereBothMatter(analysis.paths[0])) continue;
    ++both;
    EXPECT_NE(analysis.paths[0].verdict.optimisation_region, "compute");
    EXPECT_NE(analysis.paths[0].verdict.optimisation_region, "memory");
    for (const Advice& advice : AdviceFor(job, analysis)) {
      test::ExpectSavingsLeaveTheOther(analysis.paths[0], advice);
    }
  }
  EXPECT_GT(both, 5u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Model, ::testing::Range(0, 5));

}  // namespace
}  // namespace roofmark
