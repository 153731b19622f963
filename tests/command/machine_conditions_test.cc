// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark machine` where something is missing: it does what it can and says what it left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "lib/core/file.h"
#include "lib/model/machine_json.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Matches;

class Conditions : public testing::Test {
 protected:
  // The machine that the command measures behind `wrapper`.
  Machine Measure(std::vector<std::string> wrapper, test::Environment environment = {}) {
    const std::string file = directory_.File("m.json");
    wrapper.insert(wrapper.end(),
                   {ROOFMARK, "machine", "--quick", "--quiet", "--force", "-o", file});
    environment["XDG_CACHE_HOME"] = directory_.path();
    const test::Ended ended = test::Run(wrapper, environment, directory_.path());
    EXPECT_EQ(ended.status, 0) << ended.err;
    const auto text = ReadFile(file);
    EXPECT_TRUE(text);
    const auto machine = MachineFromJson(text ? *text : "", file);
    EXPECT_TRUE(machine) << machine.error();
    return machine ? *machine : Machine();
  }
  // Other work may take so much of the machine that the time for a quick measurement is up too
  // soon, or that a cache shows no plateau. Then the file says so.
  static bool SaysItWasDisturbed(const Machine& machine) {
    return Matches(Contains(AnyOf(HasSubstr("because the time was up"),
                                  HasSubstr("the bandwidth has no plateau there"))))(
        machine.warnings);
  }
  static void ExpectMeasured(const Machine& machine, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
      EXPECT_TRUE(machine.Find(id) != nullptr || SaysItWasDisturbed(machine)) << id;
    }
  }
  static void ExpectArithmeticAndCaches(const Machine& machine) {
    ExpectMeasured(machine, {"compute.dp.peak", "compute.sp.add.scalar", "bandwidth.L2.read"});
  }
  test::TempDir directory_;
};

// A group of our own below the process's, where that is allowed; version 1 or 2.
class MemoryGroup {
 public:
  explicit MemoryGroup(const std::string& bytes) {
    const std::string name = "roofmark-test-" + std::to_string(getpid());
    for (const auto& [root, limit] : {std::pair{"/sys/fs/cgroup/memory/", "memory.limit_in_bytes"},
                                      std::pair{"/sys/fs/cgroup/", "memory.max"}}) {
      std::error_code error;
      const std::string folder = root + name;
      if (!std::filesystem::create_directory(folder, error) || error) continue;
      std::ofstream file(folder + "/" + limit);
      if (file << bytes << std::flush) {
        path_ = folder;
        return;
      }
      rmdir(folder.c_str());
    }
  }
  ~MemoryGroup() {
    if (!path_.empty()) rmdir(path_.c_str());
  }
  const std::string& path() const { return path_; }  // empty: not allowed

 private:
  std::string path_;
};

TEST_F(Conditions, NobodyMayPinThreads) {
  const Machine machine = Measure({}, {{"LD_PRELOAD", CANNOT_PIN}});
  EXPECT_THAT(machine.warnings, Contains(HasSubstr("threads could not be bound to CPU ")));
  ExpectMeasured(machine, {"compute.dp.peak"});
}

TEST_F(Conditions, OneCoreInTheCpuset) {
  const Machine machine = Measure({"taskset", "-c", "0"});
  EXPECT_EQ(machine.cpuset, "0");
  EXPECT_EQ(machine.cores, 1u);
  ExpectArithmeticAndCaches(machine);
  for (const CeilingCurve& ceiling : machine.ceilings)
    EXPECT_EQ(ceiling.curve.size(), 1u) << ceiling.id;
}

TEST_F(Conditions, LittleMemory) {
  const MemoryGroup group("268435456");
  if (group.path().empty()) GTEST_SKIP() << "no memory cgroup may be made here";
  const Machine machine =
      Measure({"sh", "-c", "echo $$ >" + group.path() + "/cgroup.procs && exec \"$@\"", "sh"});
  ExpectArithmeticAndCaches(machine);
  // Either the caches are small enough, or it says why there is no DRAM.
  if (machine.Find("bandwidth.DRAM.read") == nullptr && !SaysItWasDisturbed(machine)) {
    EXPECT_THAT(machine.warnings, Contains(HasSubstr("DRAM not measured")));
  }
}

TEST_F(Conditions, NoHugePages) {
  const Machine machine = Measure({WITHOUT_HUGE_PAGES});
  EXPECT_THAT(machine.warnings, Contains("only 0 % of the memory are huge pages"));
  ExpectArithmeticAndCaches(machine);
}

TEST_F(Conditions, UnknownCpu) {
  const std::string cpuinfo = directory_.File("cpuinfo");
  std::ofstream(cpuinfo) << "processor\t: 0\nvendor_id\t: Nobody\nmodel name\t: Unheard Of\n";
  const std::vector<std::string> wrapper = {
      "unshare", "-m", "sh", "-c", "mount --bind " + cpuinfo + " /proc/cpuinfo && exec \"$@\"",
      "sh"};
  auto probe = wrapper;
  probe.push_back("true");
  if (test::Run(probe).status != 0) GTEST_SKIP() << "no mount namespace may be made here";
  const Machine machine = Measure(wrapper);
  EXPECT_EQ(machine.cpu_model, "Unheard Of");
  ExpectArithmeticAndCaches(machine);
}

}  // namespace
}  // namespace roofmark
