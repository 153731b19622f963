// SPDX-License-Identifier: BSD-3-Clause
//
// Traffic of kernels with closed forms (bytes to DRAM, lines still dirty included), ownership of
// write-backs, the walk over dirty lines, and what the simulator refuses.
#include <gtest/gtest.h>

#include "tests/collectors/counting/cache/cache_fixture.h"

namespace roofmark {
namespace {

constexpr char kGeometry[] = "L1:8K:8,L2:64K:8,L3:512K:16";
constexpr uint64_t kBase = 0x10000000;

// One sweep of a[i] = b[i] + s * c[i] over arrays of equal page offset.
void Triad(Cache* cache, uint64_t elements, bool nt) {
  const uint64_t array = (elements * 8 + 4095) / 4096 * 4096;
  for (uint64_t i = 0; i < elements; ++i) {
    cache->Load(kBase + array + 8 * i);
    cache->Load(kBase + 2 * array + 8 * i);
    cache->Access(nt ? ROOF_NT_STORE : ROOF_STORE, kBase + 8 * i);
  }
}

// One sweep of the 7-point stencil over the inner points of n x n x planes.
uint64_t Stencil(Cache* cache, uint64_t n, uint64_t planes) {
  const uint64_t to = kBase + n * n * planes * 8 + 4096;
  for (uint64_t z = 1; z + 1 < planes; ++z) {
    for (uint64_t y = 1; y + 1 < n; ++y) {
      for (uint64_t x = 1; x + 1 < n; ++x) {
        const uint64_t at = ((z * n + y) * n + x) * 8;
        for (uint64_t step : {uint64_t{8}, n * 8, n * n * 8}) {
          cache->Load(kBase + at - step);
          cache->Load(kBase + at + step);
        }
        cache->Load(kBase + at);
        cache->Store(to + at);
      }
    }
  }
  return (n - 2) * (n - 2) * (planes - 2);
}

// Sweeps of one load per `stride` bytes.
void Strided(Cache* cache, int sweeps, int count, uint64_t stride) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (int i = 0; i < count; ++i) cache->Load(kBase + static_cast<uint64_t>(i) * stride);
  }
}

TEST(CacheModel, TriadBeyondTheLastLevelMoves32BytesAnElement) {
  Cache cache(kGeometry);
  constexpr uint64_t kElements = 1 << 18;
  Triad(&cache, kElements, false);
  EXPECT_EQ(cache.DramBytes(), 32 * kElements);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES), 24 * kElements);
  // Every level moves the same: nothing is reused.
  EXPECT_EQ(cache.Count(ROOF_C_L1_READ_BYTES), 24 * kElements);
  EXPECT_EQ(cache.Count(ROOF_C_L2_READ_BYTES), 24 * kElements);
  EXPECT_EQ(cache.Count(ROOF_C_L3_READ_BYTES), 24 * kElements);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_NT_BYTES), 0u);
}

TEST(CacheModel, TriadWithNonTemporalStoresMoves24BytesAnElement) {
  Cache cache(kGeometry);
  constexpr uint64_t kElements = 1 << 18;
  Triad(&cache, kElements, true);
  EXPECT_EQ(cache.DramBytes(), 24 * kElements);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_NT_BYTES), 8 * kElements);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_WRITE_BYTES), 8 * kElements);
  EXPECT_EQ(cache.Count(ROOF_C_L1_WRITE_BYTES), 0u);
}

TEST(CacheModel, TriadInsideTheLastLevelMovesNothingOnceWarm) {
  Cache cache(kGeometry);
  constexpr uint64_t kElements = 16'000;
  Triad(&cache, kElements, false);
  cache.Reset();
  for (int sweep = 0; sweep < 3; ++sweep) Triad(&cache, kElements, false);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES), 0u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_WRITE_BYTES), 0u);
  EXPECT_EQ(cache.Count(ROOF_C_L2_READ_BYTES), 3 * 24 * kElements);
}

