// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_STACK_BOUNDS_H_
#define ROOFMARK_LIB_CORE_STACK_BOUNDS_H_

#include <cstdint>

namespace roofmark {

// The stack that a thread was started with. Handlers and coroutines may have others.
struct StackBounds {
  uintptr_t low = 0, high = 0;
  bool Has(uintptr_t address) const { return address >= low && address < high; }
};

// Of the calling thread; empty if unknown. Some microseconds at a thread's first call.
const StackBounds& StackBoundsOfThisThread() noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_STACK_BOUNDS_H_
