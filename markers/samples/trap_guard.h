// SPDX-License-Identifier: BSD-3-Clause
//
// Once in a while, on some virtual machines, the kernel does not recognise a breakpoint of
// perf_event as such: what the processor tells of it is lost between host and guest. It then takes
// it for one of the program's own and sends SIGTRAP, which ends a program that expects none. While
// places are guarded, such a signal is ignored: the instruction is executed again, and counted.
#ifndef ROOFMARK_MARKERS_SAMPLES_TRAP_GUARD_H_
#define ROOFMARK_MARKERS_SAMPLES_TRAP_GUARD_H_

#include <cstddef>
#include <cstdint>

namespace roofmark::samples {

// Of as many places as processors have breakpoints, and one that is tried.
inline constexpr size_t kMostGuarded = 8;

// Guards an address until it is let go. Does nothing where the program handles or ignores SIGTRAP
// itself, and no longer once it does. Threads that block the signal are not guarded: for them the
// kernel does not ask. Any other SIGTRAP ends the program, as it would without a guard.
void GuardPlace(uint64_t address) noexcept;
// After the last one SIGTRAP is as before, unless the program has changed it.
void LetGoOfPlace(uint64_t address) noexcept;

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_TRAP_GUARD_H_
