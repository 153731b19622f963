// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/contexts/contexts.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

constexpr uint32_t kSlots = 8;

// An engine whose translated code executes one kind of segment: one instruction.
class Contexts : public testing::Test {
 protected:
  Contexts() {
    const roof_memory hooks = memory_.Hooks();
    segments_.memory = hooks;
    EXPECT_TRUE(roof_contexts_start(&contexts_, &hooks, &segments_, kSlots));
    one_ = Instructions(1);
  }
  uint32_t Instructions(int amount) {
    auto segment = std::make_unique<roof_segment>();
    segment->sum[ROOF_C_INSTRUCTIONS] = amount;
    return roof_segments_intern(&segments_, segment.get())->id;
  }
  void EnterLayer(uint32_t slot, uint32_t layer) {
    EXPECT_TRUE(roof_layers_enter(&contexts_.threads[slot].layers, &contexts_.memory, layer));
  }
  void LeaveLayer(uint32_t slot) { roof_layers_leave(&contexts_.threads[slot].layers); }
  void Execute(uint32_t slot, uint64_t times) {
    roof_context* context = roof_contexts_enter(&contexts_, slot);
    ASSERT_NE(context, nullptr);
    context->executions[one_] += times;
  }
  uint64_t Counted(uint32_t thread, uint32_t path, uint32_t layer = ROOF_LAYER_WORK) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < contexts_.all.count; ++i) {
      roof_context* context = contexts_.all.item[i];
      roof_context_fold(&contexts_, context);
      if (context->thread == thread && context->path == path && context->layer == layer)
        sum += context->counters[ROOF_C_INSTRUCTIONS];
    }
    return sum;
  }

  Memory memory_;
  roof_segments segments_{};
  roof_contexts contexts_{};
  uint32_t one_ = 0;
};

TEST_F(Contexts, OwnPathsWinOverTheTeams) {
  roof_contexts_thread_created(&contexts_, 1);
  roof_contexts_thread_created(&contexts_, 2);
  Execute(1, 1);
  roof_contexts_set_team_path(&contexts_, 5);
  Execute(1, 10);
  Execute(2, 20);
  roof_contexts_set_own_path(&contexts_, 2, 6);
  Execute(1, 100);
  Execute(2, 200);
  roof_contexts_set_own_path(&contexts_, 2, 0);
  Execute(2, 2000);
  EXPECT_EQ(Counted(1, 0), 1u);
  EXPECT_EQ(Counted(1, 5), 110u);
  EXPECT_EQ(Counted(2, 5), 2020u);
  EXPECT_EQ(Counted(2, 6), 200u);
}

// A function with a loop in it, behind a call: each is entered once, below the path of the markers.
TEST_F(Contexts, NestsThatAreEnteredAreCountedInTheirPaths) {
  constexpr uint64_t kOuter = 0x2000, kCalled = 0x1000, kBack = 0x400020;
  const roof_nest nests[] = {{0, 1, 0, 0}, {1, 0, 0, 0}};
  contexts_.nests.memory = memory_.Hooks();
  ASSERT_EQ(roof_nests_set(&contexts_.nests, nests, 2, nullptr, 0, nullptr, 0), 1);
  const auto entries = [&](uint32_t path) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < contexts_.all.count; ++i) {
      if (contexts_.all.item[i]->path == path) sum += contexts_.all.item[i]->entries;
    }
    return sum;
  };
  roof_contexts_thread_created(&contexts_, 1);
  roof_contexts_set_team_path(&contexts_, 3);
  ASSERT_TRUE(roof_contexts_begin(&contexts_, 1, 1, kOuter));
  const uint32_t function = roof_contexts_choose(&contexts_, 1)->path;
  EXPECT_NE(function, 3u);
  EXPECT_EQ(entries(function), 1u);
  ASSERT_TRUE(roof_contexts_call(&contexts_, 1, 1, 2, kBack, kCalled));
  EXPECT_EQ(roof_contexts_choose(&contexts_, 1)->path, function) << "what is called is inside";
  ASSERT_TRUE(roof_contexts_come_back(&contexts_, 1, kBack, kCalled + 8));
  const uint32_t loop = roof_contexts_choose(&contexts_, 1)->path;
  EXPECT_NE(loop, function);
  EXPECT_EQ(entries(loop), 1u);
  EXPECT_EQ(entries(function), 1u) << "it was there all the time";
}

TEST_F(Contexts, WhatIsNotCountedInFullIsCountedApart) {
  roof_contexts_set_team_path(&contexts_, 3);
  Execute(1, 1);
  contexts_.extent = 1;
  Execute(1, 10);
  EXPECT_EQ(contexts_.threads[1].context->extent, 1u);
  contexts_.extent = 0;
  Execute(1, 100);
  EXPECT_EQ(contexts_.threads[1].context->extent, 0u);
  EXPECT_EQ(Counted(1, 3), 111u);
  ASSERT_EQ(contexts_.all.count, 2u);
  EXPECT_EQ(contexts_.all.item[0]->counters[ROOF_C_INSTRUCTIONS], 101u);
  EXPECT_EQ(contexts_.all.item[1]->counters[ROOF_C_INSTRUCTIONS], 10u);
}

