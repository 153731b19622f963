// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_SOURCE_FRAME_H_
#define ROOFMARK_LIB_CORE_SOURCE_FRAME_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace roofmark {

// A function that code was written in, and the place in it: of the code itself, or of the call by
// which the function of the frame before was inlined there.
struct SourceFrame {
  std::string function;  // demangled
  std::string file;      // empty: not known
  uint32_t line = 0;     // 0: not known

  bool operator==(const SourceFrame&) const = default;
  bool operator<(const SourceFrame& other) const {
    return std::tie(function, file, line) < std::tie(other.function, other.file, other.line);
  }
};

// Innermost first. Empty: nothing is known.
using SourceChain = std::vector<SourceFrame>;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_SOURCE_FRAME_H_
