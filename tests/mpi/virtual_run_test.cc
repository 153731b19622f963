// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark run` where there are hardware counters, on virtual machines with two packages: what
// they count is the result, and what they leave out decides whether the engine follows. The command
// asks nothing of a launcher: all but the first test are without MPI, or on one of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "lib/profile/totals.h"
#include "tests/collectors/perf_event/machine_facts.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Environment;
using test::Mpi;
using testing::HasSubstr;
using testing::Not;
using testing::ValuesIn;

using Words = std::vector<std::string>;

constexpr char kWorkPass[] = "roofmark: work pass";

std::vector<Mpi> AllMpis() {
  std::vector<Mpi> all = {{"none", ""}};
  all.insert(all.end(), std::begin(test::kMpis), std::end(test::kMpis));
  return all;
}

class VirtualRun : public testing::TestWithParam<Mpi> {
 protected:
  // The program on a virtual machine; two ranks, each on a package.
  Words Program() const {
    Words command;
    if (*GetParam().launcher != '\0') command = {GetParam().launcher, "-n", "2"};
    if (GetParam().IsOpenMpi()) command.insert(command.end(), {"--bind-to", "none"});
    // Each execution has counters of its own, as each has another group.
    command.insert(command.end(),
                   {"/bin/sh", "-c", R"(VPMU_STATE=$VPMU_STATE.$ROOFMARK_GROUP exec "$@")", "sh",
                    ON_PACKAGES, *GetParam().launcher == '\0' ? "c" : "ab",
                    fmt::format("{}/{}/virtual_job", PROGRAMS, GetParam().name)});
    return command;
  }
  Ended Execute(const Words& command, const std::string& machine, Environment environment) {
    const test::TempDir state;
    environment.try_emplace("VPMU_PRIVILEGED", "1");
    environment["VPMU_MACHINE"] = VPMU_MACHINES "/" + machine;
    environment["VPMU_STATE"] = state.File("state");
    environment["XDG_CACHE_HOME"] = directory_.path();
    return test::Run(command, test::ForLaunchers(environment), directory_.path(), /*seconds=*/240);
  }
  // `roofmark run` of it; the file is in `job`.
  Ended Run(const std::string& machine, const Words& options, const Environment& environment = {}) {
    Words command = {ROOFMARK, "run", "--force", "-o", "run.json", "--no-machine"};
    command.insert(command.end(), options.begin(), options.end());
    command.emplace_back("--");
    const Words program = Program();
    command.insert(command.end(), program.begin(), program.end());
    const Ended ended = Execute(command, machine, environment);
    EXPECT_EQ(ended.status, 0) << ended.err;
    if (ended.status == 0) job = test::ReadRoofline(directory_.File("run.json")).job;
    return ended;
  }
  Words Collectors() const {
    Words words;
    for (const PassInfo& pass : job.run.passes) words.push_back(pass.collector);
    return words;
  }
  const PathInfo& Path(const std::string& path) const {
    const int row = job.FindPath(path);
    EXPECT_GE(row, 0) << path;
    static const PathInfo none{};
    return row < 0 ? none : job.paths[static_cast<size_t>(row)];
  }

  test::TempDir directory_;
  JobProfile job;
};

class VirtualRunWithoutMpi : public VirtualRun {};
class VirtualRunOnOpenMpi : public VirtualRun {};
class VirtualRunOnMpich : public VirtualRun {};

