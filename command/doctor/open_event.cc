// SPDX-License-Identifier: BSD-3-Clause
#include "command/doctor/open_event.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "collectors/hardware/events/attributes.h"
#include "collectors/hardware/perf/page.h"
#include "lib/core/clock.h"

namespace roofmark::cli {
namespace {

// Others' events may have the counters for a time slice of up to 4 ms each.
constexpr uint64_t kOpenPatienceNs = 20'000'000;

struct Modes {
  bool kernel, hypervisor;
};

int Open(perf_event_attr attr, pid_t pid, int cpu, int leader, Modes modes) {
  attr.size = sizeof attr;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  // A leader that ran before its group is complete would prove nothing about the group.
  attr.disabled = leader < 0;
  attr.exclude_kernel = !modes.kernel;
  attr.exclude_hv = !modes.hypervisor;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attr, pid, cpu, leader, PERF_FLAG_FD_CLOEXEC));
}

class Descriptors {
 public:
  ~Descriptors() {
    while (!fds_.empty()) {
      close(fds_.back());
      fds_.pop_back();
    }
  }
  // False: errno says why.
  bool Add(const perf_event_attr& attr, pid_t pid, int cpu, Modes modes) {
    const int fd = Open(attr, pid, cpu, fds_.empty() ? -1 : fds_[0], modes);
    if (fd >= 0) fds_.push_back(fd);
    return fd >= 0;
  }
  int leader() const { return fds_[0]; }

 private:
  std::vector<int> fds_;
};

bool Runs(int fd) {
  struct {
    uint64_t value, enabled_ns, running_ns;
  } now = {};
  const uint64_t start = NowNs();
  do {
    if (read(fd, &now, sizeof now) != sizeof now) return false;
    // No time has passed: nothing is known against it.
    if (now.running_ns > 0 || now.enabled_ns == 0) return true;
  } while (NowNs() - start < kOpenPatienceNs);
  return false;
}

Opened Try(const std::vector<perf_event_attr>& group, pid_t pid, int cpu, Modes modes) {
  Descriptors descriptors;
  for (const perf_event_attr& event : group) {
    if (!descriptors.Add(event, pid, cpu, modes)) return {errno, false};
  }
  if (ioctl(descriptors.leader(), PERF_EVENT_IOC_ENABLE, 0) != 0) return {errno, false};
  return {0, Runs(descriptors.leader())};
}

}  // namespace

Opened TryOnThread(const std::vector<perf_event_attr>& group, bool with_kernel) {
  return Try(group, 0, -1, {with_kernel, false});
}

Opened TryOnCpu(const perf_event_attr& event, int cpu) {
  return Try({event}, -1, cpu, {true, true});
}

Opened TryEvent(const events::EncodedEvent& event) {
  if (event.scope == Scope::kThread) return TryOnThread({events::Attributes(event)}, false);
  Opened opened{0, true};
  for (const uint32_t cpu : event.cpus) {
    opened = TryOnCpu(events::Attributes(event), static_cast<int>(cpu));
    if (opened.error != 0) break;
  }
  return opened;
}

int ErrorOfUnknownFlags() {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  const long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, ~0ul);
  if (fd < 0) return errno;
  close(static_cast<int>(fd));
  return 0;
}

bool CanReadInUserMode(const perf_event_attr& event) {
  const int fd = Open(event, 0, -1, -1, {false, false});
  if (fd < 0) return false;
  const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* page = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  bool can = false;
  if (page != MAP_FAILED) {
    can = perf::CanReadInUserSpace(*static_cast<const perf_event_mmap_page*>(page));
    munmap(page, size);
  }
  close(fd);
  return can;
}

Capacity CountersFor(const perf_event_attr& event) {
  constexpr size_t kMost = 16;
  Capacity capacity;
  for (size_t count = 1; count <= kMost; ++count) {
    const Opened opened = TryOnThread(std::vector(count, event), false);
    if (opened.error != 0) break;
    capacity.opens = count;
    if (opened.runs) capacity.runs = count;
  }
  return capacity;
}

}  // namespace roofmark::cli