TEST_F(Contexts, LayersAreStackedForEachThread) {
  roof_contexts_set_team_path(&contexts_, 3);
  Execute(1, 1);
  Execute(2, 5);
  EnterLayer(1, ROOF_LAYER_MPI);
  Execute(1, 10);
  Execute(2, 50);
  EnterLayer(1, ROOF_LAYER_OWN);
  Execute(1, 100);
  LeaveLayer(1);
  Execute(1, 20);
  LeaveLayer(1);
  Execute(1, 2);
  LeaveLayer(1);  // what was not entered
  Execute(1, 4);
  EnterLayer(1, ROOF_LAYER_MPI);
  Execute(1, 40);
  EXPECT_EQ(Counted(1, 3), 7u);
  EXPECT_EQ(Counted(1, 3, ROOF_LAYER_MPI), 70u);
  EXPECT_EQ(Counted(1, 0, ROOF_LAYER_OWN), 100u) << "no region has it";
  EXPECT_EQ(Counted(2, 3), 55u);
}

TEST_F(Contexts, LayersCanBeForgotten) {
  roof_contexts_thread_created(&contexts_, 1);
  EnterLayer(1, ROOF_LAYER_MPI);
  roof_contexts_forget_layers(&contexts_);
  Execute(1, 1);
  EXPECT_EQ(Counted(1, 0), 1u);
}

TEST_F(Contexts, ASlotThatIsUsedAgainIsANewThread) {
  Execute(1, 1);
  roof_contexts_set_own_path(&contexts_, 1, 4);
  EnterLayer(1, ROOF_LAYER_MPI);
  Execute(1, 10);
  roof_contexts_thread_ended(&contexts_, 1);
  roof_contexts_thread_created(&contexts_, 1);
  Execute(1, 100);
  EXPECT_EQ(Counted(1, 0), 1u);
  EXPECT_EQ(Counted(1, 4, ROOF_LAYER_MPI), 10u);
  EXPECT_EQ(Counted(2, 0), 100u);
  EXPECT_EQ(contexts_.threads_created, 2u);
}

TEST_F(Contexts, ThreadsThatFollowEachOtherInASlotShareTheirContexts) {
  constexpr uint32_t kThreads = 1000;
  Execute(1, 1);
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    roof_contexts_thread_created(&contexts_, 2);
    Execute(2, 10);
    roof_contexts_thread_ended(&contexts_, 2);
  }
  EXPECT_EQ(Counted(1, 0), 1u);
  EXPECT_EQ(Counted(2, 0), 10u * kThreads);
  EXPECT_EQ(contexts_.threads_created, 2u);
  EXPECT_EQ(contexts_.all.count, 2u) << "memory grows with each thread";
}

TEST_F(Contexts, PathsBeyondTheLimitAreFoldedIntoNoneAndCounted) {
  roof_contexts_set_team_path(&contexts_, ROOF_MAX_PATHS);
  Execute(1, 1);
  roof_contexts_set_own_path(&contexts_, 1, ROOF_MAX_PATHS - 1);
  Execute(1, 10);
  EXPECT_EQ(Counted(1, 0), 1u);
  EXPECT_EQ(Counted(1, ROOF_MAX_PATHS - 1), 10u);
  EXPECT_EQ(contexts_.lost_paths, 1u);
}

// More contexts than arrays are kept: folding loses nothing, and the memory stays small.
TEST_F(Contexts, ManyPathsShareFewArrays) {
  constexpr uint32_t kPaths = 2000;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t path = 1; path <= kPaths; ++path) {
      roof_contexts_set_team_path(&contexts_, path);
      Execute(1, path);
    }
  }
  EXPECT_LE(contexts_.live.count, 513u);
  EXPECT_LT(memory_.bytes, 40u << 20);
  for (uint32_t path = 1; path <= kPaths; ++path) ASSERT_EQ(Counted(1, path), 2 * path);
}

TEST_F(Contexts, AnArrayGrowsWithTheTableOfSegments) {
  Execute(1, 7);
  for (int i = 2; i < 6000; ++i) Instructions(i);
  roof_context* context = roof_contexts_enter(&contexts_, 1);
  ASSERT_GE(context->capacity, segments_.count + 1);
  context->executions[segments_.count] += 1;
  EXPECT_EQ(Counted(1, 0), 7u + 5999);
}

TEST_F(Contexts, AForkedChildStartsFromZero) {
  Execute(1, 7);
  EXPECT_EQ(Counted(1, 0), 7u);
  Execute(1, 5);
  roof_contexts_clear(&contexts_);
  EXPECT_EQ(Counted(1, 0), 0u);
  Execute(1, 2);
  EXPECT_EQ(Counted(1, 0), 2u);
}

// It may have been forked by any thread of a parent that was in a region.
TEST_F(Contexts, TheThreadOfAForkedChildIsItsMainThreadInNoRegion) {
  roof_contexts_set_team_path(&contexts_, 3);
  Execute(1, 7);
  roof_contexts_set_own_path(&contexts_, 2, 4);
  Execute(2, 5);
  roof_contexts_begin_in_child(&contexts_, 2);
  EXPECT_EQ(contexts_.threads[2].serial, 1u);
  EXPECT_EQ(contexts_.threads[1].serial, 0u);
  Execute(2, 9);
  EXPECT_EQ(Counted(1, 0), 9u);
  for (const uint32_t path : {3u, 4u}) {
    EXPECT_EQ(Counted(1, path), 0u);
    EXPECT_EQ(Counted(2, path), 0u);
  }
}

TEST_F(Contexts, WithoutMemoryThereIsNoContextAndNothingIsLost) {
  Execute(1, 7);
  memory_.limit = memory_.bytes;
  roof_contexts_set_team_path(&contexts_, 1);
  EXPECT_EQ(roof_contexts_enter(&contexts_, 1), nullptr);
  memory_.limit = SIZE_MAX;
  Execute(1, 9);
  EXPECT_EQ(Counted(1, 0), 7u);
  EXPECT_EQ(Counted(1, 1), 9u);
}

}  // namespace
}  // namespace roofmark
