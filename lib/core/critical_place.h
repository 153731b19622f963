// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_CRITICAL_PLACE_H_
#define ROOFMARK_LIB_CORE_CRITICAL_PLACE_H_

#include <cstdint>
#include <string>

namespace roofmark {

// The source line at which the critical path spends most of its cycles: those by which nothing that
// depends on something else can be faster, the time in which instructions merely enter apart.
struct CriticalPlace {
  std::string file;  // empty: none is known
  uint32_t line = 0;
  uint64_t cycles = 0;
  uint64_t of_cycles = 0;  // of the whole critical path, in the windows that were looked at

  double Share() const {
    if (cycles >= of_cycles) return 1;
    return static_cast<double>(cycles) / static_cast<double>(of_cycles);
  }
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_CRITICAL_PLACE_H_
