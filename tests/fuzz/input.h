// SPDX-License-Identifier: BSD-3-Clause
//
// What every fuzz target needs: its input as text, and an end where something does not hold.
#ifndef ROOFMARK_TESTS_FUZZ_INPUT_H_
#define ROOFMARK_TESTS_FUZZ_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace roofmark::fuzz {

inline std::string_view Text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A crash, which the fuzzer keeps the input of.
inline void Demand(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what.c_str());
  std::abort();
}

}  // namespace roofmark::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

#endif  // ROOFMARK_TESTS_FUZZ_INPUT_H_
