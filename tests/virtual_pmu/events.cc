// SPDX-License-Identifier: BSD-3-Clause
#include "events.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "page.h"
#include "schedule.h"

namespace vpmu {
namespace {

constexpr size_t kMostGroup = 128;
constexpr uint64_t kUnitMask = 0xff00;

// The largest answer: a header of three words, three words for each event.
struct Words {
  uint64_t data[3 + 3 * kMostGroup];
  size_t count = 0;
  void Add(uint64_t word) {
    if (count < std::size(data)) data[count++] = word;
  }
};

uint64_t TrueValue(const Event& event) {
  const uint64_t value = event.start + event.count + event.inherited;
  return event.start != 0 ? value & kMask48 : value - event.lost;
}

uint64_t ReportedValue(Event& event, ReadFault fault) {
  if (fault == ReadFault::kWrap) event.lost = event.count + event.inherited;
  const uint64_t value = TrueValue(event);
  if (fault == ReadFault::kStale) return event.reported;
  if (fault == ReadFault::kBackwards) return event.reported - event.reported / 4;
  event.reported = value;
  return value;
}

void AddEvent(Words& words, Event& event, uint64_t format, ReadFault fault) {
  words.Add(ReportedValue(event, fault));
  if ((format & PERF_FORMAT_ID) != 0) words.Add(event.id);
  if ((format & PERF_FORMAT_LOST) != 0) words.Add(0);
}

void AddTimes(Words& words, const Event& event) {
  if ((event.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0) words.Add(event.enabled_ns);
  if ((event.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0) words.Add(event.running_ns);
}

// Reading any event of a group with the group format gives all of the group, leader first. Where
// the state's lock serialises it, not on the stack of the caller, which may be small.
const Words& Compose(Event& event, ReadFault fault) {
  static Words words;
  words.count = 0;
  if ((event.read_format & PERF_FORMAT_GROUP) == 0) {
    words.Add(ReportedValue(event, fault));
    AddTimes(words, event);
    if ((event.read_format & PERF_FORMAT_ID) != 0) words.Add(event.id);
    if ((event.read_format & PERF_FORMAT_LOST) != 0) words.Add(0);
    return words;
  }
  words.Add(0);
  AddTimes(words, State().events[event.leader]);
  ForEachOfGroup(event.leader, [&](uint32_t, Event& member) {
    AddEvent(words, member, event.read_format, fault);
    ++words.data[0];
  });
  return words;
}

void SetEnabled(Event& event, bool enabled) {
  event.enabled = enabled;
  if (enabled) event.failed = false;
}

template <typename Use>
void ForEachAddressed(uint32_t number, bool group, Use use) {
  Event& event = State().events[number];
  if (!group) return use(event);
  ForEachOfGroup(event.leader, [&](uint32_t, Event& member) { use(member); });
}

// Same event, and no bit in the retired one's unit mask that this one does not count.
bool Counts(uint64_t config, uint64_t retired) {
  if (config == retired) return true;
  const uint64_t unit = retired & kUnitMask;
  return unit != 0 && ((config ^ retired) & ~kUnitMask) == 0 && (config & unit) == unit;
}

void Add(Event& event, uint64_t config, uint64_t n, bool inherited) {
  if (!event.on || !Counts(event.config, config)) return;
  (inherited ? event.inherited : event.count) += n;
  if (!inherited) event.hardware += n;
}

bool Excludes(const Event& event, Mode mode) {
  return mode == Mode::kUser ? event.exclude_user : event.exclude_kernel;
}

const Thread* FindThread(pid_t tid) {
  const Shared& state = State();
  for (uint32_t i = 0; i < state.threads_end; ++i) {
    if (state.threads[i].tid == tid) return &state.threads[i];
  }
  return nullptr;
}

// Was the thread created, by however many steps, by the event's after the event?
bool Inherits(const Event& event, pid_t tid) {
  for (const Thread* thread = FindThread(tid); thread != nullptr;
       thread = FindThread(thread->parent)) {
    if (thread->sequence < event.sequence) return false;
    if (thread->parent == event.tid) return true;
  }
  return false;
}

template <typename Use>
void ForEachEvent(Use use) {
  Shared& state = State();
  for (uint32_t c = 1; c < state.contexts_end; ++c) {
    Context& context = state.contexts[c];
    if (!context.used || context.first == 0) continue;
    Sync(context);
    for (uint32_t i = context.first; i != 0; i = state.events[i].next) {
      use(context, state.events[i]);
    }
  }
}

}  // namespace

ssize_t ReadEvent(uint32_t number, void* buffer, size_t size, ReadFault fault) {
  const Locked lock;
  Event& event = State().events[number];
  if (!event.used) return -EBADF;
  Sync(State().contexts[event.context]);
  if (event.failed) return 0;
  const Words& words = Compose(event, fault);
  const size_t bytes = words.count * sizeof(uint64_t);
  if (size < bytes) return -ENOSPC;
  memcpy(buffer, words.data, bytes);
  return static_cast<ssize_t>(bytes);
}

int ControlEvent(uint32_t number, unsigned long request, unsigned long argument) {
  const Locked lock;
  Event& event = State().events[number];
  if (!event.used) return -EBADF;
  Context& context = State().contexts[event.context];
  const bool group = (argument & PERF_IOC_FLAG_GROUP) != 0;
  Sync(context);
  switch (request) {
    case PERF_EVENT_IOC_ENABLE:
    case PERF_EVENT_IOC_DISABLE:
      ForEachAddressed(number, group,
                       [&](Event& e) { SetEnabled(e, request == PERF_EVENT_IOC_ENABLE); });
      break;
    case PERF_EVENT_IOC_RESET:
      ForEachAddressed(number, group, [](Event& e) { e.count = e.start = e.lost = 0; });
      break;
    case PERF_EVENT_IOC_ID:
      if (argument == 0) return -EFAULT;
      memcpy(reinterpret_cast<void*>(argument), &event.id, sizeof(event.id));
      return 0;
    case PERF_EVENT_IOC_REFRESH:
    case PERF_EVENT_IOC_PERIOD:
    case PERF_EVENT_IOC_SET_FILTER:
    case PERF_EVENT_IOC_SET_OUTPUT:
    case PERF_EVENT_IOC_PAUSE_OUTPUT:
      return -EINVAL;  // of no use without samples
    default:
      return -ENOTTY;
  }
  Schedule(context);
  return 0;
}

int PrepareMapping(uint32_t number, size_t length, off_t offset) {
  const Locked lock;
  Event& event = State().events[number];
  const size_t pages = length / 4096;
  if (!event.used) return -EBADF;
  if (offset != 0 || length % 4096 != 0 || pages == 0) return -EINVAL;
  if (pages > 1 && ((pages - 1) & (pages - 2)) != 0) return -EINVAL;
  if (event.inherit && event.cpu == -1) return -EINVAL;  // as kernels do
  event.mapped = true;
  Sync(State().contexts[event.context]);
  UpdatePage(number);
  return 0;
}

void RetireOnThread(pid_t tid, uint64_t config, uint64_t n, Mode mode) {
  const Locked lock;
  ForEachEvent([&](const Context& context, Event& event) {
    if (context.tid == -1 || Excludes(event, mode)) return;
    if (event.tid == tid) return Add(event, config, n, false);
    if (event.inherit && Inherits(event, tid)) Add(event, config, n, true);
  });
}

void RetireOnCpu(int cpu, uint64_t config, uint64_t n) {
  const Locked lock;
  ForEachEvent([&](const Context& context, Event& event) {
    const bool core = Current()->pmus[context.pmu].core;
    if (core && context.tid == -1 && context.place == cpu && !event.exclude_user) {
      Add(event, config, n, false);
    }
  });
}

int RetireOnDevice(int package, const std::string& device, uint64_t config, uint64_t n) {
  const int pmu = PmuNumber(*Current(), device);
  if (pmu < 0) return -1;
  const auto& cpus = Current()->pmus[pmu].cpus;
  if (std::none_of(cpus.begin(), cpus.end(),
                   [&](int cpu) { return Current()->package[cpu] == package; })) {
    return -1;
  }
  const Locked lock;
  ForEachEvent([&](const Context& context, Event& event) {
    if (context.pmu == pmu && context.place == package) Add(event, config, n, false);
  });
  return 0;
}

uint64_t CreationSequence() {
  const Locked lock;
  return ++State().sequence;
}

void RegisterThread(pid_t tid, pid_t parent, uint64_t sequence) {
  const Locked lock;
  Shared& state = State();
  Thread* slot = const_cast<Thread*>(FindThread(tid));  // a number may be used again
  if (slot == nullptr && state.threads_end == kMostThreads) state.threads_end = 0;
  if (slot == nullptr) slot = &state.threads[state.threads_end++];
  *slot = {tid, parent, sequence};
}

}  // namespace vpmu
