// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_ASSEMBLY_ARITHMETIC_H_
#define ROOFMARK_LIB_ASSEMBLY_ARITHMETIC_H_

#include <cstdint>
#include <string_view>

namespace roofmark::assembly {

// What a mnemonic says of floating-point arithmetic. `flops` is of each lane; 0: it is none.
struct Arithmetic {
  uint32_t flops = 0;
  bool packed = false;
  uint32_t element_bits = 0;
};

// "vfmadd231pd" is packed, two FLOPs, 64 bits. Compares, conversions, minima and moves are none.
Arithmetic ArithmeticOf(std::string_view mnemonic);

}  // namespace roofmark::assembly

#endif  // ROOFMARK_LIB_ASSEMBLY_ARITHMETIC_H_