TEST(CacheModel, StencilMoves24BytesAPointWhileTheLayerConditionHolds) {
  Cache cache(kGeometry);
  const uint64_t points = Stencil(&cache, 64, 64);
  // Rows of 8 lines. Read once: the input but its four untouched edges. Filled and written back
  // once: the inner rows of the output.
  const uint64_t input = (64 * 64 - 4) * 8 * 64, output = 62 * 62 * 8 * 64;
  EXPECT_EQ(cache.DramBytes(), input + 2 * output);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES), input + output);
  // Which is 24 bytes a point but for the shell of so small a box.
  EXPECT_NEAR(static_cast<double>(input + 2 * output) / static_cast<double>(points) / 24, 1, 0.06);
}

TEST(CacheModel, StencilMovesMoreWhenTheLayerConditionBreaks) {
  Cache cache("L1:8K:8,L2:64K:8,L3:128K:16");
  const double points = static_cast<double>(Stencil(&cache, 128, 12));
  // Three layers of 128 KiB do not fit: each is read again as the lower, middle and upper one.
  EXPECT_NEAR(static_cast<double>(cache.DramBytes()) / points / 40, 1, 0.1);
}

// One set in the first level; whatever the number of its ways, the line goes that was used last
// before all others.
TEST(CacheModel, TheLeastRecentlyUsedLineLeavesTheFirstLevel) {
  for (const uint64_t ways : {2, 4, 6, 8, 10, 12, 14, 16, 20, 32}) {
    Cache cache("L1:" + std::to_string(64 * ways) + ":" + std::to_string(ways) + ",L2:64K:8");
    const auto load = [&](uint64_t line) { cache.Load(kBase + 64 * line); };
    for (uint64_t line = 0; line < ways; ++line) load(line);
    for (uint64_t line = 0; line < ways; line += 2) load(line);
    load(ways);  // in the place of line 1
    const uint64_t missed = cache.Count(ROOF_C_L1_READ_BYTES);
    EXPECT_EQ(missed, 64 * (ways + 1)) << ways;
    for (uint64_t line = 0; line <= ways; ++line) {
      if (line != 1) load(line);
    }
    EXPECT_EQ(cache.Count(ROOF_C_L1_READ_BYTES), missed) << ways;
    load(1);
    EXPECT_EQ(cache.Count(ROOF_C_L1_READ_BYTES), missed + 64) << ways;
  }
}

TEST(CacheModel, PowerOfTwoStrideConflictsAndPaddingCures) {
  // 512 sets in the last level: a stride of 32 KiB keeps to one of them.
  Cache conflict(kGeometry, {.three_cs = 1}), padded(kGeometry, {.three_cs = 1});
  Strided(&conflict, 10, 64, 32768);
  EXPECT_EQ(conflict.Count(ROOF_C_MISSES_COMPULSORY), 64u);
  EXPECT_EQ(conflict.Count(ROOF_C_MISSES_CONFLICT), 9 * 64u);
  EXPECT_EQ(conflict.Count(ROOF_C_MISSES_CAPACITY), 0u);
  Strided(&padded, 10, 64, 32768 + 64);
  EXPECT_EQ(padded.Count(ROOF_C_MISSES_COMPULSORY), 64u);
  EXPECT_EQ(padded.Count(ROOF_C_MISSES_CONFLICT), 0u);
  EXPECT_EQ(padded.Count(ROOF_C_MISSES_CAPACITY), 0u);
}

TEST(CacheModel, SweepsBeyondTheLastLevelMissForCapacity) {
  Cache cache(kGeometry, {.three_cs = 1});
  Strided(&cache, 4, 16384, 64);
  EXPECT_EQ(cache.Count(ROOF_C_MISSES_COMPULSORY), 16384u);
  EXPECT_EQ(cache.Count(ROOF_C_MISSES_CAPACITY), 3 * 16384u);
  EXPECT_EQ(cache.Count(ROOF_C_MISSES_CONFLICT), 0u);
}