// What hardware counts is the same with and without the command, exactly.
TEST_P(VirtualRun, OneExecutionIsEnoughAndAgreesWithTheLibraryAlone) {
  for (const char* machine : {"skx", "spr"}) {
    SCOPED_TRACE(machine);
    const Ended ended = Run(machine, {"--no-report"});
    EXPECT_THAT(ended.err, Not(HasSubstr(kWorkPass)));
    EXPECT_THAT(Collectors(), testing::ElementsAre("perf_event"));
    EXPECT_EQ(job.sources[metric::kFlops].origin, "perf_event");
    EXPECT_EQ(job.sources[metric::kDramBytes].origin, "perf_event");
    const Ended alone = Execute(
        Program(), machine,
        {{"ROOFMARK", "on"}, {"ROOFMARK_OUTPUT", directory_.File(std::string(machine) + ".json")}});
    ASSERT_EQ(alone.status, 0) << alone.err;
    const JobProfile on = test::ReadRoofline(directory_.File(std::string(machine) + ".json")).job;
    ASSERT_EQ(on.paths.size(), job.paths.size());
    size_t compared = 0;
    for (size_t p = 0; p < job.paths.size(); ++p) {
      for (MetricId m = 0; m < kMetrics; ++m) {
        const bool counts = IsFlops(m) || m == metric::kInstructions || m == metric::kCycles ||
                            IsTotal(m) || m == metric::kPackageDramReadBytes ||
                            m == metric::kPackageDramWriteBytes || m == metric::kVisits;
        if (!counts) continue;
        const Cell &a = job.At(p, m), &b = on.At(p, m);
        EXPECT_TRUE(a.ranks == b.ranks && a.Sum() == b.Sum() && a.min == b.min && a.max == b.max)
            << job.paths[p].path << " " << GetMetric(m).name;
        compared += a.ranks > 0 && a.Sum() > 0;
      }
    }
    EXPECT_GT(compared, 15u);
  }
}

TEST_P(VirtualRunWithoutMpi, ACollectorThatIsNamedIsAloneAndWhatItLacksIsSaid) {
  const Environment user = {{"VPMU_PRIVILEGED", "0"}};
  const Ended named = Run("skx", {"--no-report", "--collector", "perf_event"}, user);
  EXPECT_THAT(named.err, HasSubstr("roofmark: DRAM bytes were not counted: "));
  EXPECT_THAT(named.err, HasSubstr("no work pass follows --collector perf_event (--work always"));
  EXPECT_EQ(job.run.passes.size(), 1u);
  Environment variable = user;
  variable["ROOFMARK_COLLECTOR"] = "perf_event";
  EXPECT_THAT(Run("skx", {"--no-report"}, variable).err,
              HasSubstr("no work pass follows --collector perf_event"));
  const Ended never = Run("skx", {"--no-report", "--work", "never"}, user);
  EXPECT_THAT(never.err, HasSubstr("no work pass follows, because of --work never"));
  EXPECT_EQ(job.sources[metric::kMissesCompulsory].reason,
            "no work pass was made (--work always: it is)");
}

#ifdef WITH_PAPI
TEST_P(VirtualRunOnMpich, PapiCanBeNamed) {
  Run("skx", {"--no-report", "--collector", "papi"}, {{"VPMU_CPUID", "libpapi"}});
  EXPECT_THAT(Collectors(), testing::ElementsAre("papi"));
  EXPECT_EQ(job.sources[metric::kFlops].origin, "papi");
}
#endif

// Each group in an execution of its own: nothing takes turns, and everything is exact.
TEST_P(VirtualRunOnOpenMpi, GroupsHaveExecutionsOfTheirOwn) {
  const Ended ended = Run("skx", {"--no-report", "--groups", "all", "--work", "never"});
  EXPECT_THAT(ended.err, HasSubstr("roofmark: counters of ROOFMARK_GROUP=mix, 5 of 5: about "));
  EXPECT_EQ(job.run.passes.size(), 5u);
  EXPECT_EQ(job.run.passes.front().settings.at("group"), "dp");
  const facts::Machine machine = facts::Of("skx");
  for (size_t i = 0; i < machine.core.size(); ++i) {
    const facts::CoreEvent& event = machine.core[i];
    uint64_t sum = 0;
    for (uint64_t at = 0; at < 2 * job.run.ranks; ++at) {
      sum += event.weight * facts::Count(i, at / 2, at % 2);
    }
    const Cell& cell = job.At(static_cast<size_t>(job.FindPath("solve")), event.metric);
    SCOPED_TRACE(GetMetric(event.metric).name);
    EXPECT_EQ(cell.SumAsDouble(), static_cast<double>(sum));
    EXPECT_EQ(job.sources[event.metric].status, Status::kMeasured);
  }
  EXPECT_EQ(job.sources[metric::kDramBytes].status, Status::kMeasured);
  EXPECT_TRUE(TotalOf(job, static_cast<size_t>(job.FindPath("solve")), metric::kDramBytes));
}

