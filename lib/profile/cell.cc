// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/cell.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace roofmark {

double Cell::StdDev() const { return ranks == 0 ? 0.0 : std::sqrt(std::max(m2, 0.0) / ranks); }

void CombineCells(const void* in, void* in_out, size_t count) {
  const char* from = static_cast<const char*>(in);
  char* to = static_cast<char*>(in_out);
  for (size_t i = 0; i < count; ++i, from += sizeof(Cell), to += sizeof(Cell)) {
    Cell a, b;
    std::memcpy(static_cast<void*>(&a), from, sizeof a);
    std::memcpy(static_cast<void*>(&b), to, sizeof b);
    b = Combine(a, b);
    std::memcpy(to, &b, sizeof b);
  }
}

}  // namespace roofmark
