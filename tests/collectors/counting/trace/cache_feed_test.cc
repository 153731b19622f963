// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/trace/cache_feed.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

constexpr uint32_t kSlots = 4;

class CacheFeed : public testing::Test {
 protected:
  CacheFeed() {
    hooks_ = memory_.Hooks();
    segments_.memory = hooks_;
    EXPECT_TRUE(roof_contexts_start(&contexts_, &hooks_, &segments_, kSlots));
    for (uint32_t slot = 1; slot < kSlots; ++slot) roof_contexts_thread_created(&contexts_, slot);
    config_.line_sampling = 1;
    config_.memory = hooks_;
    char error[ROOF_GEOMETRY_ERROR];
    EXPECT_TRUE(roof_geometry_parse("L1:1K:4,L2:4K:8", &config_.geometry, error, sizeof error));
  }
  bool Start() { return roof_cache_feed_start(&feed_, &hooks_, &config_, &contexts_, kSlots) != 0; }
  roof_context* Context(uint32_t slot, uint32_t path) {
    roof_contexts_set_own_path(&contexts_, slot, path);
    return roof_contexts_enter(&contexts_, slot);
  }
  // One access to each of `lines` lines from `first` on.
  void Touch(uint32_t slot, uint32_t path, roof_access kind, uint64_t first, uint64_t lines) {
    std::vector<uint64_t> records;
    for (uint64_t i = 0; i < lines; ++i)
      records.push_back((first + i) * 64 | ROOF_RECORD_TAG(kind, 8));
    ASSERT_TRUE(
        roof_cache_feed_run(&feed_, slot, Context(slot, path), records.data(), records.size()));
  }
  uint64_t Counter(uint32_t slot, uint32_t path, int counter) {
    return Context(slot, path)->counters[counter];
  }

  Memory memory_;
  roof_memory hooks_{};
  roof_segments segments_{};
  roof_contexts contexts_{};
  roof_cache_config config_{};
  roof_cache_feed feed_{};
};

TEST_F(CacheFeed, FillsAreTheReadersAndDirtyLinesTheWriters) {
  ASSERT_TRUE(Start());
  Touch(1, 1, ROOF_STORE, 0, 4);
  Touch(1, 2, ROOF_LOAD, 100, 6);
  ASSERT_TRUE(roof_cache_feed_count_dirty(&feed_));
  EXPECT_EQ(Counter(1, 1, ROOF_C_DRAM_READ_BYTES), 4u * 64);
  EXPECT_EQ(Counter(1, 1, ROOF_C_DRAM_DIRTY_BYTES), 4u * 64);
  EXPECT_EQ(Counter(1, 2, ROOF_C_DRAM_READ_BYTES), 6u * 64);
  EXPECT_EQ(Counter(1, 2, ROOF_C_DRAM_DIRTY_BYTES), 0u);
}

TEST_F(CacheFeed, EachThreadHasItsOwnFirstLevelAndSharesTheLast) {
  ASSERT_TRUE(Start());
  Touch(1, 1, ROOF_LOAD, 0, 8);
  Touch(2, 1, ROOF_LOAD, 0, 8);
  EXPECT_EQ(Counter(2, 1, ROOF_C_L1_READ_BYTES), 8u * 64);
  EXPECT_EQ(Counter(2, 1, ROOF_C_DRAM_READ_BYTES), 0u);
  Touch(1, 1, ROOF_LOAD, 0, 8);
  EXPECT_EQ(Counter(1, 1, ROOF_C_L1_READ_BYTES), 8u * 64);
}

TEST_F(CacheFeed, AThreadThatEndsLeavesAnEmptyCore) {
  ASSERT_TRUE(Start());
  Touch(1, 1, ROOF_LOAD, 0, 8);
  roof_cache_feed_thread_ended(&feed_, 1);
  roof_cache_feed_thread_ended(&feed_, 3);  // one that touched nothing
  Touch(1, 2, ROOF_LOAD, 0, 8);
  EXPECT_EQ(Counter(1, 2, ROOF_C_L1_READ_BYTES), 8u * 64);
  EXPECT_EQ(Counter(1, 2, ROOF_C_DRAM_READ_BYTES), 0u);
}

TEST_F(CacheFeed, ContextsThatComeLaterAreKnown) {
  ASSERT_TRUE(Start());
  for (uint32_t path = 1; path <= 1000; ++path) Touch(1, path, ROOF_STORE, 1000 * path, 1);
  for (uint32_t path = 1; path <= 1000; ++path)
    ASSERT_EQ(Counter(1, path, ROOF_C_DRAM_READ_BYTES), 64u) << path;
}

TEST_F(CacheFeed, WithoutMemoryItDoesNotStart) {
  const size_t before = memory_.bytes;
  memory_.limit = before + 1000;
  EXPECT_FALSE(Start());
  memory_.limit = SIZE_MAX;
  config_.line_sampling = 3;
  EXPECT_FALSE(Start());
}

}  // namespace
}  // namespace roofmark