#ifdef WITH_COUNTING
TEST_P(VirtualRunOnMpich, WhatPermissionsLeaveOutIsModelledAndSaidBefore) {
  const Ended ended = Run("skx", {"--no-report"}, {{"VPMU_PRIVILEGED", "0"}});
  const size_t why = ended.err.find("roofmark: DRAM bytes were not counted: ");
  ASSERT_NE(why, std::string::npos) << ended.err;
  EXPECT_LT(why, ended.err.find(kWorkPass));
  EXPECT_THAT(ended.err, HasSubstr("perf_event_paranoid is 2"));
  EXPECT_THAT(Collectors(), testing::ElementsAre("perf_event", "counting"));
  EXPECT_EQ(job.sources[metric::kFlops].origin, "counting");
  EXPECT_EQ(job.sources[metric::kDramBytes].origin, "counting");
  EXPECT_EQ(job.sources[metric::kCycles].origin, "perf_event");
  EXPECT_NE(CrossCheckOf(Path("solve"), metric::kFlops), nullptr);
  EXPECT_EQ(CrossCheckOf(Path("solve"), metric::kDramBytes), nullptr);
}

// This CPU counts FLOPs, but not of which precision: the engine counts them alone, without caches.
TEST_P(VirtualRunWithoutMpi, PrecisionsThatAreMixedAreTheReasonForTheEngine) {
  const Ended ended = Run("zen4", {"--no-report"});
  EXPECT_THAT(ended.err, HasSubstr("FLOPs were counted with all precisions mixed"));
  EXPECT_THAT(ended.err, HasSubstr(kWorkPass));
  EXPECT_THAT(Collectors(), testing::ElementsAre("perf_event", "counting"));
  EXPECT_EQ(job.run.passes.at(1).settings.at("count"), "flops");
  EXPECT_EQ(job.sources[metric::kFlopsDp].origin, "counting");
  EXPECT_EQ(job.sources[metric::kDramBytes].origin, "perf_event");
}

// The program retires what machine_facts.h says, whatever it executes: both are known.
TEST_P(VirtualRunOnMpich, TheRatioOfEngineAndHardwareIsShown) {
  const Ended ended = Run("skx", {"--work", "always"});
  EXPECT_THAT(ended.err, HasSubstr("--work always asks for a work pass"));
  EXPECT_THAT(ended.out, HasSubstr("cross-check: counting engine / hardware counters\n"));
  const facts::Machine machine = facts::Of("skx");
  const uint64_t ranks = job.run.ranks;
  double instructions = 0;
  for (size_t i = 0; i < machine.core.size(); ++i) {
    for (uint64_t at = 0; at < 2 * ranks && machine.core[i].metric == metric::kInstructions; ++at) {
      instructions += static_cast<double>(facts::Count(i, at / 2, at % 2));
    }
  }
  const CrossCheck* check = CrossCheckOf(Path("solve"), metric::kInstructions);
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->hardware.sum, instructions);
  EXPECT_EQ(check->hardware.origin, "perf_event");
  EXPECT_EQ(check->engine.origin, "counting");
  EXPECT_GT(check->engine.sum, 0);
  EXPECT_NE(CrossCheckOf(Path("solve"), metric::kDramBytes), nullptr);
  EXPECT_EQ(job.sources[metric::kDramBytes].origin, "perf_event");
}
#endif

INSTANTIATE_TEST_SUITE_P(Mpis, VirtualRun, ValuesIn(AllMpis()),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(Mpis, VirtualRunWithoutMpi,
                         ValuesIn(test::SomeOf({AllMpis().front()}, AllMpis())),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(Mpis, VirtualRunOnOpenMpi, ValuesIn(test::OneMpi("openmpi")),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(Mpis, VirtualRunOnMpich, ValuesIn(test::OneMpi("mpich")),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace roofmark
