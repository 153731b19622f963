// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/roots.h"

namespace roofmark::loops {

uint32_t RootOf(const std::vector<binary::Function>& functions, uint32_t function) {
  // A cold part of the body of a construct in a clone has three levels above it. The limit ends
  // circles, which damaged input could have.
  for (int level = 0; level < 16; ++level) {
    const auto& parent = functions[function].parent;
    if (!parent || *parent >= functions.size()) break;
    function = *parent;
  }
  return function;
}

std::optional<uint32_t> RootAt(const std::vector<binary::Function>& functions, uint64_t offset) {
  const binary::Function* function = binary::FindFunction(functions, offset);
  if (function == nullptr) return std::nullopt;
  return RootOf(functions, static_cast<uint32_t>(function - functions.data()));
}

}  // namespace roofmark::loops
