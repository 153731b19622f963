// SPDX-License-Identifier: BSD-3-Clause
//
// Line sampling: which lines are kept, and how far scaled-up counters are from exact ones.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/collectors/counting/cache/cache_fixture.h"

namespace roofmark {
namespace {

constexpr char kGeometry[] = "L1:32K:8,L2:256K:8,L3:2M:16";
constexpr uint64_t kBase = 0x7f0000000000;

TEST(CacheSampling, KeepsOneLineOfEachAlignedGroup) {
  for (int shift = 1; shift <= 8; ++shift) {
    const uint64_t group_bytes = uint64_t{64} << shift;
    for (uint64_t group = kBase; group < kBase + 1000 * group_bytes; group += group_bytes) {
      int kept = 0;
      for (uint64_t at = group; at < group + group_bytes; at += 64) {
        kept += ROOF_SAMPLE_SELECTED(at, shift) != 0;
        ASSERT_EQ(ROOF_SAMPLE_SELECTED(at, shift), ROOF_SAMPLE_SELECTED(at + 63, shift));
      }
      ASSERT_EQ(kept, 1) << shift;
    }
  }
}

TEST(CacheSampling, StridesAreSampledAlike) {
  for (const uint64_t base : {kBase, uint64_t{0x560000000000}}) {
    for (uint64_t stride = 64; stride <= uint64_t{1} << 34; stride *= 2) {
      const uint64_t times = stride <= 1 << 20 ? 16000 : 2000;
      uint64_t kept = 0;
      for (uint64_t i = 0; i < times; ++i) kept += ROOF_SAMPLE_SELECTED(base + i * stride, 4) != 0;
      EXPECT_NEAR(static_cast<double>(kept), static_cast<double>(times) / 16,
                  static_cast<double>(times) / 16 * 0.15)
          << stride;
    }
  }
}

using Trace = std::function<void(Cache*)>;

void Triad(Cache* cache, uint64_t elements) {
  const uint64_t array = (elements * 8 + 4095) / 4096 * 4096;
  for (uint64_t i = 0; i < elements; ++i) {
    cache->Load(kBase + array + 8 * i);
    cache->Load(kBase + 2 * array + 8 * i);
    cache->Store(kBase + 8 * i);
  }
}

// Sampled and exact traffic to DRAM, and out of L2, within the given share of the exact one.
void CompareToExact(const Trace& trace, double tolerance) {
  Cache exact(kGeometry), sampled(kGeometry, {.line_sampling = 16});
  trace(&exact);
  trace(&sampled);
  const auto dram = static_cast<double>(exact.DramBytes());
  EXPECT_NEAR(static_cast<double>(sampled.DramBytes()), dram, tolerance * dram);
  const auto l2 = static_cast<double>(exact.Count(ROOF_C_L2_READ_BYTES));
  EXPECT_NEAR(static_cast<double>(sampled.Count(ROOF_C_L2_READ_BYTES)), l2, tolerance * l2);
}

TEST(CacheSampling, TriadBeyondTheLastLevel) {
  CompareToExact([](Cache* cache) { Triad(cache, 500'000); }, 0.001);
}

TEST(CacheSampling, TriadInsideTheLastLevel) {
  CompareToExact(
      [](Cache* cache) {
        for (int i = 0; i < 4; ++i) Triad(cache, 60'000);
      },
      0.01);
}

TEST(CacheSampling, Stencil) {
  CompareToExact(
      [](Cache* cache) {
        constexpr uint64_t kN = 64;
        for (uint64_t i = kN * kN + kN + 1; i + kN * kN + kN + 1 < kN * kN * kN; ++i) {
          for (uint64_t step : {uint64_t{1}, kN, kN * kN}) {
            cache->Load(kBase + (i - step) * 8);
            cache->Load(kBase + (i + step) * 8);
          }
          cache->Store(kBase + (kN * kN * kN + i) * 8);
        }
      },
      0.01);
}

TEST(CacheSampling, RandomAccessesAroundTheSizeOfTheLastLevel) {
  CompareToExact(
      [](Cache* cache) {
        std::mt19937_64 random(1);
        for (int i = 0; i < 600'000; ++i) {
          const uint64_t at = kBase + random() % (4 << 20);
          cache->Access(i % 4 ? ROOF_LOAD : ROOF_STORE, at & ~uint64_t{7});
        }
      },
      0.03);
}

TEST(CacheSampling, NonTemporalBytesAreScaledToo) {
  CompareToExact(
      [](Cache* cache) {
        for (uint64_t i = 0; i < 200'000; ++i) cache->NtStore(kBase + 8 * i);
        for (uint64_t i = 0; i < 200'000; ++i) cache->Load(kBase + 8 * i);
      },
      0.001);
}

TEST(CacheSampling, FilteringRecordsBeforehandChangesNothing) {
  Cache all(kGeometry, {.line_sampling = 16}), some(kGeometry, {.line_sampling = 16});
  std::mt19937_64 random(2);
  for (int i = 0; i < 200'000; ++i) {
    const uint64_t at = kBase + random() % (8 << 20), size = 1 + random() % 64;
    all.Store(at, size);
    if (ROOF_SAMPLE_SELECTED(at, 4) || ROOF_SAMPLE_SELECTED(at + size - 1, 4)) some.Store(at, size);
  }
  EXPECT_EQ(all.DramBytes(), some.DramBytes());
  EXPECT_EQ(all.Count(ROOF_C_L1_READ_BYTES), some.Count(ROOF_C_L1_READ_BYTES));
}

TEST(CacheSampling, LevelsTooSmallToSampleStillWork) {
  Cache cache("L1:1K:4,L2:4K:4", {.line_sampling = 256});
  for (uint64_t i = 0; i < 100'000; ++i) cache.Store(kBase + 64 * i);
  EXPECT_NEAR(static_cast<double>(cache.DramBytes()), 128 * 1e5, 128 * 1e3);
}

}  // namespace
}  // namespace roofmark
