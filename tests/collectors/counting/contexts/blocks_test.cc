// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/contexts/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST_F(ContextBlocks, PartsAreToldApartByPathLayerAndThread) {
  const roof_block *one = At(1, 16), *other = At(1, 20);
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
  const roof_block block = {};
  const roof_executor by = {};
  EXPECT_FALSE(roof_blocks_part(&blocks_, &block, &by, 1));
}

}  // namespace
}  // namespace roofmark
