// SPDX-License-Identifier: BSD-3-Clause
//
// Each machine's files, and exact counts of each (controller, package).
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "counters.h"

namespace vpmu_test {
namespace {

struct Expected {
  const char* machine;
  const char* vendor;
  const char* prefix;  // of the devices that count memory traffic
  int devices;
  uint64_t read, write;
};

constexpr Expected kMachines[] = {
    {"skx", "GenuineIntel", "uncore_imc_", 6, 0x304, 0xc04},
    {"clx", "GenuineIntel", "uncore_imc_", 6, 0x304, 0xc04},
    {"icx", "GenuineIntel", "uncore_imc_", 8, 0xf04, 0x3004},
    {"spr", "GenuineIntel", "uncore_imc_", 12, 0xcf05, 0xf005},
    {"spr61", "GenuineIntel", "uncore_imc_", 12, 0xcf05, 0xf005},
    {"emr", "GenuineIntel", "uncore_imc_", 12, 0xcf05, 0xf005},
    {"zen3", "AuthenticAMD", "amd_df", 1, 0x3807, 0x3847},
    {"zen4", "AuthenticAMD", "amd_umc_", 24, 0x10a, 0x20a},
    {"zen5", "AuthenticAMD", "amd_umc_", 24, 0x10a, 0x20a},
};

class DevicesTest : public OnMachine, public ::testing::WithParamInterface<Expected> {
 protected:
  DevicesTest() : OnMachine(GetParam().machine) { vpmu_set_privileged(1); }

  static std::vector<std::string> Devices() {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator("/sys/bus/event_source/devices")) {
      const std::string name = entry.path().filename();
      if (name.rfind(GetParam().prefix, 0) == 0) found.push_back(name);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

TEST_P(DevicesTest, EveryControllerOfEveryPackageHasItsOwnCounts) {
  struct Channel {
    std::string device;
    int package;
    Counter read, write;
  };
  std::vector<Channel> channels;
  ASSERT_EQ(Devices().size(), static_cast<size_t>(GetParam().devices));
  for (const std::string& device : Devices()) {
    const std::string folder = "/sys/bus/event_source/devices/" + device;
    std::istringstream mask(FirstLine(folder + "/cpumask"));
    for (std::string text; std::getline(mask, text, ',');) {
      const int cpu = std::stoi(text);
      const std::string place = "/sys/devices/system/cpu/cpu" + text;
      channels.push_back(
          {device, std::stoi(FirstLine(place + "/topology/physical_package_id")),
           Counter(Attributes(GetParam().read, kTimes, DeviceType(device)), -1, cpu),
           Counter(Attributes(GetParam().write, kTimes, DeviceType(device)), -1, cpu)});
    }
  }
  uint64_t n = 1000;
  for (const Channel& channel : channels) {
    EXPECT_EQ(vpmu_device(channel.package, channel.device.c_str(), GetParam().read, n), 0);
    EXPECT_EQ(vpmu_device(channel.package, channel.device.c_str(), GetParam().write, 2 * n + 1), 0);
    n += 7;
  }
  n = 1000;
  for (const Channel& channel : channels) {
    EXPECT_EQ(channel.read.Value(), n) << channel.device << " of package " << channel.package;
    EXPECT_EQ(channel.write.Value(), 2 * n + 1);
    n += 7;
  }
  EXPECT_EQ(vpmu_device(2, Devices()[0].c_str(), GetParam().read, 1), -1);
  EXPECT_EQ(vpmu_device(0, "uncore_imc_99", GetParam().read, 1), -1);
}

TEST_P(DevicesTest, TheMachinesFilesReplaceTheRealOnes) {
  EXPECT_EQ(FirstLine("/sys/devices/system/cpu/online"), "0-7");
  std::ifstream info("/proc/cpuinfo");
  const std::string text((std::istreambuf_iterator<char>(info)), {});
  EXPECT_NE(text.find(std::string("vendor_id\t: ") + GetParam().vendor), std::string::npos);
  EXPECT_EQ(access("/sys/devices/uncore_imc_0/type", R_OK),
            strcmp(GetParam().prefix, "uncore_imc_") == 0 ? 0 : -1);
  EXPECT_EQ(access("/sys/devices/system/cpu/cpu8", F_OK), -1);
  struct stat status;
  EXPECT_EQ(stat("/sys/devices/system/cpu/cpu7", &status), 0);
  char target[256];
  EXPECT_GT(readlink("/sys/bus/event_source/devices/cpu", target, sizeof(target)), 0);
  const int fd = open("/sys/devices/system/node/node1/cpulist", O_RDONLY);
  char list[8] = {};
  EXPECT_EQ(read(fd, list, sizeof(list)), 4);
  EXPECT_STREQ(list, "4-7\n");
  close(fd);
  DIR* folder = opendir("/sys/devices/system/cpu");
  ASSERT_NE(folder, nullptr);
  closedir(folder);
}

TEST_P(DevicesTest, EventsAreSpelledAsTheDriverDoes) {
  const std::string device = "/sys/bus/event_source/devices/" + Devices()[0];
  const std::string read = FirstLine(device + "/events/cas_count_read");
  const std::string machine = GetParam().machine;
  const std::map<std::string, std::string> known = {{"skx", "event=0x04,umask=0x03"},
                                                    {"clx", "event=0x04,umask=0x03"},
                                                    {"icx", "event=0x04,umask=0x0f"},
                                                    {"spr", "event=0x05,umask=0xcf"},
                                                    {"emr", "event=0x05,umask=0xcf"}};
  const auto it = known.find(machine);
  EXPECT_EQ(read, it == known.end() ? "" : it->second);
  EXPECT_EQ(FirstLine(device + "/format/event").rfind("config:0-7", 0), 0u);
}

std::string NameOf(const ::testing::TestParamInfo<Expected>& machine) {
  return machine.param.machine;
}

INSTANTIATE_TEST_SUITE_P(Machines, DevicesTest, ::testing::ValuesIn(kMachines), NameOf);

}  // namespace
}  // namespace vpmu_test
