// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_MARKERS_ADAPTERS_CONSTRUCT_NAME_H_
#define ROOFMARK_MARKERS_ADAPTERS_CONSTRUCT_NAME_H_

#include <cstddef>

#include "markers/constructs/fork_call.h"

namespace roofmark::adapters {

struct Construct {
  const void* code;  // where the call of the runtime returns to
  ForkCall fork;
  const char* word;  // what it is: "parallel"
};

inline constexpr size_t kConstructName = 1024;

// `solver.c:214 parallel in sweep()`, or what is known of it. Returns `name`. Loads the plug-in
// that reads debug information when it is called first; one caller at a time.
const char* NameConstruct(const Construct& construct, char (&name)[kConstructName]) noexcept;

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_CONSTRUCT_NAME_H_
