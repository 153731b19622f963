// SPDX-License-Identifier: BSD-3-Clause
//
// The ends of events.
#include "events.h"
#include "schedule.h"

namespace vpmu {
namespace {

void Unlink(Context& context, uint32_t number) {
  Shared& state = State();
  uint32_t* link = &context.first;
  while (*link != 0 && *link != number) link = &state.events[*link].next;
  if (*link == number) *link = state.events[number].next;
}

}  // namespace

void Remove(uint32_t number) {
  Shared& state = State();
  Context& context = state.contexts[state.events[number].context];
  Sync(context);
  Unlink(context, number);
  ForEachOfGroup(number, [](uint32_t member, Event& event) { event.leader = member; });
  state.events[number].used = false;
  if (context.first == 0) {
    context.used = false;
  } else {
    Schedule(context);
  }
}

void Release(uint32_t number) {
  const Locked lock;
  if (State().events[number].used && !IsHeld(number)) Remove(number);
}

uint64_t CountEvents() {
  const Locked lock;
  Shared& state = State();
  uint64_t alive = 0;
  for (uint32_t i = 1; i < state.events_end; ++i) {
    if (!state.events[i].used) continue;
    if (IsHeld(i)) {
      ++alive;
    } else {
      Remove(i);
    }
  }
  return alive;
}

}  // namespace vpmu
