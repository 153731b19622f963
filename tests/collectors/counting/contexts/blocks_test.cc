// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/contexts/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "collectors/counting/schema.h"
#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

class ContextBlocks : public testing::Test {
 protected:
  ContextBlocks() { blocks_.memory = memory_.Hooks(); }
  roof_block* At(uint64_t module, uint64_t translation, uint64_t position = 0) {
    roof_block_code code = {};
    code.module = module;
    code.translation = translation;
    code.position = position;
    code.begin = translation;
    code.end = translation + 4;
    return roof_blocks_intern(&blocks_, &code);
  }

  Memory memory_;
  roof_blocks blocks_{};
};

TEST_F(ContextBlocks, TheSameCodeIsOneBlockHoweverOftenItIsTranslated) {
  roof_block* first = At(1, 16);
  EXPECT_EQ(At(1, 16), first);
  EXPECT_NE(At(2, 16), first) << "of another module";
  EXPECT_NE(At(1, 20), first);
  EXPECT_NE(At(1, 16, 1), first) << "once more in the same translation";
  roof_block_code longer = first->code;
  longer.end += 4;
  EXPECT_NE(roof_blocks_intern(&blocks_, &longer), first);
  int count = 0;
  for (const roof_block* block = blocks_.newest; block != nullptr; block = block->before) ++count;
  EXPECT_EQ(count, 5);
}

TEST_F(ContextBlocks, JumpsAreCountedByTheirEnds) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(roof_blocks_jump(&blocks_, 1, 8, 16, 1));
  EXPECT_TRUE(roof_blocks_jump(&blocks_, 1, 8, 24, 1));
  EXPECT_TRUE(roof_blocks_jump(&blocks_, 2, 8, 16, 1));
  ASSERT_NE(blocks_.newest_jump, nullptr);
  EXPECT_EQ(blocks_.newest_jump->module, 2u);
  EXPECT_EQ(blocks_.newest_jump->before->to, 24u);
  EXPECT_EQ(blocks_.newest_jump->before->before->times, 3u);
  EXPECT_EQ(blocks_.newest_jump->before->before->before, nullptr);
}

TEST_F(ContextBlocks, CallsAreCountedByTheirEnds) {
  int is_new = 0;
  const auto call = [&](uint64_t module, uint64_t from, uint64_t address) {
    roof_called* called = roof_blocks_called(&blocks_, module, from, address, &is_new);
    if (called != nullptr) ++called->times;
    return called;
  };
  roof_called* first = call(1, 8, 4096);
  EXPECT_EQ(is_new, 1);
  EXPECT_EQ(call(1, 8, 4096), first);
  EXPECT_EQ(is_new, 0);
  EXPECT_EQ(first->times, 2u);
  for (roof_called* other : {call(2, 8, 4096), call(1, 16, 4096), call(1, 8, 8192)}) {
    EXPECT_NE(other, first);
    EXPECT_EQ(is_new, 1);
    EXPECT_EQ(other->times, 1u);
  }
  first->to_module = 3;
  first->to = 96;
  std::vector<roof_called> told;
  const roof_blocks_taker taker = {&told, nullptr, nullptr,
                                   [](void* to, const roof_called* called) {
                                     static_cast<std::vector<roof_called>*>(to)->push_back(*called);
                                   },
                                   nullptr};
  roof_blocks_give(&blocks_, &taker);
  ASSERT_EQ(told.size(), 1u) << "where the others lead is not known";
  EXPECT_EQ(told[0].to, 96u);
  roof_blocks_clear(&blocks_);
  EXPECT_EQ(first->times, 0u);
}

