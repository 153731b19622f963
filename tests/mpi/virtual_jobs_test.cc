// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs on virtual machines with two packages: what the merged file says of every rank's threads and
// of every package's memory controllers, by pairs of MPI, machine, rdpmc and privilege. Without
// MPI: the same program as one process. (What is counted in a process:
// tests/collectors/perf_event/matrix_test.cc.)
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/collectors/perf_event/machine_facts.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Environment;
using test::Mpi;
using testing::HasSubstr;
using testing::ValuesIn;

constexpr Mpi kNoMpi = {"none", ""};
constexpr uint64_t kThreads = 2;

std::vector<Mpi> WithAndWithoutMpi() {
  std::vector<Mpi> all = test::AllMpis();
  all.insert(all.begin(), kNoMpi);
  return all;
}

// Each letter a rank: on package 0 (a), 1 (b) or both (c).
bool RunsOn(char rank, uint32_t package) {
  return rank == 'c' || rank == (package == 0 ? 'a' : 'b');
}

class Job {
 public:
  Job(const Mpi& mpi, const char* machine, std::string layout)
      : mpi_(mpi), name_(machine), machine_(facts::Of(machine)), layout_(std::move(layout)) {}

  void Run(Environment environment) {
    environment["VPMU_MACHINE"] = std::string(VPMU_MACHINES "/") + name_;
    environment["VPMU_STATE"] = directory_.File("state");
    environment.try_emplace("ROOFMARK_COLLECTOR", "perf_event");
    environment["ROOFMARK_OUTPUT"] = directory_.File("run.json");
    const std::string program = fmt::format("{}/{}/virtual_job", PROGRAMS, mpi_.name);
    std::vector<std::string> command;
    if (*mpi_.launcher != '\0') {
      command = {mpi_.launcher, "-n", std::to_string(layout_.size())};
      // The CPUs of the virtual machine are not there to be bound to.
      if (mpi_.IsOpenMpi()) command.insert(command.end(), {"--bind-to", "none"});
    }
    command.insert(command.end(), {ON_PACKAGES, layout_, program});
    const test::Ended ended =
        test::Run(command, test::ForLaunchers(environment), directory_.path(), /*seconds=*/240);
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.out, "done\n");
    err = ended.err;
    job = test::ReadRoofline(directory_.File("run.json")).job;
    ASSERT_EQ(job.run.ranks, layout_.size());
  }

  // What all threads of all ranks retired, each exactly once.
  void ExpectThreadsExact() {
    for (size_t i = 0; i < machine_.core.size(); ++i) {
      const facts::CoreEvent& event = machine_.core[i];
      uint64_t sum = 0, most = 0;
      for (uint64_t rank = 0; rank < layout_.size(); ++rank) {
        uint64_t own = 0;
        for (uint64_t t = 0; t < kThreads; ++t) own += event.weight * facts::Count(i, rank, t);
        sum += own;
        most = std::max(most, own);
      }
      const Cell& cell = At("solve", event.metric);
      SCOPED_TRACE(GetMetric(event.metric).name);
      EXPECT_TRUE(cell.SumAsDouble() == static_cast<double>(sum))
          << cell.SumAsDouble() << " " << sum;
      EXPECT_EQ(cell.max, most);
      EXPECT_EQ(cell.max_rank, layout_.size() - 1);
      EXPECT_EQ(cell.ranks, layout_.size());
      EXPECT_EQ(At("last", event.metric).max, 0u);
    }
  }

  void ExpectPackagesExact() {
    ExpectTraffic("solve", 2, [](size_t) { return true; });
    ExpectTraffic("solve/odd", 1, [](size_t rank) { return rank % 2 == 1; });
    ExpectTraffic("last", 10, [this](size_t rank) { return rank == layout_.size() - 1; });
    ASSERT_EQ(job.run.background.size(), PackagesOf([](size_t) { return true; }).size());
    for (const BackgroundTraffic& traffic : job.run.background) {
      const facts::Traffic once = facts::TrafficOf(machine_, traffic.package);
      // Where nobody of the package is in "last", its traffic is background too.
      const bool last = RunsOn(layout_.back(), traffic.package);
      ExpectNear(traffic.bytes, (once.reads + once.writes) * (last ? 300 : 310));
    }
  }

  // Missing permission is never 0 bytes.
  void ExpectPackagesDenied() {
    const MetricId metric =
        machine_.TellsReadsFromWrites() ? metric::kPackageDramReadBytes : metric::kPackageDramBytes;
    EXPECT_EQ(job.sources[metric].status, Status::kDenied);
    EXPECT_THAT(job.sources[metric].reason, HasSubstr("perf_event_paranoid is 2"));
    EXPECT_THAT(job.sources[metric].reason, HasSubstr("set it to 0 or to give the program CAP_"));
    EXPECT_EQ(At("solve", metric).ranks, 0u);
    EXPECT_TRUE(job.run.background.empty());
  }

  JobProfile job;
  std::string err;

 private:
  const Cell& At(const std::string& path, MetricId metric) const {
    static const Cell none{};
    const int row = job.FindPath(path);
    EXPECT_GE(row, 0) << path;
    return row < 0 ? none : job.At(static_cast<size_t>(row), metric);
  }
  template <typename Enters>
  std::vector<uint32_t> PackagesOf(Enters enters) const {
    std::vector<uint32_t> packages;
    for (uint32_t package = 0; package < facts::kPackages; ++package) {
      for (size_t rank = 0; rank < layout_.size(); ++rank) {
        if (!enters(rank) || !RunsOn(layout_[rank], package)) continue;
        packages.push_back(package);
        break;
      }
    }
    return packages;
  }

  // The packages whose ranks enter the region moved `times`, each its own bytes.
  template <typename Enters>
  void ExpectTraffic(const std::string& path, uint64_t times, Enters enters) {
    if (machine_.TellsReadsFromWrites()) {
      Expect(path, metric::kPackageDramReadBytes, &facts::Traffic::reads, times, enters);
      Expect(path, metric::kPackageDramWriteBytes, &facts::Traffic::writes, times, enters);
    } else {
      Expect(path, metric::kPackageDramBytes, &facts::Traffic::reads, times, enters);
    }
    Expect(path, metric::kPackageControllerBytesMax, &facts::Traffic::busiest, times, enters);
    Expect(path, metric::kPackageControllers, &facts::Traffic::controllers, 1, enters);
  }
  template <typename Enters>
  void Expect(const std::string& path, MetricId metric, uint64_t facts::Traffic::*part,
              uint64_t times, Enters enters) {
    SCOPED_TRACE(path + " " + GetMetric(metric).name);
    const std::vector<uint32_t> packages = PackagesOf(enters);
    if (packages.empty()) return;
    const Cell& cell = At(path, metric);
    ASSERT_EQ(cell.ranks, packages.size());
    uint64_t sum = 0, least = UINT64_MAX, most = 0;
    for (const uint32_t package : packages) {
      const uint64_t own = times * (facts::TrafficOf(machine_, package).*part);
      sum += own;
      least = std::min(least, own);
      most = std::max(most, own);
    }
    ExpectNear(static_cast<uint64_t>(cell.SumAsDouble()), sum);
    ExpectNear(cell.min, least);
    ExpectNear(cell.max, most);
    if (packages.size() > 1 && most == least) return;  // either may be named
    EXPECT_TRUE(RunsOn(layout_[cell.max_rank], packages.back())) << "handed over by a stranger";
  }
  // Exact, but where events take turns on the counters.
  void ExpectNear(uint64_t value, uint64_t exact) const {
    const uint64_t slack = machine_.takes_turns && exact > 100 ? exact / 50 : 0;
    EXPECT_GE(value, exact - slack);
    EXPECT_LE(value, exact + slack);
  }

  const Mpi mpi_;
  const std::string name_;
  const facts::Machine machine_;
  const std::string layout_;
  test::TempDir directory_;
};

