// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "lib/model/machine_identity.h"
#include "lib/model/machine_json.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class MachineFiles : public testing::Test {
 protected:
  MachineFiles() { setenv("XDG_CACHE_HOME", root_.c_str(), 1); }
  void Write(const std::string& path, const std::string& text) { directory_.Write(path, text); }
  const test::TempDir directory_;
  const std::string& root_ = directory_.path();
};

TEST_F(MachineFiles, IdentityOfAnX86Machine) {
  Write("/proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\n"
        "model name\t: AMD EPYC 9755\nstepping\t: 1\nmicrocode\t: 0xb002116\n"
        "\nprocessor\t: 1\nmodel name\t: another\n");
  Write("/proc/meminfo", "MemTotal:       24684092 kB\nMemFree: 5 kB\n");
  Write("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  Write("/sys/class/dmi/id/bios_vendor", "Vendor\n");
  Write("/sys/class/dmi/id/bios_version", "1.2\n");
  Machine machine;
  FillIdentity(machine, root_);
  EXPECT_EQ(machine.cpu_vendor, "AuthenticAMD");
  EXPECT_EQ(machine.cpu_model, "AMD EPYC 9755");
  EXPECT_EQ(machine.cpu_family, 26u);
  EXPECT_EQ(machine.cpu_model_number, 2u);
  EXPECT_EQ(machine.cpu_stepping, 1u);
  EXPECT_EQ(machine.microcode, "0xb002116");
  EXPECT_EQ(machine.kernel, "6.1.0-18-amd64");
  EXPECT_EQ(machine.firmware, "Vendor 1.2");
  EXPECT_EQ(machine.memory_bytes, uint64_t{24684092} * 1024);
  EXPECT_FALSE(machine.cpuset.empty());
}

TEST_F(MachineFiles, IdentityOfAnArmMachine) {
  Write("/proc/cpuinfo",
        "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd40\n"
        "CPU revision\t: 1\n");
  Machine machine;
  FillIdentity(machine, root_);
  EXPECT_EQ(machine.cpu_vendor, "0x41");
  EXPECT_EQ(machine.cpu_family, 8u);
  EXPECT_EQ(machine.cpu_model_number, 0xd40u);
  EXPECT_EQ(machine.firmware, "");
}

// Of a large machine only the first CPU's lines are read.
TEST_F(MachineFiles, TheFirstCpuSpeaksForAll) {
  std::string text = "processor\t: 0\nvendor_id\t: V\nflags\t\t: " + std::string(9000, 'x') +
                     "\nmodel name\t: First\n\n";
  for (int cpu = 1; cpu < 64; ++cpu) text += "processor\t: 1\nmicrocode\t: 0x1\nmodel\t: 7\n\n";
  Write("/proc/cpuinfo", text);
  const NodeIdentity node = ReadNodeIdentity(root_);
  EXPECT_EQ(node.cpu_vendor, "V");
  EXPECT_EQ(node.cpu_model, "First") << "beyond the first piece that is read";
  EXPECT_EQ(node.microcode, "");
  EXPECT_EQ(node.cpu_model_number, 0u);
}

TEST_F(MachineFiles, AMachineThatTellsNothingIsStillOne) {
  Machine machine;
  FillIdentity(machine, root_ + "/nowhere");
  EXPECT_EQ(machine.memory_bytes, 0u);
  EXPECT_EQ(KindOf(machine).size(), 16u);
}

TEST_F(MachineFiles, TheKeyChangesWithTheHardwareOnly) {
  Machine machine;
  machine.cpu_model = "CPU";
  machine.memory_bytes = uint64_t{64} << 30;
  const std::string key = KindOf(machine);
  Machine same = machine;
  same.kernel = "other";
  same.cpuset = "0-3";
  same.memory_bytes += 100 << 20;  // a crash kernel's reserve, say
  EXPECT_EQ(KindOf(same), key);
  Machine other = machine;
  other.cpu_stepping = 2;
  EXPECT_NE(KindOf(other), key);
  other = machine;
  other.firmware = "2.0";
  EXPECT_NE(KindOf(other), key);
  other = machine;
  other.memory_bytes *= 2;
  EXPECT_NE(KindOf(other), key);
}

TEST_F(MachineFiles, SaysWhyAMeasurementIsStale) {
  Machine then;
  then.cpuset = "0-7";
  then.microcode = "0x1";
  then.kernel = "6.1";
  Machine now = then;
  EXPECT_THAT(StaleReasons(then, now), IsEmpty());
  now.cpuset = "0-3";
  now.microcode = "0x2";
  now.kernel = "6.2";
  EXPECT_THAT(StaleReasons(then, now),
              ElementsAre("other cpuset: 0-7, now 0-3", "other microcode: 0x1, now 0x2",
                          "other Linux kernel: 6.1, now 6.2"));
  now = then;
  then.governor = "performance";
  then.max_khz = 3'400'000;
  now.governor = "powersave";
  now.max_khz = 2'000'000;
  EXPECT_THAT(StaleReasons(then, now),
              ElementsAre("other CPU governor: performance, now powersave",
                          "other highest clock: 3400000 kHz, now 2000000 kHz"));
  EXPECT_THAT(StaleReasons(Machine(), Machine(now)),
              testing::Not(testing::Contains(HasSubstr("governor"))))
      << "a file of before does not have it";
  then = now;
  now.cpu_model = "Other";
  EXPECT_THAT(StaleReasons(then, now), ElementsAre(StartsWith("other CPU: ")));
  now = then;
  now.memory_bytes = then.memory_bytes + (uint64_t{64} << 30);
  EXPECT_THAT(StaleReasons(then, now), ElementsAre("other memory: 0 GiB, now 64 GiB"));
}

TEST_F(MachineFiles, FollowsTheCacheVariables) {
  const Machine machine;
  const std::string name = "/roofmark/machine-" + KindOf(machine) + ".json";
  EXPECT_EQ(*MachineFilePath(machine), root_ + name);
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(*MachineFilePath(machine), "/home/somebody/.cache" + name);
  unsetenv("HOME");
  const auto nowhere = MachineFilePath(machine);
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error(), HasSubstr("neither XDG_CACHE_HOME nor HOME is set"));
}

