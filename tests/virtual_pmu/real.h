// SPDX-License-Identifier: BSD-3-Clause
//
// The functions that the virtual PMU stands in front of.
#ifndef ROOFMARK_TESTS_VIRTUAL_PMU_REAL_H_
#define ROOFMARK_TESTS_VIRTUAL_PMU_REAL_H_

#include <dlfcn.h>

// Looked up once per place. Thread-safe.
#define REAL(name)                                                                         \
  ([] {                                                                                    \
    static const auto real = reinterpret_cast<decltype(&::name)>(dlsym(RTLD_NEXT, #name)); \
    return real;                                                                           \
  }())

#endif  // ROOFMARK_TESTS_VIRTUAL_PMU_REAL_H_
