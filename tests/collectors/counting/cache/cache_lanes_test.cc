// SPDX-License-Identifier: BSD-3-Clause
//
// Lanes that take turns count what cores do; lanes at the same time lose nothing.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "collectors/counting/cache/lanes.h"
#include "tests/collectors/counting/cache/cache_fixture.h"

namespace roofmark {
namespace {

constexpr uint32_t kLanes = 3;

std::vector<uint64_t> Batch(std::mt19937_64& random, uint64_t span_lines) {
  std::vector<uint64_t> records(random() % 1500);
  for (uint64_t& record : records) {
    const uint64_t address = UINT64_C(0x7f0000000000) + random() % (span_lines * 64);
    const uint64_t size = random() % 50 == 0 ? 1 + random() % 300 : uint64_t{1} << random() % 7;
    const auto kind = static_cast<roof_access>(random() % 20 == 0 ? 2 : random() % 2);
    record = address | ROOF_RECORD_TAG(kind, size);
  }
  return records;
}

// Every lane has a context of its own.
void Compare(const std::string& geometry, uint32_t line_sampling) {
  SCOPED_TRACE(geometry);
  Cache serial(geometry, {.line_sampling = line_sampling, .contexts = kLanes});
  Cache parallel(geometry, {.line_sampling = line_sampling, .contexts = kLanes});
  std::vector<roof_cache_core*> cores{serial.core()};
  while (cores.size() < kLanes) cores.push_back(roof_cache_core_begin(serial.get()));
  std::vector<roof_cache_lane*> lanes;
  while (lanes.size() < kLanes) lanes.push_back(roof_cache_lane_begin(parallel.get()));
  std::mt19937_64 random(line_sampling);
  for (int turn = 0; turn < 200; ++turn) {
    const auto lane = static_cast<uint32_t>(random() % kLanes);
    const std::vector<uint64_t> records = Batch(random, 400 * line_sampling);
    roof_cache_run(serial.get(), cores[lane], lane, records.data(), records.size());
    roof_cache_lane_run(lanes[lane], lane, records.data(), records.size());
    if (turn % 40 == 39) {
      roof_cache_core_end(serial.get(), cores[lane]);
      ASSERT_EQ(roof_cache_core_begin(serial.get()), cores[lane]);
      roof_cache_lane_end(lanes[lane]);
    }
  }
  ASSERT_TRUE(roof_cache_count_dirty(serial.get()));
  ASSERT_TRUE(roof_cache_count_dirty(parallel.get()));
  for (uint32_t context = 0; context < kLanes; ++context) {
    EXPECT_GT(serial.counters()[context][ROOF_C_DRAM_READ_BYTES], 0u);
    for (int k = 0; k < ROOF_COUNTERS; ++k)
      EXPECT_EQ(parallel.counters()[context][k], serial.counters()[context][k]) << "counter " << k;
  }
}

TEST(CacheLanes, TakingTurnsTheyCountWhatCoresDo) {
  for (const uint32_t sampling : {1u, 4u}) {
    Compare("L1:1K:4,L2:4K:8,L3:16K:16", sampling);
    Compare("L1:2K:8,L2:8K:16", sampling);
    Compare("L1:4K:8", sampling);
  }
}

// Each reads lines of its own, more than there is room for, and writes every other one: all are
// fetched each time, and what was written is written back or is still there.
TEST(CacheLanes, AtTheSameTimeTheyLoseNothing) {
  constexpr uint64_t kLines = 4096, kTimes = 8, kThreads = 4;
  Cache cache("L1:1K:4,L2:4K:8,L3:16K:16", {.contexts = kThreads});
  std::vector<roof_cache_lane*> lanes;
  while (lanes.size() < kThreads) lanes.push_back(roof_cache_lane_begin(cache.get()));
  std::vector<std::thread> threads;
  for (uint64_t number = 0; number < kThreads; ++number)
    threads.emplace_back([number, lane = lanes[number]] {
      std::vector<uint64_t> records;
      for (uint64_t i = 0; i < kLines; ++i)
        records.push_back((number * kLines + i) * 64 | ROOF_RECORD_TAG(i % 2, 8));
      for (uint64_t times = 0; times < kTimes; ++times)
        roof_cache_lane_run(lane, static_cast<uint32_t>(number), records.data(), records.size());
    });
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(roof_cache_count_dirty(cache.get()));
  for (uint32_t context = 0; context < kThreads; ++context) {
    const auto& counters = cache.counters()[context];
    EXPECT_EQ(counters[ROOF_C_DRAM_READ_BYTES], kTimes * kLines * 64);
    EXPECT_EQ(counters[ROOF_C_DRAM_WRITE_BYTES] + counters[ROOF_C_DRAM_DIRTY_BYTES],
              kTimes * kLines / 2 * 64);
  }
}

TEST(CacheLanes, ThereAreNoneWithThreeCs) {
  Cache cache("L1:1K:4,L2:4K:8", {.three_cs = 1});
  EXPECT_EQ(roof_cache_lane_begin(cache.get()), nullptr);
}

}  // namespace
}  // namespace roofmark
