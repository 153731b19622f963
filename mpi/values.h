// SPDX-License-Identifier: BSD-3-Clause
//
// A column of values that one rank measured, in a message: as wide as the largest needs, so that
// they are read without looking at one to find the next.
#ifndef ROOFMARK_MPI_VALUES_H_
#define ROOFMARK_MPI_VALUES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "lib/core/bytes.h"
#include "lib/core/status.h"

namespace roofmark::mpi {

struct Value {
  uint64_t value = 0;
  uint8_t kind = 0;  // one more than the status; 0: there is no value

  // `status_bits` has one bit.
  static Value Of(uint64_t value, uint32_t status_bits) {
    return {value, static_cast<uint8_t>(std::bit_width(status_bits))};
  }
  bool operator==(const Value&) const = default;
};
inline constexpr unsigned kKinds = static_cast<unsigned>(Status::kInvalid) + 2;
inline Status StatusOf(unsigned kind) { return static_cast<Status>(kind - 1); }

// A column: a byte of how many bytes each value has, a byte of the kind that all have, or kMixed
// and a byte for each; then the values, the lowest byte first.
void PutValues(ByteWriter& writer, const std::vector<Value>& values);

class Values {
 public:
  // The next column, of `count` values; the reader fails where it makes no sense.
  Values(ByteReader& reader, size_t count);
  // Calls `use(i, kind, value)` for those that have a value.
  template <typename Use>
  void ForEach(Use use) const {
    for (size_t i = 0; i < count_; ++i) {
      const unsigned kind = kinds_ == nullptr ? kind_ : static_cast<unsigned char>(kinds_[i]);
      if (kind == 0) continue;
      uint64_t value = 0;
      std::memcpy(&value, values_ + i * width_, sizeof value);
      use(i, kind, LowestFirst(value) & mask_);
    }
  }

 private:
  friend void PutValues(ByteWriter& writer, const std::vector<Value>& values);
  static constexpr uint8_t kMixed = 0xff;
  // A number whose bytes in memory are those of `value`, the lowest first; and the other way round.
  static uint64_t LowestFirst(uint64_t value) {
    return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
  }

  size_t count_ = 0, width_ = 0;
  unsigned kind_ = 0;
  uint64_t mask_ = 0;
  const char* kinds_ = nullptr;
  const char* values_ = nullptr;  // with eight bytes to read from the last one on
  std::vector<char> copy_;        // of what stands at the end of a message
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_VALUES_H_
