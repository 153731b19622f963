// SPDX-License-Identifier: BSD-3-Clause
//
// The page that a program maps to read its own counter without a system call. All functions need
// the state's lock.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_PAGE_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_PAGE_H_

#include <cstdint>

namespace vpmu {

// The clock's parameters come from the real kernel's page of an event that counts nothing.
void LearnClock();

// Writes index, offset and times under the page's sequence lock, if the event was ever mapped.
void UpdatePage(uint32_t event);

// What the instruction gives for an index (already less one) on thread `tid`.
uint64_t ReadHardwareCounter(uint32_t index, int tid);

// An index that no silicon has, so that the instruction always traps.
inline constexpr uint32_t kFirstIndex = 0x1000;

}  // namespace vpmu

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_PAGE_H_
