// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark machine` under real launchers: one measurement and one voice, whatever the ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "lib/core/cpu_list.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/messages/mpi.h"
#include "lib/model/machine_json.h"
#include "tests/mpi/launchers.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Environment;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kSlow = 12;  // for a quick measurement of two ranks, seconds

size_t Times(const std::string& text, const std::string& word) {
  size_t times = 0;
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++times;
  return times;
}

// One voice: each quarter is said at most once. Which ones a busy machine leaves out is its matter,
// and one that takes longer than it should may leave out all.
void ExpectProgressOnce(const std::string& text, double seconds) {
  size_t said = 0;
  for (const char* quarter : {"25", "50", "75"}) {
    const size_t times = Times(text, "measuring: " + std::string(quarter) + " %");
    EXPECT_LE(times, 1u) << text;
    said += times;
  }
  if (seconds < kSlow) {
    EXPECT_GT(said, 0u) << text;
  }
}

class MachineJobs : public testing::TestWithParam<test::Mpi> {
 protected:
  Ended Launch(std::vector<std::string> arguments, Environment environment = {}) {
    arguments.insert(arguments.begin(), GetParam().launcher);
    environment["XDG_CACHE_HOME"] = directory_.path();
    return test::Run(arguments, test::ForLaunchers(environment), directory_.path());
  }
  std::vector<std::string> BoundToCores(int ranks) const {
    return {"-n", std::to_string(ranks), GetParam().IsOpenMpi() ? "--bind-to" : "-bind-to", "core"};
  }
  Machine Read(const std::string& name) {
    const auto text = ReadFile(directory_.File(name));
    auto machine = text ? MachineFromJson(*text, name) : Result<Machine>(Error{text.error()});
    EXPECT_TRUE(machine) << machine.error();
    return machine ? *machine : Machine();
  }
  test::TempDir directory_;
};

