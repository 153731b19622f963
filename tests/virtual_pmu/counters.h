// SPDX-License-Identifier: BSD-3-Clause
//
// What the virtual PMU's own tests open and read events with.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_COUNTERS_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_COUNTERS_H_

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "virtual_pmu.h"

namespace vpmu_test {

inline constexpr uint64_t kScalarDouble = 0x1c7, kPackedDouble = 0x10c7, kSingle = 0x2c7;
inline constexpr uint64_t kCycles = 0x3c, kInstructions = 0xc0;
inline constexpr uint64_t kTimes = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;

inline std::string MachinePath(const std::string& name) {
  return std::string(VPMU_MACHINES) + "/" + name;
}

inline perf_event_attr Attributes(uint64_t config, uint64_t format = 0,
                                  uint32_t type = PERF_TYPE_RAW) {
  perf_event_attr attr{};
  attr.size = sizeof(attr);
  attr.type = type;
  attr.config = config;
  attr.read_format = format;
  attr.exclude_kernel = attr.exclude_hv = type == PERF_TYPE_RAW;
  return attr;
}

inline int OpenCounter(const perf_event_attr& attr, pid_t pid = 0, int cpu = -1, int group = -1,
                       unsigned long flags = PERF_FLAG_FD_CLOEXEC) {
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, pid, cpu, group, flags));
}

// The errno of an open that must fail; 0 if it does not.
inline int OpenError(const perf_event_attr& attr, pid_t pid = 0, int cpu = -1, int group = -1) {
  const int fd = OpenCounter(attr, pid, cpu, group);
  if (fd < 0) return errno;
  close(fd);
  return 0;
}

class Counter {
 public:
  explicit Counter(int fd) : fd_(fd) {}
  explicit Counter(const perf_event_attr& attr, pid_t pid = 0, int cpu = -1, int group = -1)
      : fd_(OpenCounter(attr, pid, cpu, group)) {
    EXPECT_GE(fd_, 0) << "errno " << errno;
  }
  Counter(Counter&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  ~Counter() {
    if (fd_ >= 0) close(fd_);
  }
  int fd() const { return fd_; }

  // All words; empty at the end of file.
  std::vector<uint64_t> Read() const {
    std::vector<uint64_t> words(128);
    const ssize_t bytes = read(fd_, words.data(), words.size() * sizeof(uint64_t));
    EXPECT_GE(bytes, 0) << "errno " << errno;
    words.resize(bytes > 0 ? static_cast<size_t>(bytes) / sizeof(uint64_t) : 0);
    return words;
  }
  uint64_t Value() const {
    const auto words = Read();
    return words.empty() ? UINT64_MAX : words[0];
  }
  int Control(unsigned long request, unsigned long argument = 0) const {
    return ioctl(fd_, request, argument);
  }

 private:
  int fd_;
};

inline vpmu_statistics Statistics() {
  vpmu_statistics statistics;
  vpmu_get_statistics(&statistics);
  return statistics;
}

inline std::string FirstLine(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

// 0 if the kernel has no such device.
inline uint32_t DeviceType(const std::string& device) {
  const std::string text = FirstLine("/sys/bus/event_source/devices/" + device + "/type");
  return text.empty() ? 0 : static_cast<uint32_t>(std::stoul(text));
}

// Nothing may be left behind by any test.
class OnMachine : public ::testing::Test {
 protected:
  explicit OnMachine(const char* machine = "skx") {
    EXPECT_EQ(vpmu_use(MachinePath(machine).c_str()), 0);
  }
  ~OnMachine() override {
    const vpmu_statistics left = Statistics();
    EXPECT_EQ(left.open_descriptors, 0u);
    EXPECT_EQ(left.mappings, 0u);
    EXPECT_EQ(left.events, 0u);
    vpmu_set_privileged(0);
    vpmu_use(nullptr);
  }
};

}  // namespace vpmu_test

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_COUNTERS_H_