TEST(CacheModel, SampledThreeCsAreWithinFivePercent) {
  Cache exact(kGeometry, {.three_cs = 1}), sampled(kGeometry, {.three_cs = 16});
  for (Cache* cache : {&exact, &sampled}) {
    Strided(cache, 4, 40000, 64);
    Strided(cache, 10, 2048, 1024);  // 2048 lines in 32 sets of 16 ways
  }
  for (int cause : {ROOF_C_MISSES_COMPULSORY, ROOF_C_MISSES_CAPACITY, ROOF_C_MISSES_CONFLICT}) {
    const auto expected = static_cast<double>(exact.Count(cause));
    EXPECT_GT(expected, 0) << cause;
    EXPECT_NEAR(static_cast<double>(sampled.Count(cause)), expected, 0.05 * expected) << cause;
  }
}

TEST(CacheModel, FillsGoToTheAccessorWriteBacksToTheWriter) {
  Cache cache(kGeometry, {.contexts = 3});
  cache.Enter(1);
  for (int i = 0; i < 100; ++i) cache.Store(kBase + static_cast<uint64_t>(i) * 64);
  cache.Enter(2);
  for (int i = 0; i < 20000; ++i) cache.Load(2 * kBase + static_cast<uint64_t>(i) * 64);
  cache.Flush();
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES, 1), 6400u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_WRITE_BYTES, 1), 6400u);
  EXPECT_EQ(cache.Count(ROOF_C_L1_WRITE_BYTES, 1), 6400u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES, 2), 20000 * 64u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_WRITE_BYTES, 2), 0u);
}

TEST(CacheModel, LinesFetchedForAStoreAreTold) {
  Cache cache(kGeometry, {.contexts = 2});
  for (int i = 0; i < 100; ++i) cache.Store(kBase + static_cast<uint64_t>(i) * 64);
  cache.Enter(1);
  for (int i = 0; i < 50; ++i) {
    cache.Load(2 * kBase + static_cast<uint64_t>(i) * 64);
    cache.Store(2 * kBase + static_cast<uint64_t>(i) * 64);  // there already
  }
  cache.DramBytes();
  EXPECT_EQ(cache.Count(ROOF_C_STORE_FILL_BYTES, 0), 6400u);
  EXPECT_EQ(cache.Count(ROOF_C_STORE_FILL_BYTES, 1), 0u);
}

TEST(CacheModel, TheLastWriterOwnsTheLineEvenOnAPredictedHit) {
  Cache cache(kGeometry, {.contexts = 2});
  cache.Load(kBase);
  cache.Store(kBase);
  cache.Enter(1);
  cache.Store(kBase);
  cache.DramBytes();
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_DIRTY_BYTES, 0), 0u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_DIRTY_BYTES, 1), 64u);
}

TEST(CacheModel, TheDirtyWalkRepeatsAndDisturbsNothing) {
  Cache walked(kGeometry), untouched(kGeometry);
  for (int sweep = 0; sweep < 3; ++sweep) {
    Triad(&walked, 1000 << sweep * 2, false);
    const uint64_t once = walked.DramBytes();
    EXPECT_EQ(walked.DramBytes(), once);
    Triad(&untouched, 1000 << sweep * 2, false);
  }
  EXPECT_EQ(walked.DramBytes(), untouched.DramBytes());
  EXPECT_EQ(walked.Count(ROOF_C_L1_READ_BYTES), untouched.Count(ROOF_C_L1_READ_BYTES));
}

TEST(CacheModel, ALineDirtyInSeveralLevelsIsListedOnce) {
  Cache cache(kGeometry);
  cache.Store(kBase);
  for (int i = 1; i < 200; ++i) cache.Load(kBase + static_cast<uint64_t>(i) * 64);
  cache.Store(kBase);  // the copy that L1 wrote back is dirty in L2
  cache.DramBytes();
  EXPECT_EQ(cache.Count(ROOF_C_L1_WRITE_BYTES), 64u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_DIRTY_BYTES), 64u);
}

TEST(CacheModel, AnEndedThreadLeavesItsDirtyLinesInTheSharedLevel) {
  Cache cache(kGeometry);
  roof_cache_core* thread = roof_cache_core_begin(cache.get());
  const uint64_t record = kBase | ROOF_RECORD_TAG(ROOF_STORE, 8);
  roof_cache_run(cache.get(), thread, 0, &record, 1);
  roof_cache_core_end(cache.get(), thread);
  EXPECT_EQ(cache.Count(ROOF_C_L2_WRITE_BYTES), 64u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_WRITE_BYTES), 0u);
  cache.Load(kBase);  // another core finds it there
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES), 64u);
  cache.DramBytes();
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_DIRTY_BYTES), 64u);
  EXPECT_EQ(roof_cache_core_begin(cache.get()), thread);
}

