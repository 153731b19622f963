// SPDX-License-Identifier: BSD-3-Clause
//
// The ways to choose accesses of sampled lines choose the same.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "collectors/counting/cache/record.h"
#include "collectors/counting/native/trail_read.h"

namespace roofmark {
namespace {

std::vector<uint64_t> Chosen(roof_native_sampler sampler, const std::vector<uint64_t>& trail,
                             uint32_t slots, uint32_t shift) {
  std::vector<uint64_t> out(slots + 8);
  uint32_t count = 0;
  const uint64_t* end = trail.data() + 1 + slots;
  EXPECT_EQ(sampler(trail.data(), end, shift, out.data(), &count), end);
  out.resize(count);
  return out;
}

TEST(NativeSampling, EveryWayChoosesTheSame) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the CPU has no AVX2";
  std::mt19937_64 random(3);
  for (int turn = 0; turn < 2000; ++turn) {
    const auto count = static_cast<uint32_t>(random() % 70);
    const auto shift = static_cast<uint32_t>(1 + random() % 8);
    std::vector<uint64_t> addresses(count + 9), head(3 + 2 * (count + 8)), expected;
    const roof_native_trail begin = {count, 0, {0}};
    std::memcpy(head.data(), &begin, offsetof(roof_native_trail, data));
    addresses[0] = reinterpret_cast<uint64_t>(head.data()) | uint64_t{count} << ROOF_HEADER_SLOTS |
                   ROOF_HEADER_PLAIN;
    auto* limits = reinterpret_cast<int8_t*>(head.data() + 2 + count + 8);
    for (uint32_t i = 0; i < count + 8; ++i) {
      const uint64_t bytes = random() % 20 == 0 ? 1 + random() % 400 : uint64_t{1} << random() % 7;
      const uint64_t first = random() & ((uint64_t{1} << 47) - 1), last = first + bytes - 1;
      const uint64_t tag = ROOF_RECORD_TAG(random() % 3, bytes);
      addresses[1 + i] = first;
      head[2 + i] = tag;
      limits[i] = roof_native_limit(tag);
      const bool wanted =
          ROOF_SAMPLE_SELECTED(first, shift) || ROOF_SAMPLE_SELECTED(last, shift) || bytes > 64;
      if (i < count && wanted) expected.push_back(first | tag);
    }
    ASSERT_EQ(Chosen(roof_native_sample_base, addresses, count, shift), expected);
    ASSERT_EQ(Chosen(roof_native_sample_avx2, addresses, count, shift), expected);
    if (!__builtin_cpu_supports("avx512f")) continue;
    ASSERT_EQ(Chosen(roof_native_sample_avx512, addresses, count, shift), expected);
  }
}

}  // namespace
}  // namespace roofmark
