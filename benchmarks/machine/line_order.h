// SPDX-License-Identifier: BSD-3-Clause
//
// An order over 2^bits cache lines that visits each once before any comes again and that no
// prefetcher follows: steps of a full-period linear congruential generator, scattered.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_LINE_ORDER_H_
#define ROOFMARK_BENCHMARKS_MACHINE_LINE_ORDER_H_

#include <bit>
#include <cstdint>

namespace roofmark {

class LineOrder {
 public:
  static constexpr uint64_t kLineBytes = 64;

  // As many lines of `bytes` as a power of two holds, at least 16; one `of_each` so many bytes.
  explicit LineOrder(uint64_t bytes, uint64_t of_each = kLineBytes)
      : bits_(static_cast<uint32_t>(std::bit_width(bytes / of_each | 16) - 1)) {}

  uint64_t lines() const { return uint64_t{1} << bits_; }
  uint32_t bits() const { return bits_; }

  // The state after `state`; any start will do. A multiplier of 1 modulo 4 and an odd increment
  // give the full period (Hull and Dobell 1962).
  uint64_t Next(uint64_t state) const {
    return (state * 2862933555777941757u + 3037000493u) & (lines() - 1);
  }
  // The line of a state: high bits, which follow a long period, spread over the low ones. One to
  // one.
  uint64_t Line(uint64_t state) const { return state ^ (state >> (bits_ - bits_ / 2)); }

 private:
  uint32_t bits_;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_LINE_ORDER_H_
