// SPDX-License-Identifier: BSD-3-Clause
//
// Exact equality with the naive reference on random traces: every counter of every context, with
// several cores, contexts, batch lengths, line crossings, non-temporal stores and ending threads.
// The reference predicts nothing, so this also shows that prediction in the first level is exact.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "collectors/counting/cache/hierarchy.h"
#include "collectors/counting/cache/loops.h"
#include "tests/collectors/counting/cache/cache_fixture.h"
#include "tests/collectors/counting/cache/cache_reference.h"

namespace roofmark {
namespace {

constexpr int kCores = 3;
constexpr uint32_t kContexts = 5;

struct Traffic {
  std::mt19937_64 random;
  uint64_t span_lines;  // working set
  int nt_percent;

  uint64_t Below(uint64_t limit) { return random() % limit; }
  // Runs of neighbouring addresses in arrays of equal page offset, with jumps.
  uint64_t base = 0, array = 0;
  uint64_t Address() {
    if (Below(8) == 0) base = Below(span_lines * 64);
    array = Below(4) << 20;
    base += Below(24);
    return (UINT64_C(0x7f0000000000) + array + base % (span_lines * 64)) & ((1ull << 47) - 1);
  }
  roof_access Kind() {
    if (static_cast<int>(Below(100)) < nt_percent) return ROOF_NT_STORE;
    return Below(3) == 0 ? ROOF_STORE : ROOF_LOAD;
  }
  uint64_t Size() { return Below(50) == 0 ? 1 + Below(400) : uint64_t{1} << Below(7); }
};

// A single level with the three Cs looks at every access; without them it predicts.
void Compare(const std::string& text, uint64_t seed, uint64_t span_lines, int nt_percent,
             uint32_t three_cs = 1, void (*interfere)(roof_cache*, roof_cache_core*) = nullptr) {
  SCOPED_TRACE(text + " seed " + std::to_string(seed));
  Cache cache(text, {.three_cs = three_cs, .contexts = kContexts});
  ReferenceCache reference(Geometry(text), kCores, kContexts);
  std::array<roof_cache_core*, kCores> cores{cache.core()};
  for (int core = 1; core < kCores; ++core) cores[core] = roof_cache_core_begin(cache.get());
  Traffic traffic{std::mt19937_64(seed), span_lines, nt_percent};
  for (int batch = 0; batch < 40; ++batch) {
    for (int core = 0; interfere && batch == 10 && core < kCores; ++core)
      interfere(cache.get(), cores[core]);
    const int core = static_cast<int>(traffic.Below(kCores));
    const auto context = static_cast<uint32_t>(traffic.Below(kContexts));
    std::vector<uint64_t> records;
    for (uint64_t i = traffic.Below(1000); i > 0; --i) {
      const roof_access kind = traffic.Kind();
      const uint64_t address = traffic.Address(), size = traffic.Size();
      records.push_back(address | ROOF_RECORD_TAG(kind, size));
      reference.Run(core, context, kind, address, size);
    }
    roof_cache_run(cache.get(), cores[core], context, records.data(), records.size());
    if (traffic.Below(10) == 0) {
      roof_cache_core_end(cache.get(), cores[core]);
      reference.EndCore(core);
      // The only core at rest is the one reused.
      ASSERT_EQ(roof_cache_core_begin(cache.get()), cores[core]);
    }
    if (batch % 10 == 0) {
      ASSERT_TRUE(roof_cache_count_dirty(cache.get()));
      reference.CountDirty();
    }
    for (uint32_t c = 0; c < kContexts; ++c) {
      for (int k = 0; k < (three_cs ? ROOF_COUNTERS : ROOF_C_MISSES_COMPULSORY); ++k) {
        ASSERT_EQ(cache.counters()[c][k], reference.counters[c][k])
            << "context " << c << ", counter " << k << ", batch " << batch;
      }
    }
  }
}

TEST(CacheEquality, ThreeLevels) {
  for (uint64_t seed = 0; seed < 6; ++seed) Compare("L1:1K:4,L2:4K:8,L3:16K:16", seed, 200, 2);
}
TEST(CacheEquality, OddSetsAndWays) {
  for (uint64_t seed = 0; seed < 6; ++seed) Compare("L1:960:3,L2:4480:7,L3:17280:18", seed, 150, 2);
}
TEST(CacheEquality, TwoLevels) {
  for (uint64_t seed = 0; seed < 6; ++seed) Compare("L1:2K:8,L2:8448:11", seed, 150, 2);
}
TEST(CacheEquality, OneLevel) {
  for (uint64_t seed = 0; seed < 6; ++seed) Compare("L1:3K:6", seed, 60, 2);
}
TEST(CacheEquality, OneLevelPredicted) {
  for (uint64_t seed = 0; seed < 6; ++seed) Compare("L1:3K:6", seed, 60, 2, 0);
}
TEST(CacheEquality, FullyAssociativeAndDirect) {
  for (uint64_t seed = 0; seed < 4; ++seed) Compare("L1:512:1,L2:1K:16,L3:2K:2", seed, 40, 2);
}
TEST(CacheEquality, ManyNonTemporalStores) {
  for (uint64_t seed = 0; seed < 4; ++seed) Compare("L1:1K:4,L2:4K:8,L3:16K:16", seed, 100, 40);
}
TEST(CacheEquality, UsualAssociativities) {
  for (uint64_t seed = 0; seed < 4; ++seed) Compare("L1:3K:12,L2:8K:16,L3:16K:8", seed, 300, 2);
}
// The tests above run the loops for AVX2 where the processor has it, and none of them otherwise.
TEST(CacheEquality, Avx2IsUsedWhereTheProcessorHasIt) {
#if defined(__x86_64__) && !defined(__clang__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi")) {
    GTEST_SKIP() << "this processor has no AVX2";
  }
  ASSERT_NE(roof_loops_avx2(), nullptr);
  EXPECT_EQ(Cache("L1:1K:4").get()->loops, roof_loops_avx2());
#else
  GTEST_SKIP() << "only GCC for x86-64 builds the loops for AVX2";
#endif
}
TEST(CacheEquality, WithoutVectorInstructionsOfNewProcessors) {
  if (roof_loops_avx2() == nullptr) GTEST_SKIP() << "the other tests ran without AVX2 already";
  auto plain = [](roof_cache* cache, roof_cache_core*) { cache->loops = &roof_loops_base; };
  for (uint64_t seed = 0; seed < 4; ++seed) {
    Compare("L1:3K:12,L2:8K:16,L3:16K:8", seed, 300, 2, 1, plain);
    Compare("L1:960:3,L2:4480:7,L3:17280:18", seed, 150, 2, 1, plain);
  }
}
TEST(CacheEquality, ClockIsWoundBack) {
  auto late = [](roof_cache*, roof_cache_core* core) {
    core->first->clock = ROOF_STAMP_NEVER_OLDEST - 300;
  };
  for (uint64_t seed = 0; seed < 4; ++seed)
    Compare("L1:3K:12,L2:8K:16,L3:16K:8", seed, 300, 2, 1, late);
}

}  // namespace
}  // namespace roofmark
