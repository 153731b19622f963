// SPDX-License-Identifier: BSD-3-Clause
#include "redirect.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>

#include "machine.h"
#include "privilege.h"
#include "real.h"
#include "state.h"

namespace vpmu {
namespace {

// With a slash at the end: the folder and all below it.
const char* const kTrees[] = {"/sys/bus/event_source/", "/sys/devices/system/cpu/",
                              "/sys/devices/system/node/", "/sys/devices/cpu/"};
const char* const kStarts[] = {"/sys/devices/uncore_", "/sys/devices/amd_"};
const char* const kFiles[] = {"/proc/cpuinfo", "/proc/sys/kernel/perf_event_paranoid",
                              "/proc/sys/kernel/nmi_watchdog"};

bool IsOurs(const char* path) {
  for (const char* tree : kTrees) {
    const size_t length = strlen(tree);
    if (strncmp(path, tree, length) == 0) return true;
    if (strncmp(path, tree, length - 1) == 0 && path[length - 1] == '\0') return true;
  }
  for (const char* start : kStarts) {
    if (strncmp(path, start, strlen(start)) == 0) return true;
  }
  for (const char* file : kFiles) {
    if (strcmp(path, file) == 0) return true;
  }
  return false;
}

bool AnyOffline() {
  const auto& offline = State().offline;
  return std::find(std::begin(offline), std::end(offline), true) != std::end(offline);
}

std::string OnlineCpus() {
  std::string list;
  const int cpus = static_cast<int>(Current()->package.size());
  for (int cpu = 0; cpu < cpus; ++cpu) {
    if (State().offline[cpu]) continue;
    list += (list.empty() ? "" : ",") + std::to_string(cpu);
  }
  return list;
}

}  // namespace

Redirected::Redirected(const char* path) : path_(path) {
  const Machine* machine = path == nullptr ? nullptr : Current();
  if (machine == nullptr || path[0] != '/' || !IsOurs(path)) return;
  in_machine_ = machine->root + path;
  path_ = in_machine_.c_str();
}

int OpenLive(const char* path) {
  if (path == nullptr || Current() == nullptr) return -1;
  std::string content;
  if (strcmp(path, "/proc/sys/kernel/perf_event_paranoid") == 0) {
    content = std::to_string(Paranoid()) + "\n";
  } else if (strcmp(path, "/sys/devices/system/cpu/online") == 0 && AnyOffline()) {
    content = OnlineCpus() + "\n";
  } else {
    return -1;
  }
  const int fd = memfd_create("virtual_pmu_file", MFD_CLOEXEC);
  if (fd < 0 || REAL(write)(fd, content.data(), content.size()) < 0) return fd;
  REAL(lseek)(fd, 0, SEEK_SET);
  return fd;
}

}  // namespace vpmu
