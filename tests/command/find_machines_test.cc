// SPDX-License-Identifier: BSD-3-Clause
//
// Where the machine file of each kind of node is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "command/files.h"
#include "lib/core/messages/command.h"
#include "lib/model/machine_identity.h"
#include "lib/model/machine_json.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Machine MachineOf(const std::string& cpu) {
  Machine machine;
  machine.cpu_model = cpu;
  machine.effort = "quick";
  return machine;
}

class FindMachinesTest : public testing::Test {
 protected:
  FindMachinesTest() {
    setenv("XDG_CACHE_HOME", directory_.File("cache").c_str(), 1);
    setenv("ROOFMARK_MACHINE_DIR", directory_.File("site").c_str(), 1);
    run_.job.run.hosts = {{"n1", 1, "0", 1, "A", KindOf(MachineOf("A"))},
                          {"n2", 1, "0", 1, "B", KindOf(MachineOf("B"))}};
  }
  ~FindMachinesTest() override { unsetenv("ROOFMARK_MACHINE_DIR"); }

  std::string Put(const std::string& folder, const Machine& machine) {
    const std::string name = folder + "/machine-" + KindOf(machine) + ".json";
    directory_.Write(name, MachineToJson(machine));
    return directory_.File(name);
  }
  FoundMachines Find(const std::vector<std::string>& given = {}) {
    return FindMachines(given, run_, directory_.File("jobs/run.json"));
  }
  static std::vector<std::string> Cpus(const FoundMachines& found) {
    std::vector<std::string> cpus;
    for (const Machine& machine : found.machines) cpus.push_back(machine.cpu_model);
    return cpus;
  }

  const test::TempDir directory_;
  RooflineFile run_;
};

TEST_F(FindMachinesTest, EachKindInTheThreePlaces) {
  EXPECT_THAT(Cpus(Find()), IsEmpty());
  Put("cache/roofmark", MachineOf("A"));
  Put("site", MachineOf("B"));
  const FoundMachines found = Find();
  EXPECT_THAT(Cpus(found), ElementsAre("A", "B"));
  EXPECT_EQ(found.why_none, "");
  EXPECT_EQ(found.json.size(), 2u);
  // What lies beside the roofline file comes first, and before the cache the directory.
  Machine beside = MachineOf("B"), site = MachineOf("A");
  beside.effort = "beside";
  site.effort = "site";
  Put("jobs", beside);
  Put("site", site);
  EXPECT_EQ(Find().machines.at(0).effort, "site");
  EXPECT_EQ(Find().machines.at(1).effort, "beside");
}

TEST_F(FindMachinesTest, NodesWithoutFileAreNamedWithTheCommand) {
  Put("cache/roofmark", MachineOf("A"));
  PassInfo pass;
  pass.facts["launcher"] = "slurm";
  run_.job.run.passes = {pass};
  const FoundMachines found = Find();
  EXPECT_THAT(Cpus(found), ElementsAre("A"));
  EXPECT_EQ(found.why_none,
            "n2: no machine file of this kind of node was found; `srun -w n2 -N1 "
            "-n1 --cpus-per-task=1 roofmark machine -o machine-" +
                KindOf(MachineOf("B")) + ".json` measures it");
}

TEST_F(FindMachinesTest, GivenFilesAndEmbeddedOnesComeFirst) {
  const std::string a = Put("given", MachineOf("A")), b = Put("given", MachineOf("B"));
  Machine old = MachineOf("A");
  old.effort = "embedded";
  run_.machines = {MachineToJson(old)};
  Put("site", MachineOf("B"));
  EXPECT_THAT(Cpus(Find()), ElementsAre("A", "B"));
  EXPECT_EQ(Find().machines.at(0).effort, "embedded");
  EXPECT_THAT(Cpus(Find({b, a})), ElementsAre("B", "A"));
  EXPECT_EQ(Find({a}).machines.at(0).effort, "quick");
  testing::internal::CaptureStderr();
  EXPECT_TRUE(Find({a, a}).failed);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), test::Says(message::kSameKindOfNode, a, a));
}

// The file of the kind itself is better than one of a node with the same CPU.
TEST_F(FindMachinesTest, TheSameCpuIsEnoughWhereNothingIsBetter) {
  Machine more_memory = MachineOf("A");
  more_memory.memory_bytes = uint64_t{512} << 30;
  more_memory.effort = "embedded";
  run_.machines = {MachineToJson(more_memory)};
  Put("site", MachineOf("B"));
  EXPECT_THAT(Cpus(Find()), ElementsAre("A", "B"));
  EXPECT_EQ(Find().why_none, "");
  Put("site", MachineOf("A"));
  EXPECT_THAT(Cpus(Find()), ElementsAre("A", "A", "B"));
}

TEST_F(FindMachinesTest, AFileOfAnotherKindThanItsNameIsRefused) {
  directory_.Write("site/machine-" + KindOf(MachineOf("A")) + ".json",
                   MachineToJson(MachineOf("B")));
  run_.job.run.hosts.pop_back();
  const FoundMachines found = Find();
  EXPECT_THAT(Cpus(found), IsEmpty());
  EXPECT_THAT(found.why_none, HasSubstr("was measured on another kind of node than its name says"));
}

// As before hosts said their kind.
TEST_F(FindMachinesTest, AnOldFileIsHeldAgainstThisMachine) {
  run_.job.run.hosts = {{"n1", 1, "0", 1}};
  EXPECT_EQ(Find().why_none,
            "this machine has not been measured; run `roofmark machine --quick` once");
  Machine own;
  FillIdentity(own);
  Put("cache/roofmark", own);
  EXPECT_THAT(Cpus(Find()), ElementsAre(own.cpu_model));
  run_.machines = {MachineToJson(MachineOf("A"))};
  EXPECT_THAT(Cpus(Find()), ElementsAre("A"));
}

}  // namespace
}  // namespace roofmark::cli