// CPU times in seconds, ascending: a shell's `times` prints its own, which is nothing, and that of
// the command it ran.
std::vector<double> CpuSeconds(const std::string& out) {
  std::vector<double> seconds;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    int user_m, system_m;
    double user_s, system_s;
    if (std::sscanf(line.c_str(), "%dm%lfs %dm%lfs", &user_m, &user_s, &system_m, &system_s) == 4) {
      seconds.push_back(60 * (user_m + system_m) + user_s + system_s);
    }
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

// What MPI's own doings are nothing to is on one of them.
class MachineJobsOnOpenMpi : public MachineJobs {};
class MachineJobsOnMpich : public MachineJobs {};

TEST_P(MachineJobs, OneMeasurementWithTheCpusOfAllRanksWhileTheOthersSleep) {
  if (CountCpus(AffinityCpuList()) < 2) GTEST_SKIP() << "one CPU: no two ranks to bind apart";
  auto command = BoundToCores(2);
  command.insert(command.end(), {"grep", "Cpus_allowed_list", "/proc/self/status"});
  std::string together;
  std::istringstream lines(Launch(command).out);
  for (std::string name, list; lines >> name >> list;) together = UniteCpuLists(together, list);

  command = BoundToCores(2);
  // To a file of each rank: launchers mix what ranks print.
  test::TempDir times;
  command.insert(command.end(), {"sh", "-c", "\"$@\"; s=$?; times > $TIMES/$$; exit $s", "sh",
                                 ROOFMARK, "machine", "--quick", "-o", "m.json"});
  const Ended ended = Launch(command, {{"TIMES", times.path()}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("m.json"));
  EXPECT_EQ(Times(ended.out, "kept in m.json"), 1u) << ended.out;
  const Machine machine = Read("m.json");
  ExpectProgressOnce(ended.err, machine.seconds);
  EXPECT_EQ(machine.cpuset, together);
  EXPECT_EQ(machine.nodes.size(), 1u);
  EXPECT_FALSE(machine.partial);
  EXPECT_LT(machine.seconds, 60) << "a quick measurement takes about 10 s";
  std::string all;
  for (const std::string& name : test::ListFiles(times.path())) {
    const Result<std::string> text = ReadFile(times.File(name));
    if (text) all += *text;
  }
  const std::vector<double> cpu = CpuSeconds(all);
  ASSERT_EQ(cpu.size(), 4u) << all;
  EXPECT_LT(cpu[2], 2) << "the rank that does not measure takes a core";
  EXPECT_GT(cpu[3], 2 * cpu[2]);
}

TEST_P(MachineJobsOnMpich, MoreRanksThanCoresAndTheFileStandsAloneOnStandardOutput) {
  const Ended ended = Launch({"-n", "5", ROOFMARK, "machine", "--quick", "-o", "-"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const Result<Machine> machine = MachineFromJson(ended.out, "standard output");
  ASSERT_TRUE(machine) << ended.out;
  EXPECT_EQ(machine->cpuset, AffinityCpuList());
  ExpectProgressOnce(ended.err, machine->seconds);
}

TEST_P(MachineJobsOnMpich, AnExistingFileIsKeptAndNothingIsMeasured) {
  ASSERT_TRUE(WriteFile(directory_.File("m.json"), "old", IfExists::kReplace));
  const Ended ended = Launch({"-n", "3", ROOFMARK, "machine", "-o", "m.json"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(Times(ended.err, "roofmark: "), 1u) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(test::LineOf(message::kFileExists, "m.json",
                                                ", remove it, or use --force")));
  EXPECT_EQ(ended.out, "");
}

TEST_P(MachineJobs, LibraryThatCannotBeLoadedIsSaidOnce) {
  for (const char* name :
       {"libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi.so", "libmpich.so"}) {
    ASSERT_TRUE(WriteFile(directory_.File(name), "no library", IfExists::kReplace));
  }
  const Ended ended = Launch(
      {"-n", "3", "env", "LD_LIBRARY_PATH=" + directory_.path(), ROOFMARK, "machine", "--quick"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(Times(ended.err, "roofmark: "), 1u) << ended.err;
  EXPECT_THAT(ended.err, test::Says(message::kNoLauncherLibrary, testing::_));
  EXPECT_EQ(ended.out, "") << "nothing is measured";
}

// Each process would take itself for the only one, and all would measure at once.
TEST_P(MachineJobs, LibraryOfAnotherLauncherIsNoticed) {
  if (std::size(test::kMpis) < 2) GTEST_SKIP() << "one MPI only";
  const char* script = GetParam().IsOpenMpi()
                           ? "PMI_SIZE=2 PMI_RANK=$OMPI_COMM_WORLD_RANK exec env "
                             "-u OMPI_COMM_WORLD_SIZE -u OMPI_COMM_WORLD_RANK \"$@\""
                           : "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=$PMI_RANK exec \"$@\"";
  const Ended ended = Launch({"-n", "2", "sh", "-c", script, "sh", ROOFMARK, "machine", "--quick"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, test::Says(message::kRanksOfOtherLauncher, 2, testing::_, 1));
  EXPECT_EQ(Times(ended.err, "roofmark: "), 1u) << ended.err;
  EXPECT_EQ(ended.out, "");
}

// Each rank under a boot id of its own, which is how nodes differ.
TEST_P(MachineJobsOnOpenMpi, TwoNodesAreMergedWithTheSpreadBetweenThem) {
  const std::string bind = "mount --bind boot$1 /proc/sys/kernel/random/boot_id";
  if (test::Run({"unshare", "-m", "sh", "-c", "echo id >boot1; " + bind, "sh", "1"}, {},
                directory_.path())
          .status != 0) {
    GTEST_SKIP() << "a mount namespace of one's own is not allowed here";
  }
  const std::string script =
      "r=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; echo $r >boot$r; exec unshare "
      "-m sh -c '" +
      bind + "; shift; exec \"$@\"' sh $r \"$@\"";
  // Both measure on the same CPUs here: what disturbs one of them can leave out all of a time.
  Machine machine;
  for (int attempt = 0; attempt < 3 && machine.ceilings.empty(); ++attempt) {
    const Ended ended = Launch({"-n", "2", "sh", "-c", script, "sh", ROOFMARK, "machine", "--quick",
                                "--force", "-o", "m.json"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(Times(ended.out, "measured on 2 nodes"), 1u);
    machine = Read("m.json");
    ExpectProgressOnce(ended.err, machine.seconds);
    EXPECT_EQ(machine.nodes.size(), 2u);
  }
  ASSERT_FALSE(machine.ceilings.empty());
  size_t on_both = 0;
  for (const CeilingCurve& ceiling : machine.ceilings) {
    const MachinePoint& point = ceiling.curve.back();
    if (point.nodes != 2) continue;
    ++on_both;
    EXPECT_LE(point.node_min, point.value) << ceiling.id;
    EXPECT_GE(point.node_max, point.value) << ceiling.id;
  }
  // On a busy machine the time is over before many points were measured on both.
  if (machine.seconds < kSlow) {
    EXPECT_GT(on_both, machine.ceilings.size() / 2);
  }
}

// The launchers' own statuses differ then: Open MPI's is 1, hydra's may be 0.
TEST_P(MachineJobs, InterruptKeepsWhatWasMeasured) {
  // Interrupted as soon as something was kept, which takes 4 s or, on a busy machine, a minute:
  // then a measurement of 45 s is over, one of 4 minutes is not. Open MPI kills after a second:
  // what was kept meanwhile stays then, without a word.
  constexpr char kScript[] =
      "env --default-signal=INT \"$@\" & job=$!; "
      "while [ ! -e m.json ] && kill -0 $job; do sleep 0.2; done; kill -INT $job; wait $job";
  const Ended ended =
      test::Run({"sh", "-c", kScript, "sh", GetParam().launcher, "-n", "2", ROOFMARK, "machine",
                 "--full", "-o", "m.json"},
                test::ForLaunchers({{"XDG_CACHE_HOME", directory_.path()}}), directory_.path());
  EXPECT_TRUE(Read("m.json").partial) << ended.err;
  EXPECT_LE(Times(ended.err, "roofmark: interrupted: "), 1u) << ended.err;
}

TEST_P(MachineJobsOnOpenMpi, OneRankMeasuresWithoutMpiAndQuiet) {
  const Ended ended = Launch({"-n", "1", "env", "LD_LIBRARY_PATH=/nowhere", ROOFMARK, "machine",
                              "--quick", "--quiet", "-o", "m.json"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err, "");
  EXPECT_TRUE(Read("m.json").nodes.empty());
}

INSTANTIATE_TEST_SUITE_P(Mpi, MachineJobs, testing::ValuesIn(test::kMpis),
                         [](const auto& given) { return given.param.name; });
INSTANTIATE_TEST_SUITE_P(Mpi, MachineJobsOnOpenMpi, testing::ValuesIn(test::OneMpi("openmpi")),
                         [](const auto& given) { return given.param.name; });
INSTANTIATE_TEST_SUITE_P(Mpi, MachineJobsOnMpich, testing::ValuesIn(test::OneMpi("mpich")),
                         [](const auto& given) { return given.param.name; });

}  // namespace
}  // namespace roofmark
