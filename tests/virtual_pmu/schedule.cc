// SPDX-License-Identifier: BSD-3-Clause
#include "schedule.h"

#include <algorithm>

#include "page.h"

namespace vpmu {
namespace {

constexpr uint64_t kSliceNs = 1000000;

// Counters that are still free while a context is being scheduled.
struct Free {
  int general;
  uint64_t fixed;  // bit per entry of Pmu::fixed
};

bool Runs(const Event& event) {
  const Event& leader = State().events[event.leader];
  return event.enabled && leader.enabled && !leader.failed;
}

bool Take(const Pmu& pmu, const Event& event, Free& free) {
  for (size_t i = 0; i < pmu.fixed.size(); ++i) {
    if (pmu.fixed[i] == event.config && (free.fixed >> i & 1) != 0) {
      free.fixed &= ~(uint64_t{1} << i);
      return true;
    }
  }
  return --free.general >= 0;
}

// All events of the group or none.
bool TakeGroup(const Pmu& pmu, uint32_t leader, Free& free) {
  Free left = free;
  bool fits = true;
  ForEachOfGroup(leader, [&](uint32_t, const Event& event) {
    if (Runs(event)) fits = Take(pmu, event, left) && fits;
  });
  if (fits) free = left;
  return fits;
}

void SetGroup(uint32_t leader, bool on) {
  ForEachOfGroup(leader, [&](uint32_t, Event& event) { event.on = on && Runs(event); });
}

void SchedulePinned(const Pmu& pmu, const Context& context, Free& free) {
  Shared& state = State();
  for (uint32_t i = context.first; i != 0; i = state.events[i].next) {
    Event& leader = state.events[i];
    if (leader.leader != i || !leader.pinned || !Runs(leader)) continue;
    const bool fits = TakeGroup(pmu, i, free);
    SetGroup(i, fits);
    if (!fits) leader.failed = true;
  }
}

// Calls use(leader) for each group that takes turns. No memory of its own: threads with small
// stacks come here.
template <typename Use>
void ForEachFlexibleGroup(const Context& context, Use use) {
  Shared& state = State();
  for (uint32_t i = context.first; i != 0; i = state.events[i].next) {
    const Event& event = state.events[i];
    if (event.leader == i && !event.pinned && Runs(event)) use(i);
  }
}

// In turn from the context's rotation on; the first group that finds no room ends it, as in the
// kernel. Returns false if one did not.
bool ScheduleFlexible(const Pmu& pmu, const Context& context, Free& free) {
  uint32_t count = 0;
  ForEachFlexibleGroup(context, [&](uint32_t) { ++count; });
  const uint32_t first = count == 0 ? 0 : context.rotation % count;
  bool fits = true;
  for (const bool before_the_first : {false, true}) {
    uint32_t number = 0;
    ForEachFlexibleGroup(context, [&](uint32_t leader) {
      if ((number++ < first) != before_the_first) return;
      fits = fits && TakeGroup(pmu, leader, free);
      SetGroup(leader, fits);
    });
  }
  return fits;
}

void AddTime(Context& context, uint64_t ns) {
  Shared& state = State();
  for (uint32_t i = context.first; i != 0; i = state.events[i].next) {
    Event& event = state.events[i];
    if (Runs(event)) event.enabled_ns += ns;
    if (event.on) event.running_ns += ns;
  }
}

}  // namespace

bool IsFixed(const Pmu& pmu, uint64_t config) {
  return std::find(pmu.fixed.begin(), pmu.fixed.end(), config) != pmu.fixed.end();
}

void Schedule(Context& context) {
  Shared& state = State();
  const Pmu& pmu = Current()->pmus[context.pmu];
  Free free{pmu.counters - state.reserved[context.pmu], ~uint64_t{0}};
  for (uint32_t i = context.first; i != 0; i = state.events[i].next) state.events[i].on = false;
  SchedulePinned(pmu, context, free);
  context.multiplexed = !ScheduleFlexible(pmu, context, free);
  for (uint32_t i = context.first; i != 0; i = state.events[i].next) UpdatePage(i);
}

void Sync(Context& context) {
  const uint64_t now = Now();
  if (now <= context.synced_ns) return;
  while (context.multiplexed && now / kSliceNs > context.synced_ns / kSliceNs) {
    const uint64_t boundary = (context.synced_ns / kSliceNs + 1) * kSliceNs;
    AddTime(context, boundary - context.synced_ns);
    context.synced_ns = boundary;
    ++context.rotation;
    Schedule(context);
  }
  AddTime(context, now - context.synced_ns);
  context.synced_ns = now;
}

void SyncAll() {
  Shared& state = State();
  for (uint32_t i = 1; i < state.contexts_end; ++i) {
    Context& context = state.contexts[i];
    if (!context.used) continue;
    Sync(context);
    for (uint32_t e = context.first; e != 0; e = state.events[e].next) UpdatePage(e);
  }
}

}  // namespace vpmu
