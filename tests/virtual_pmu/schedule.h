// SPDX-License-Identifier: BSD-3-Clause
//
// Who has a counter, and for how long: the kernel's scheduling of groups on one context. All
// functions need the state's lock.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_SCHEDULE_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_SCHEDULE_H_

#include <cstdint>

#include "machine.h"
#include "state.h"

namespace vpmu {

// Brings the context's times up to Now(), rotating groups on the way. Cost: the context's events.
void Sync(Context& context);
void SyncAll();

// After anything was enabled, disabled, added or removed: chooses anew who counts. Sync() first.
void Schedule(Context& context);

// Calls use(number, event) for each event of the group, leader first.
template <typename Use>
void ForEachOfGroup(uint32_t leader, Use use) {
  Shared& state = State();
  for (uint32_t i = state.contexts[state.events[leader].context].first; i != 0;
       i = state.events[i].next) {
    if (state.events[i].leader == leader) use(i, state.events[i]);
  }
}

// True if `config` has a counter of its own on the PMU.
bool IsFixed(const Pmu& pmu, uint64_t config);

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_SCHEDULE_H_
