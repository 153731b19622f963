// SPDX-License-Identifier: BSD-3-Clause
//
// One scenario on the real kernel and on the virtual PMU: the same, line by line.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::vector<std::string> Lines(const std::string& command) {
  std::vector<std::string> lines;
  FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) return lines;
  for (char line[512]; fgets(line, sizeof(line), output) != nullptr;) lines.push_back(line);
  EXPECT_EQ(pclose(output), 0) << command;
  return lines;
}

std::string RealLevel() {
  std::string level;
  std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
  return level;
}

// What a machine cannot do at all is no difference of ours.
std::string WhyNot(const std::vector<std::string>& real) {
  if (real.empty() || real[0].find("opened") == std::string::npos) {
    return "the real kernel opens no breakpoint event: " + (real.empty() ? "" : real[0]);
  }
  if (real[1].find("done") == std::string::npos || real[2].find("8 bytes: 10") == std::string::npos)
    return "the real kernel's breakpoints do not count here: " + real[2];
  for (const std::string& line : real) {
    if (line.find("lost -> EINVAL") != std::string::npos) return "the kernel is older than 6.0";
  }
  return "";
}

// A program that knows nothing of the virtual PMU is led by the environment alone.
std::vector<std::string> Preloaded(const std::string& variables, const std::string& scenario) {
  return Lines("ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=" VIRTUAL_PMU
               " VPMU_MACHINE=" VPMU_MACHINES "/skx " +
               variables + " " SCENARIO " " + scenario);
}

TEST(Preloaded, FaultsComeFromTheEnvironment) {
  const std::string scenario = ::testing::TempDir() + "/vpmu_" + std::to_string(getpid());
  std::ofstream(scenario) << "open a\nopen a\nread a\nread a\nread a\n";
  const auto lines = Preloaded("VPMU_FAULT='open:1:EMFILE;read:2:EIO'", scenario);
  unlink(scenario.c_str());
  const std::vector<std::string> expected = {"open a -> EMFILE\n", "open a -> opened\n",
                                             "read a -> 8 bytes: 0\n", "read a -> EIO\n",
                                             "read a -> 8 bytes: 0\n"};
  EXPECT_EQ(lines, expected);
}

// Steps of the scenario: every line that is neither empty nor a comment is answered.
size_t StepsOf(const std::string& name) {
  std::ifstream file(name);
  size_t steps = 0;
  for (std::string line; std::getline(file, line);) steps += !line.empty() && line[0] != '#';
  return steps;
}

// Steps on event m, which is the real kernel's msr device: a kernel without it cannot take part.
constexpr size_t kDeviceSteps = 8;
bool IsOfDevice(const std::string& line) {
  std::istringstream words(line);
  std::string step, name;
  words >> step >> name;
  return name == "m";
}

TEST(Fidelity, VirtualAndRealKernelAgree) {
  const std::string run = std::string(SCENARIO) + " " + SCENARIO_FILE;
  const auto real = Lines(run);
  if (const std::string reason = WhyNot(real); !reason.empty()) GTEST_SKIP() << reason;
  const bool root = geteuid() == 0;
  const auto ours = Preloaded(
      std::string("VPMU_PRIVILEGED=") + (root ? "1" : "0") + " VPMU_PARANOID=" + RealLevel(),
      SCENARIO_FILE);
  ASSERT_EQ(real.size(), StepsOf(SCENARIO_FILE));
  ASSERT_EQ(real.size(), ours.size());
  const bool has_device = std::none_of(real.begin(), real.end(), [](const std::string& line) {
    return line.find("no such device") != std::string::npos;
  });
  size_t left_out = 0;
  for (size_t i = 0; i < real.size(); ++i) {
    if (!has_device && IsOfDevice(real[i])) {
      ++left_out;
    } else {
      EXPECT_EQ(real[i], ours[i]) << "line " << i;
    }
  }
  EXPECT_EQ(left_out, has_device ? 0u : kDeviceSteps);
}

}  // namespace
