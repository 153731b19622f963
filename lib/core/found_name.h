// SPDX-License-Identifier: BSD-3-Clause
//
// What regions of loops and functions that were found are called.
#ifndef ROOFMARK_LIB_CORE_FOUND_NAME_H_
#define ROOFMARK_LIB_CORE_FOUND_NAME_H_

#include <optional>
#include <string_view>

namespace roofmark {

// "solver.c:214 in sweep()" is a loop's name; what follows the function tells it from others.
struct LoopName {
  static constexpr std::string_view kIn = " in ";

  std::string_view place;     // "solver.c:214"
  std::string_view function;  // "sweep()", and what follows

  // Nothing: it is a function's name.
  static std::optional<LoopName> Of(std::string_view name) {
    const size_t in = name.find(kIn);
    if (in == std::string_view::npos) return std::nullopt;
    return LoopName{name.substr(0, in), name.substr(in + kIn.size())};
  }
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_FOUND_NAME_H_
