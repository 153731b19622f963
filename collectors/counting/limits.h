// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COLLECTORS_COUNTING_LIMITS_H_
#define ROOFMARK_COLLECTORS_COUNTING_LIMITS_H_

#include <sys/resource.h>

#include <span>
#include <string>

namespace roofmark::counting {

// What an engine needs for itself of that which the process may have (setrlimit(2)).
struct Need {
  __rlimit_resource resource;
  rlim_t least;
  const char* what;
};

// An engine's own memory lies in the process, and what it takes the program lacks.
inline constexpr Need kNeededMemory[] = {
    {RLIMIT_AS, rlim_t{512} << 20, "addresses (ulimit -v)"},
    {RLIMIT_DATA, rlim_t{512} << 20, "data (ulimit -d)"},
};

// The first of `needs` that the limits of this process do not leave; empty if there is none.
std::string WhyTooLittle(std::span<const Need> needs);

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_LIMITS_H_