TEST(CacheModel, AnAccessAcrossLinesTouchesBoth) {
  Cache cache(kGeometry);
  cache.Load(kBase + 60, 8);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES), 128u);
  cache.Load(kBase + 64 * 10, 512);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES), 128u + 512u);
}

TEST(CacheModel, ANonTemporalStoreThrowsOutADirtyLine) {
  Cache cache(kGeometry, {.contexts = 2});
  cache.Store(kBase);
  cache.Enter(1);
  for (uint64_t byte = 0; byte < 64; byte += 16) cache.NtStore(kBase + byte, 16);
  EXPECT_EQ(cache.DramBytes(0), 64u + 64u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_WRITE_BYTES, 0), 64u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_DIRTY_BYTES, 0), 0u);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_WRITE_BYTES, 1), 64u);
  cache.Load(kBase);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES, 1), 64u);
}

TEST(CacheModel, ANonTemporalStoreThrowsOutWhatAnotherCoreFilledBetween) {
  Cache cache(kGeometry);
  roof_cache_core* other = roof_cache_core_begin(cache.get());
  const uint64_t load = kBase | ROOF_RECORD_TAG(ROOF_LOAD, 8);
  cache.NtStore(kBase);
  cache.Flush();
  roof_cache_run(cache.get(), other, 0, &load, 1);
  cache.NtStore(kBase + 8);
  cache.Load(kBase);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES), 128u);
}

TEST(CacheModel, FirstTouchesAreKnownOverManyPages) {
  // One line of each of 2000 chunks of 512 lines: the table of chunks grows twice.
  Cache cache(kGeometry, {.three_cs = 1});
  for (int sweep = 0; sweep < 2; ++sweep) {
    Strided(&cache, 1, 2000, 512 * 64);
    EXPECT_EQ(cache.Count(ROOF_C_MISSES_COMPULSORY), 2000u);
  }
  EXPECT_EQ(roof_cache_unclassified(cache.get()), 0u);
}

TEST(CacheModel, OddSetCountsHoldWhatTheyShould) {
  // 260 MiB / 20 ways / 64 bytes = 212,992 sets.
  Cache cache("L1:48K:12,L2:2M:16,L3:260M:20");
  constexpr int kLines = 1 << 20;
  Strided(&cache, 1, kLines, 64);
  cache.Reset();
  Strided(&cache, 1, kLines, 64);
  EXPECT_EQ(cache.Count(ROOF_C_DRAM_READ_BYTES), 0u);
  EXPECT_EQ(cache.Count(ROOF_C_L2_READ_BYTES), uint64_t{kLines} * 64);
}

TEST(CacheModel, RefusesWhatItCannotSimulate) {
  EXPECT_THROW(Cache("L1:8K:8", {.line_sampling = 0}), std::invalid_argument);
  EXPECT_THROW(Cache("L1:8K:8", {.line_sampling = 3}), std::invalid_argument);
  EXPECT_THROW(Cache("L1:8K:8", {.line_sampling = 512}), std::invalid_argument);
  EXPECT_THROW(Cache("L1:8K:8", {.three_cs = 5}), std::invalid_argument);
}

TEST(CacheModel, OutOfMemoryIsRefusedAndLeaksNothing) {
  roof_cache_config config{Geometry(kGeometry), 1, 1, {}};
  for (size_t limit = 0; limit < 3'000'000; limit += 1000) {
    Memory memory{.limit = limit};
    config.memory = memory.Hooks();
    roof_cache* cache = roof_cache_create(&config);
    const bool complete = cache && roof_cache_core_begin(cache);
    roof_cache_destroy(cache);
    ASSERT_EQ(memory.bytes, 0u) << limit;
    if (complete) return;
  }
  FAIL() << "never fit";
}

}  // namespace
}  // namespace roofmark
