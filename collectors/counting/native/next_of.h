// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_NEXT_OF_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_NEXT_OF_H_

#include <dlfcn.h>

#include <atomic>

namespace roofmark::counting {

// The function that one of ours stands in for; `known` keeps it. Handlers may call these functions:
// nothing is locked once the next one is known.
template <typename Function>
Function NextOf(const char* name, std::atomic<Function>& known) noexcept {
  Function next = known.load(std::memory_order_relaxed);
  if (next == nullptr) {
    next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    known.store(next, std::memory_order_relaxed);
  }
  return next;
}

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_NATIVE_NEXT_OF_H_
