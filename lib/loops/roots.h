// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_LOOPS_ROOTS_H_
#define ROOFMARK_LIB_LOOPS_ROOTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/binary/functions.h"

namespace roofmark::loops {

// The function of the source that a function is a part of, by their indices.
uint32_t RootOf(const std::vector<binary::Function>& functions, uint32_t function);
// Of the code at an offset; nothing: it is in no function.
std::optional<uint32_t> RootAt(const std::vector<binary::Function>& functions, uint64_t offset);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_ROOTS_H_
