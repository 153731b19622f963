// SPDX-License-Identifier: BSD-3-Clause
//
// The functions that the virtual PMU stands in front of.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_REAL_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_REAL_H_

#include <dlfcn.h>

// Looked up once per place. Thread-safe, and without the guard of a static's initialisation, which
// ThreadSanitizer watches: its runtime calls us before it is ready.
#define REAL(name)                                                          \
  ([] {                                                                     \
    static decltype(&::name) found_ = nullptr;                              \
    auto real_ = __atomic_load_n(&found_, __ATOMIC_RELAXED);                \
    if (real_ == nullptr) {                                                 \
      real_ = reinterpret_cast<decltype(&::name)>(dlsym(RTLD_NEXT, #name)); \
      __atomic_store_n(&found_, real_, __ATOMIC_RELAXED);                   \
    }                                                                       \
    return real_;                                                           \
  }())

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_REAL_H_
