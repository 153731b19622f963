// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_SOURCE_FRAME_H_
#define ROOFMARK_LIB_CORE_SOURCE_FRAME_H_

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace roofmark {

// A function that code was written in, and the place in it: of the code itself, or of the call by
// which the function of the frame before was inlined there.
struct SourceFrame {
  std::string function;  // demangled
  std::string file;      // empty: not known
  uint32_t line = 0;     // 0: not known

  auto operator<=>(const SourceFrame&) const = default;
};

// Innermost first. Empty: nothing is known.
using SourceChain = std::vector<SourceFrame>;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_SOURCE_FRAME_H_
