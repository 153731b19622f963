// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/frequency.h"

#include <algorithm>
#include <cstdint>

#include "lib/core/clock.h"

namespace roofmark {
namespace {

constexpr uint64_t kBlock = 16;

// Keeps the compiler from knowing or folding `value`; costs nothing.
inline void Opaque(uint64_t& value) { asm volatile("" : "+r"(value)); }

// `blocks` x kBlock dependent additions.
__attribute__((noinline)) uint64_t Chain(uint64_t blocks, uint64_t step) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < blocks; ++i) {
#pragma GCC unroll 16
    for (uint64_t k = 0; k < kBlock; ++k) {
      Opaque(step);
      sum += step;
      Opaque(sum);
    }
  }
  return sum;
}

uint64_t TimeNs(uint64_t blocks) {
  uint64_t step = 3;
  Opaque(step);
  const uint64_t begin = NowNs();
  uint64_t sum = Chain(blocks, step);
  Opaque(sum);
  return NowNs() - begin;
}

}  // namespace

double CoreGhz() {
  // The difference of two lengths cancels the cost of reading the clock and of entering the loop.
  constexpr uint64_t kShort = 64, kLong = 2624;
  uint64_t shortest = UINT64_MAX, longest = UINT64_MAX;
  for (int i = 0; i < 3; ++i) {
    shortest = std::min(shortest, TimeNs(kShort));
    longest = std::min(longest, TimeNs(kLong));
  }
  if (longest <= shortest) return 0;
  return static_cast<double>((kLong - kShort) * kBlock) / static_cast<double>(longest - shortest);
}

}  // namespace roofmark
