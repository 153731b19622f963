// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_identity.h"

#include <fmt/format.h>

#include <cstdlib>

#include "lib/core/cpu_list.h"
#include "lib/core/file.h"

namespace roofmark {
namespace {

// The first line of a small file, or nothing.
std::string OneLine(const std::string& path) {
  const auto text = ReadFile(path);
  return text ? text->substr(0, text->find('\n')) : std::string();
}

}  // namespace

void FillIdentity(Machine& machine, const std::string& root) {
  static_cast<NodeIdentity&>(machine) = ReadNodeIdentity(root);
  machine.kernel = OneLine(root + "/proc/sys/kernel/osrelease");
  const std::string clock = root + "/sys/devices/system/cpu/cpu0/cpufreq/scaling_";
  machine.governor = OneLine(clock + "governor");
  machine.max_khz = std::strtoull(OneLine(clock + "max_freq").c_str(), nullptr, 10);
  machine.cpuset = AffinityCpuList();
}

std::vector<std::string> StaleReasons(const Machine& measured, const Machine& now) {
  std::vector<std::string> reasons;
  const auto compare = [&reasons](const char* what, const std::string& then,
                                  const std::string& today) {
    if (then != today) reasons.push_back(fmt::format("other {}: {}, now {}", what, then, today));
  };
  const auto cpu = [](const Machine& m) {
    return fmt::format("{} {} (family {} model {} stepping {})", m.cpu_vendor, m.cpu_model,
                       m.cpu_family, m.cpu_model_number, m.cpu_stepping);
  };
  compare("CPU", cpu(measured), cpu(now));
  compare("cpuset", measured.cpuset, now.cpuset);
  compare("microcode", measured.microcode, now.microcode);
  compare("Linux kernel", measured.kernel, now.kernel);
  compare("firmware", measured.firmware, now.firmware);
  // Files of before do not have these.
  if (!measured.governor.empty()) compare("CPU governor", measured.governor, now.governor);
  if (measured.max_khz > 0 && measured.max_khz != now.max_khz) {
    compare("highest clock", fmt::format("{} kHz", measured.max_khz),
            fmt::format("{} kHz", now.max_khz));
  }
  if (Gibibytes(measured.memory_bytes) != Gibibytes(now.memory_bytes)) {
    compare("memory", fmt::format("{} GiB", Gibibytes(measured.memory_bytes)),
            fmt::format("{} GiB", Gibibytes(now.memory_bytes)));
  }
  return reasons;
}

}  // namespace roofmark