TEST_F(ContextBlocks, PartsAreToldApartByPathLayerAndThread) {
  roof_block *one = At(1, 16), *other = At(1, 20);
  const roof_executor by = {3, ROOF_LAYER_WORK, 1};
  const roof_executor others[] = {
      {4, ROOF_LAYER_WORK, 1}, {3, ROOF_LAYER_MPI, 1}, {3, ROOF_LAYER_WORK, 0}};
  EXPECT_TRUE(roof_blocks_part(&blocks_, one, &by, 5));
  EXPECT_TRUE(roof_blocks_part(&blocks_, other, &by, 1));
  for (const roof_executor& each : others) EXPECT_TRUE(roof_blocks_part(&blocks_, one, &each, 1));
  EXPECT_TRUE(roof_blocks_part(&blocks_, one, &by, 6));
  int count = 0;
  uint64_t most = 0;
  for (const roof_block_part* part = blocks_.newest_part; part != nullptr; part = part->before) {
    ++count;
    most = std::max(most, part->times);
  }
  EXPECT_EQ(count, 5);
  EXPECT_EQ(most, 11u);
}

// A condition is taken as often as its block is executed more than what follows it.
TEST_F(ContextBlocks, WaysFollowFromTheTimesOfTheBlocksAroundThem) {
  roof_block_code code = {};
  code.module = 1;
  code.translation = code.begin = 16;
  code.end = 24;
  code.last = 22;
  code.exit_to = 16;
  roof_block* loop = roof_blocks_intern(&blocks_, &code);
  roof_block_code empty = {};
  empty.module = 1;
  empty.translation = 16;
  empty.position = 1;
  empty.last = 22;
  empty.next = 24;
  EXPECT_EQ(roof_blocks_behind(&blocks_, loop, &empty), loop->behind);
  EXPECT_EQ(roof_blocks_behind(&blocks_, loop, &empty), loop->behind) << "made once";
  loop->times = 10;
  loop->behind->times = 3;
  roof_blocks_jump(&blocks_, 1, 40, 16, 2);
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> ways;
  int blocks = 0;
  struct {
    std::map<std::pair<uint64_t, uint64_t>, uint64_t>* ways;
    int* blocks;
  } taken = {&ways, &blocks};
  using Taken = decltype(taken);
  const roof_blocks_taker taker = {
      &taken, [](void* to, const roof_block*) { ++*static_cast<Taken*>(to)->blocks; },
      [](void* to, const roof_block_way* way) {
        (*static_cast<Taken*>(to)->ways)[{way->from, way->to}] += way->times;
      },
      [](void*, const roof_called*) {}, [](void*, const roof_block_part*) {}};
  roof_blocks_give(&blocks_, &taker);
  EXPECT_EQ(blocks, 1) << "an empty one is none";
  EXPECT_EQ(ways.size(), 3u);
  EXPECT_EQ((ways[{22, 16}]), 7u);
  EXPECT_EQ((ways[{22, 24}]), 3u);
  EXPECT_EQ((ways[{40, 16}]), 2u);
}

TEST_F(ContextBlocks, AForkedChildStartsFromZero) {
  At(1, 16)->times = 5;
  roof_blocks_jump(&blocks_, 1, 8, 16, 1);
  const roof_executor by = {3, ROOF_LAYER_WORK, 1};
  roof_blocks_part(&blocks_, At(1, 16), &by, 5);
  roof_blocks_clear(&blocks_);
  EXPECT_EQ(blocks_.newest_part->times, 0u);
  EXPECT_EQ(At(1, 16)->times, 0u);
  EXPECT_EQ(blocks_.newest_jump->times, 0u);
}

TEST_F(ContextBlocks, WithoutMemoryThereIsNone) {
  memory_.limit = memory_.bytes;
  EXPECT_EQ(At(1, 16), nullptr);
  EXPECT_FALSE(roof_blocks_jump(&blocks_, 1, 8, 16, 1));
  roof_block block = {};
  const roof_executor by = {};
  EXPECT_FALSE(roof_blocks_part(&blocks_, &block, &by, 1));
  EXPECT_EQ(block.parts, nullptr);
  EXPECT_EQ(roof_blocks_behind(&blocks_, &block, &block.code), nullptr);
  int is_new = 0;
  EXPECT_EQ(roof_blocks_called(&blocks_, 1, 8, 4096, &is_new), nullptr);
  EXPECT_EQ(blocks_.lost, 3u) << "a jump, a part and a call";
}

}  // namespace
}  // namespace roofmark