TEST_F(MachineFiles, StoresAndFindsThisMachine) {
  const auto missing = LoadMachineFile();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error(),
            "this machine has not been measured; run `roofmark machine --quick` once");
  Machine machine;
  FillIdentity(machine);
  machine.measured_at = "2020-01-01T00:00:00Z";
  const auto path = StoreMachineFile(machine);
  ASSERT_TRUE(path) << path.error();
  EXPECT_THAT(*path, EndsWith(".json"));
  auto kept = LoadMachineFile();
  ASSERT_TRUE(kept) << kept.error();
  EXPECT_EQ(kept->machine.measured_at, machine.measured_at);
  EXPECT_EQ(kept->path, *path);
  EXPECT_THAT(kept->stale, IsEmpty());
  machine.kernel = "0.1";
  ASSERT_TRUE(StoreMachineFile(machine));  // replaces
  kept = LoadMachineFile();
  ASSERT_TRUE(kept) << kept.error();
  EXPECT_THAT(kept->stale, ElementsAre(StartsWith("other Linux kernel: 0.1, now ")));
}

TEST_F(MachineFiles, RefusesATruncatedFile) {
  Machine machine;
  FillIdentity(machine);
  const auto path = StoreMachineFile(machine);
  ASSERT_TRUE(path) << path.error();
  std::filesystem::resize_file(*path, 40);
  EXPECT_FALSE(LoadMachineFile());
}

// What somebody else put beside a roofline file.
TEST_F(MachineFiles, ALinkOrAPipeBesideTheRunIsNotBelieved) {
  Machine machine;
  FillIdentity(machine);
  const std::string kind = KindOf(machine), name = "machine-" + kind + ".json";
  const std::string beside = directory_.File("run");
  std::filesystem::create_directory(beside);
  Write("elsewhere.json", MachineToJson(machine));
  std::filesystem::create_symlink(directory_.File("elsewhere.json"), beside + "/" + name);
  const auto linked = FindMachineFile(kind, beside);
  ASSERT_FALSE(linked);
  EXPECT_THAT(linked.error(), EndsWith("is a link; give it with --machine if it is the right one"));
  std::filesystem::remove(beside + "/" + name);
  ASSERT_EQ(mkfifo((beside + "/" + name).c_str(), 0600), 0);
  EXPECT_FALSE(FindMachineFile(kind, beside)) << "and nobody waits for a writer";
  ASSERT_TRUE(StoreMachineFile(machine));
  const auto own = FindMachineFile(kind, beside);
  ASSERT_TRUE(own) << own.error();
  EXPECT_EQ((*own)->path, *MachineFilePath(machine)) << "the user's own one serves";
}

TEST_F(MachineFiles, AnotherUsersFileBesideTheRunIsNotBelieved) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  Machine machine;
  FillIdentity(machine);
  const std::string kind = KindOf(machine);
  Write("machine-" + kind + ".json", MachineToJson(machine));
  const std::string path = directory_.File("machine-" + kind + ".json");
  ASSERT_TRUE(FindMachineFile(kind, root_));
  ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(FindMachineFile(kind, root_));
  ASSERT_EQ(chown(root_.c_str(), 65534, 65534), 0);
  EXPECT_TRUE(FindMachineFile(kind, root_)) << "the directory is that user's";
}

}  // namespace
}  // namespace roofmark
