// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/contexts/segments.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

class Segments : public testing::Test {
 protected:
  Segments() : segment_(std::make_unique<roof_segment>()) { segments_.memory = memory_.Hooks(); }

  const roof_descriptor* Intern() { return roof_segments_intern(&segments_, segment_.get()); }
  // A segment that adds this to the number of instructions.
  const roof_descriptor* OfInstructions(int amount) {
    roof_segment_clear(segment_.get());
    segment_->sum[ROOF_C_INSTRUCTIONS] = amount;
    return Intern();
  }
  void Fold(std::vector<uint64_t>& executions, std::vector<uint64_t>& counters,
            roof_executor by = {}, roof_blocks* parts = nullptr, uint32_t stay = 0) {
    const roof_executions all = {executions.data(), static_cast<uint32_t>(executions.size()), stay,
                                 by, 0};
    roof_segments_fold(&segments_, &all, counters.data(), parts);
  }

  Memory memory_;
  roof_segments segments_{};
  std::unique_ptr<roof_segment> segment_;  // some kilobytes
};

TEST_F(Segments, EqualContentSharesADescriptor) {
  const roof_descriptor* three = OfInstructions(3);
  const roof_descriptor* four = OfInstructions(4);
  EXPECT_NE(three, four);
  EXPECT_EQ(OfInstructions(3), three);
  EXPECT_EQ(three->id, 1u);
  EXPECT_EQ(four->id, 2u);
  EXPECT_EQ(segments_.count, 2u);
}

TEST_F(Segments, AccessesTellDescriptorsApart) {
  const roof_descriptor* plain = OfInstructions(3);
  segment_->accesses = 2;
  segment_->tag[0] = 7;
  segment_->tag[1] = 8;
  const roof_descriptor* two = Intern();
  EXPECT_NE(two, plain);
  EXPECT_EQ(two->accesses, 2);
  EXPECT_EQ(two->tag[1], 8u);
  for (int i = 2; i < 2 + ROOF_TAG_PADDING; ++i) EXPECT_EQ(two->tag[i], 0u) << i;
  segment_->guarded = 1;
  EXPECT_NE(Intern(), two);
  segment_->guarded = 0;
  segment_->tag[1] = 9;
  EXPECT_NE(Intern(), two);
  segment_->tag[1] = 8;
  EXPECT_EQ(Intern(), two);
}

TEST_F(Segments, FoldingMultipliesOutAndClears) {
  roof_segment_clear(segment_.get());
  segment_->sum[ROOF_C_INSTRUCTIONS] = 5;
  segment_->sum[ROOF_C_LOAD_BYTES] = -8;  // taken back
  const roof_descriptor* both = Intern();
  const roof_descriptor* one = OfInstructions(1);
  std::vector<uint64_t> executions(10), counters(ROOF_COUNTERS);
  counters[ROOF_C_LOAD_BYTES] = 100;
  executions[both->id] = 4;
  executions[one->id] = 3;
  Fold(executions, counters);
  EXPECT_EQ(counters[ROOF_C_INSTRUCTIONS], 4u * 5 + 3);
  EXPECT_EQ(counters[ROOF_C_LOAD_BYTES], 100u - 4 * 8);
  EXPECT_EQ(executions, std::vector<uint64_t>(10));
}

TEST_F(Segments, CountsOfWhoGoesOnStay) {
  const roof_descriptor* one = OfInstructions(2);
  std::vector<uint64_t> executions(10), counters(ROOF_COUNTERS);
  executions[one->id] = 3;
  Fold(executions, counters, {}, nullptr, /*stay=*/1);
  EXPECT_EQ(counters[ROOF_C_INSTRUCTIONS], 6u);
  EXPECT_EQ(executions[one->id], 3u);
}

TEST_F(Segments, AnArrayMayBeShorterThanTheTable) {
  for (int i = 1; i <= 5; ++i) OfInstructions(i);
  std::vector<uint64_t> executions = {0, 1, 1}, counters(ROOF_COUNTERS);
  Fold(executions, counters);
  EXPECT_EQ(counters[ROOF_C_INSTRUCTIONS], 1u + 2);
}

TEST_F(Segments, ThousandsKeepTheirIds) {
  std::vector<const roof_descriptor*> all;
  for (int i = 1; i <= 5000; ++i) all.push_back(OfInstructions(i));
  for (int i = 1; i <= 5000; ++i) {
    const roof_descriptor* one = all[static_cast<size_t>(i) - 1];
    ASSERT_EQ(OfInstructions(i), one);
    ASSERT_EQ(one->id, static_cast<uint32_t>(i));
    ASSERT_EQ(one->share[0].amount, i);
  }
  EXPECT_EQ(segments_.count, 5000u);
}

TEST_F(Segments, WithoutMemoryThereIsNoDescriptorAndNothingLeaks) {
  const size_t before = memory_.bytes;
  size_t refused = 0;
  for (memory_.limit = 0; OfInstructions(1) == nullptr; memory_.limit += 64) ++refused;
  EXPECT_GT(refused, 2u);
  EXPECT_GT(memory_.bytes, before);
  EXPECT_EQ(segments_.count, 1u);
}

TEST_F(Segments, ABlockHasOneForEachContentAndVersion) {
  roof_block one = {}, other = {};
  std::vector<const roof_descriptor*> all;
  for (roof_block* block : {&one, &other}) {
    for (uint32_t version = 0; version < 3; ++version) {
      for (int32_t amount = 1; amount < 4; ++amount) {
        roof_segment_clear(segment_.get());
        segment_->block = block;
        segment_->version = version;
        segment_->sum[ROOF_C_INSTRUCTIONS] = amount;
        all.push_back(Intern());
        EXPECT_EQ(Intern(), all.back());
        EXPECT_EQ(all.back()->block, block);
        EXPECT_EQ(all.back()->version, version);
      }
    }
  }
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), all.size());
  EXPECT_EQ(segments_.count, all.size());
}

TEST_F(Segments, BlocksAreExecutedByWhoeverHasTheCounts) {
  roof_blocks blocks{};
  blocks.memory = memory_.Hooks();
  roof_block_code code = {};
  code.begin = 16;
  roof_segment_clear(segment_.get());
  segment_->block = roof_blocks_intern(&blocks, &code);
  const roof_descriptor* of_block = Intern();
  const auto fold = [&](uint64_t times, roof_executor by) {
    std::vector<uint64_t> executions(of_block->id + 1), counters(ROOF_COUNTERS);
    executions[of_block->id] = times;
    Fold(executions, counters, by, &blocks);
  };
  fold(2, {7, ROOF_LAYER_WORK, 1});
  fold(3, {7, ROOF_LAYER_WORK, 1});
  fold(10, {7, ROOF_LAYER_WORK, 0});
  fold(20, {8, ROOF_LAYER_MPI, 1});
  fold(40, {8, ROOF_LAYER_OWN, 1});
  EXPECT_EQ(segment_->block->times, 2u + 3 + 10) << "work alone";
  std::vector<uint64_t> times;
  for (const roof_block_part* part = blocks.newest_part; part != nullptr; part = part->before) {
    EXPECT_EQ(part->block, segment_->block);
    times.push_back(part->times);
  }
  EXPECT_EQ(times, (std::vector<uint64_t>{20, 10, 5})) << "newest first; none of roofmark's own";
}

}  // namespace
}  // namespace roofmark