// The memory controllers through PAPI: one process opens a package's, and reads them for all.
class ThroughPapi : public testing::TestWithParam<std::tuple<Mpi, const char*, const char*>> {};

TEST_P(ThroughPapi, EveryControllerIsExact) {
  const auto& [mpi, machine, layout] = GetParam();
  Job job(mpi, machine, layout);
  ASSERT_NO_FATAL_FAILURE(job.Run({{"ROOFMARK_COLLECTOR", "papi"},
                                   {"VPMU_PARANOID", "0"},
                                   // LeakSanitizer dies where PAPI is loaded.
                                   {"ASAN_OPTIONS", "detect_leaks=0"}}));
  job.ExpectPackagesExact();
  for (const MetricId metric : {metric::kPackageDramReadBytes, metric::kPackageDramWriteBytes,
                                metric::kPackageTimeNs, metric::kPackageControllers}) {
    EXPECT_EQ(job.job.sources[metric].origin, "papi") << GetMetric(metric).name;
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, ThroughPapi,
                         ValuesIn(test::Pairs(test::AllMpis(), std::vector{"skx", "clx"},
                                              std::vector{"ab", "aabb", "cccc", "baaa", "c"})),
                         [](const auto& test) {
                           return fmt::format("{}_{}_{}", std::get<0>(test.param).name,
                                              std::get<1>(test.param), std::get<2>(test.param));
                         });

class VirtualJobs : public testing::TestWithParam<std::tuple<Mpi, const char*, bool, bool>> {};

TEST_P(VirtualJobs, TheFileHasEachRanksThreadsAndEachPackageOnce) {
  const auto& [mpi, machine, user_read, privileged] = GetParam();
  // Two ranks on two packages; a process without MPI runs on both.
  Job job(mpi, machine, *mpi.launcher == '\0' ? "c" : "ab");
  ASSERT_NO_FATAL_FAILURE(job.Run(
      {{"VPMU_USER_READ", user_read ? "1" : "0"}, {"VPMU_PRIVILEGED", privileged ? "1" : "0"}}));
  job.ExpectThreadsExact();
  privileged ? job.ExpectPackagesExact() : job.ExpectPackagesDenied();
}

INSTANTIATE_TEST_SUITE_P(Machines, VirtualJobs,
                         ValuesIn(test::Pairs(WithAndWithoutMpi(), test::Factor(facts::kMachines),
                                              test::Both(), test::Both())),
                         [](const auto& test) {
                           return fmt::format("{}_{}_{}_{}", std::get<0>(test.param).name,
                                              std::get<1>(test.param),
                                              std::get<2>(test.param) ? "rdpmc" : "read",
                                              std::get<3>(test.param) ? "privileged" : "user");
                         });

class Layouts : public testing::TestWithParam<std::tuple<Mpi, const char*>> {};

// Who reads for whom is settled in shared memory, without MPI: each layout is on one MPI. Owners
// and neighbours, ranks on both packages at once, a package of one rank beside one of three.
TEST_P(Layouts, EachPackageIsReadOnceWhoeverRunsWhere) {
  const auto& [mpi, layout] = GetParam();
  Job job(mpi, "skx", layout);
  ASSERT_NO_FATAL_FAILURE(job.Run({{"VPMU_PRIVILEGED", "1"}}));
  job.ExpectThreadsExact();
  job.ExpectPackagesExact();
}

INSTANTIATE_TEST_SUITE_P(
    Ranks, Layouts,
    ValuesIn(test::InTurns(std::vector{"aabb", "abab", "cccc", "baaa", "ccab", "a", "c"})),
    [](const auto& test) {
      return fmt::format("{}_{}", std::get<0>(test.param).name, std::get<1>(test.param));
    });

}  // namespace
}  // namespace roofmark
