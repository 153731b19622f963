// SPDX-License-Identifier: BSD-3-Clause
//
// Formats of numbers in which arithmetic is measured.
#ifndef ROOFMARK_LIB_MODEL_ARITHMETIC_H_
#define ROOFMARK_LIB_MODEL_ARITHMETIC_H_

#include <cstdint>
#include <string_view>

#include "lib/core/table.h"

namespace roofmark {

enum class Arithmetic : uint8_t { kDouble, kSingle, kHalf, kBfloat16 };

struct ArithmeticInfo {
  Arithmetic id;
  std::string_view name;   // as in ceilings' ids
  std::string_view title;  // for people
};
inline constexpr ArithmeticInfo kArithmetics[] = {{Arithmetic::kDouble, "dp", "double"},
                                                  {Arithmetic::kSingle, "sp", "single"},
                                                  {Arithmetic::kHalf, "hp", "half"},
                                                  {Arithmetic::kBfloat16, "bf16", "bfloat16"}};
static_assert(InOrder(kArithmetics, Arithmetic::kBfloat16));

constexpr const ArithmeticInfo& InfoOf(Arithmetic arithmetic) {
  return RowOf(kArithmetics, arithmetic);
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ARITHMETIC_H_
