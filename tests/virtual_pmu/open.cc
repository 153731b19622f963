// SPDX-License-Identifier: BSD-3-Clause
//
// perf_event_open: what is refused and why, in the order in which the kernel looks.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "descriptors.h"
#include "events.h"
#include "privilege.h"
#include "schedule.h"

namespace vpmu {
namespace {

constexpr uint64_t kKnownFlags =
    PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC;
constexpr uint64_t kKnownFormat = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
                                  PERF_FORMAT_ID | PERF_FORMAT_GROUP | PERF_FORMAT_LOST;

struct Request {
  const perf_event_attr& attr;
  pid_t pid;
  int cpu;
  uint32_t leader;  // 0: none
  const Pmu* pmu;
  int pmu_number;
  uint64_t config;
};

int CheckAttributes(const perf_event_attr& attr, uint64_t flags) {
  if ((flags & ~kKnownFlags) != 0 || (flags & PERF_FLAG_PID_CGROUP) != 0) return -EINVAL;
  if ((attr.read_format & ~kKnownFormat) != 0) return -EINVAL;
  const int paranoid = Paranoid();
  if (IsPrivileged()) return 0;
  // Above 2: distributions' own levels, at which nothing is left to ordinary users.
  if (paranoid > 2 || (paranoid > 1 && attr.exclude_kernel == 0)) return -EACCES;
  return 0;
}

int CheckTarget(const Request& request) {
  if (request.pid < -1 || (request.pid == -1 && request.cpu == -1)) return -EINVAL;
  if (request.pid > 0 && kill(request.pid, 0) != 0 && errno == ESRCH) return -ESRCH;
  const int cpus = static_cast<int>(Current()->package.size());
  if (request.cpu < -1 || request.cpu >= cpus) return -EINVAL;
  return 0;
}

int ResolvePmu(Request& request) {
  const Machine& machine = *Current();
  const perf_event_attr& attr = request.attr;
  request.config = attr.config;
  request.pmu =
      FindPmu(machine, attr.type == PERF_TYPE_HARDWARE ? uint32_t{PERF_TYPE_RAW} : attr.type);
  if (request.pmu == nullptr) return -ENOENT;
  request.pmu_number = static_cast<int>(request.pmu - machine.pmus.data());
  if (attr.type != PERF_TYPE_HARDWARE) return 0;
  const auto generic = request.pmu->generic.find(attr.config);
  if (generic == request.pmu->generic.end()) return -ENOENT;
  request.config = generic->second;
  return 0;
}

int CheckEncoding(Request& request) {
  const Pmu& pmu = *request.pmu;
  request.config &= ~pmu.ignored;
  const uint64_t configs[] = {request.config, request.attr.config1, request.attr.config2};
  for (int i = 0; i < 3; ++i) {
    if ((configs[i] & ~pmu.bits[i]) != 0) return -EINVAL;
  }
  return 0;
}

bool IsInMask(const Pmu& pmu, int package) {
  for (const int cpu : pmu.cpus) {
    if (Current()->package[cpu] == package) return true;
  }
  return false;
}

// Package devices count for everybody: no task, no privilege level, no samples.
int CheckDevice(const Request& request) {
  if (request.pmu->core) return 0;
  const perf_event_attr& attr = request.attr;
  if (attr.sample_period != 0 || request.pid != -1 || request.cpu == -1) return -EINVAL;
  if (attr.exclude_user || attr.exclude_kernel || attr.exclude_hv || attr.exclude_idle ||
      attr.exclude_host || attr.exclude_guest) {
    return -EINVAL;
  }
  if (IsInMask(*request.pmu, Current()->package[request.cpu])) return 0;
  return request.pmu->exact_cpu ? -ENODEV : -EINVAL;
}

int CheckCpu(const Request& request) {
  if (request.cpu == -1) return 0;
  if (request.pid == -1 && Paranoid() > 0 && !IsPrivileged()) return -EACCES;
  return State().offline[request.cpu] ? -ENODEV : 0;
}

int32_t PlaceOf(const Request& request) {
  if (request.cpu == -1) return -1;
  return request.pmu->core ? request.cpu : Current()->package[request.cpu];
}

// A group that no empty PMU could hold is refused, whatever others hold at the moment.
bool GroupCanFit(const Request& request) {
  int general = IsFixed(*request.pmu, request.config) ? 0 : 1;
  ForEachOfGroup(request.leader, [&](uint32_t, const Event& event) {
    if (!IsFixed(*request.pmu, event.config)) ++general;
  });
  return general <= request.pmu->counters;
}

int CheckGroup(const Request& request, pid_t tid) {
  if (request.leader == 0) return 0;
  const Event& leader = State().events[request.leader];
  if (leader.leader != request.leader || request.attr.pinned || request.attr.exclusive) {
    return -EINVAL;
  }
  if (leader.tid != tid || leader.cpu != request.cpu || leader.pmu != request.pmu_number ||
      leader.inherit != (request.attr.inherit != 0)) {
    return -EINVAL;
  }
  return GroupCanFit(request) ? 0 : -EINVAL;
}

uint32_t FindContext(uint16_t pmu, pid_t tid, int32_t place) {
  Shared& state = State();
  uint32_t free = 0;
  for (uint32_t i = 1; i < state.contexts_end; ++i) {
    const Context& context = state.contexts[i];
    if (!context.used && free == 0) free = i;
    if (context.used && context.pmu == pmu && context.tid == tid && context.place == place) {
      return i;
    }
  }
  if (free == 0 && state.contexts_end < kMostContexts) free = state.contexts_end++;
  if (free != 0) state.contexts[free] = {true, false, pmu, tid, place, 0, 0, Now()};
  return free;
}

uint32_t FreeEvent() {
  Shared& state = State();
  for (uint32_t i = 1; i < state.events_end; ++i) {
    // Nobody may still see the number of an event that has ended.
    if (!state.events[i].used && !IsHeld(i)) return i;
  }
  return state.events_end < kMostEvents ? state.events_end++ : 0;
}

// Events whose last holder died without closing them, or was not the one that closed them.
void DropAbandoned(Context& context) {
  Shared& state = State();
  for (uint32_t i = context.first; i != 0;) {
    const uint32_t next = state.events[i].next;
    if (!IsHeld(i)) Remove(i);
    i = next;
  }
}

// For a new event; 0 if there is no room.
uint32_t CleanContext(uint16_t pmu, pid_t tid, int32_t place) {
  const uint32_t context = FindContext(pmu, tid, place);
  if (context != 0) DropAbandoned(State().contexts[context]);
  // That may have been the end of the context.
  return context == 0 || State().contexts[context].used ? context : FindContext(pmu, tid, place);
}

void Fill(const Request& request, pid_t tid, uint32_t context, uint32_t number, bool wraps) {
  Shared& state = State();
  const perf_event_attr& attr = request.attr;
  Event event{};
  event.used = true;
  event.enabled = attr.disabled == 0;
  event.exclude_user = attr.exclude_user;
  event.exclude_kernel = attr.exclude_kernel;
  event.pinned = attr.pinned;
  event.inherit = attr.inherit;
  event.pmu = static_cast<uint16_t>(request.pmu_number);
  event.tid = tid;
  event.cpu = request.cpu;
  event.context = context;
  event.leader = request.leader != 0 ? request.leader : number;
  event.id = ++state.ids;
  event.config = request.config;
  event.read_format = attr.read_format;
  event.sequence = ++state.sequence;
  event.start = wraps ? kMask48 + 1 - kWrapAfter : 0;
  state.events[number] = event;
}

void Append(Context& context, uint32_t number) {
  uint32_t* link = &context.first;
  while (*link != 0) link = &State().events[*link].next;
  *link = number;
}

int Create(const Request& request, pid_t tid, uint64_t flags, bool wraps) {
  Shared& state = State();
  const uint32_t context =
      CleanContext(static_cast<uint16_t>(request.pmu_number), tid, PlaceOf(request));
  const uint32_t number = context == 0 ? 0 : FreeEvent();
  const int fd = number == 0 ? -1 : NewDescriptor(number, (flags & PERF_FLAG_FD_CLOEXEC) != 0);
  if (fd < 0) {
    const int error = number == 0 ? ENOMEM : errno;
    if (context != 0) state.contexts[context].used = state.contexts[context].first != 0;
    return -error;
  }
  Sync(state.contexts[context]);
  Fill(request, tid, context, number, wraps);
  Append(state.contexts[context], number);
  Schedule(state.contexts[context]);
  Remember(fd, number);
  return fd;
}

}  // namespace

int OpenEvent(const perf_event_attr& attr, pid_t pid, int cpu, int group_fd, uint64_t flags,
              bool wraps) {
  Request request{attr, pid, cpu, 0, nullptr, 0, 0};
  if (const int error = CheckAttributes(attr, flags); error != 0) return error;
  if (group_fd != -1) {
    const Descriptor leader = Lookup(group_fd);
    if (leader.kind == Descriptor::kOther) return -EBADF;
    if (leader.kind == Descriptor::kReal) return -EINVAL;
    request.leader = leader.event;
  }
  const Locked lock;
  const pid_t tid = pid == 0 ? gettid() : pid;
  int error = CheckTarget(request);
  if (error == 0) error = ResolvePmu(request);
  if (error == 0) error = CheckEncoding(request);
  if (error == 0) error = CheckDevice(request);
  if (error == 0) error = CheckCpu(request);
  if (error == 0) error = CheckGroup(request, tid);
  return error != 0 ? error : Create(request, tid, flags, wraps);
}

}  // namespace vpmu
