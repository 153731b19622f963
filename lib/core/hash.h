// SPDX-License-Identifier: BSD-3-Clause
//
// A hash that every process and every build computes alike: FNV-1a, 64 bits.
#ifndef ROOFMARK_LIB_CORE_HASH_H_
#define ROOFMARK_LIB_CORE_HASH_H_

#include <cstdint>
#include <string_view>

namespace roofmark {

inline constexpr uint64_t kHashStart = 0xcbf29ce484222325;

// The hash of `text`, continued from `hash`, which stands for the text before it.
constexpr uint64_t HashOf(std::string_view text, uint64_t hash = kHashStart) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_HASH_H_
