// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_FOUND_SAMPLES_H_
#define ROOFMARK_TESTS_SUPPORT_FOUND_SAMPLES_H_

#include <cstdint>
#include <cstdlib>
#include <string>

namespace roofmark::test {

// From how many samples the times of `roofmark run --auto` are estimated, as the pass's fact
// kFoundFact says it: "... 740 samples ...". 0 if it does not.
inline uint64_t SamplesIn(const std::string& fact) {
  const size_t end = fact.find(" samples");
  const size_t begin =
      end == std::string::npos ? end : fact.find_last_not_of("0123456789", end - 1);
  return begin == std::string::npos ? 0 : std::strtoull(fact.c_str() + begin + 1, nullptr, 10);
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_FOUND_SAMPLES_H_
