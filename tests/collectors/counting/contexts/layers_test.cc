// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/contexts/layers.h"

#include <gtest/gtest.h>

#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

// A thread whose stack grows downwards from 1000.
class Layers : public testing::Test {
 protected:
  void Reach(uint32_t owner, uint64_t stack_pointer) {
    ASSERT_TRUE(roof_layers_reach(&layers_, &hooks_, owner, stack_pointer));
  }
  void CallBack(uint64_t stack_pointer) {
    ASSERT_TRUE(roof_layers_call_back(&layers_, &hooks_, stack_pointer));
  }
  void Return(uint64_t stack_pointer) { roof_layers_return(&layers_, stack_pointer); }
  uint32_t Layer() const { return roof_layers_top(&layers_).layer; }

  Memory memory_;
  roof_memory hooks_ = memory_.Hooks();
  roof_layers layers_{};
};

TEST_F(Layers, AThreadBeginsInWorkThatNeverEnds) {
  Return(UINT64_MAX);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_WORK});
}

TEST_F(Layers, ACallEndsWhenItsReturnAddressIsPopped) {
  Reach(ROOF_MPI, 900);
  Reach(ROOF_MPI, 800);  // further functions of MPI
  EXPECT_EQ(layers_.depth, 1u);
  Return(808);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_MPI});
  Return(900);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_MPI});
  Return(908);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_WORK});
}

TEST_F(Layers, ARuntimeThatCallsTheProgramIsLeftUntilTheProgramReturns) {
  Reach(ROOF_RUNTIME, 900);
  CallBack(800);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_WORK});
  Reach(ROOF_RUNTIME, 700);  // the program waits at a barrier
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_RUNTIME});
  Return(708);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_WORK});
  Reach(ROOF_RUNTIME, 808);  // the program has returned
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_RUNTIME});
  EXPECT_EQ(layers_.depth, 1u);
}

TEST_F(Layers, WhatMpiCallsIsMpiWhoeverCallsItFromThere) {
  Reach(ROOF_MPI, 900);
  CallBack(850);  // the program's reduction
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_MPI});
  Reach(ROOF_OWN, 800);  // has a marker
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_OWN});
  Return(808);
  Reach(ROOF_RUNTIME, 800);  // and a team
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_RUNTIME});
  CallBack(700);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_MPI});
}

TEST_F(Layers, ThreadsThatRoofmarkStartsAreWork) {
  Reach(ROOF_OWN, 990);
  CallBack(900);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_WORK});
}

TEST_F(Layers, AJumpOverManyCallsLeavesThemAll) {
  Reach(ROOF_RUNTIME, 900);
  CallBack(850);
  Reach(ROOF_MPI, 800);
  Reach(ROOF_OWN, 700);
  Return(908);
  EXPECT_EQ(layers_.depth, 0u);
}

TEST_F(Layers, ACallThatWasMissedPutsItselfRight) {
  Reach(ROOF_MPI, 500);  // its return was not seen
  Reach(ROOF_RUNTIME, 900);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_RUNTIME});
  EXPECT_EQ(layers_.depth, 1u);
}

TEST_F(Layers, RequestsLastUntilTheyAreTakenBack) {
  ASSERT_TRUE(roof_layers_enter(&layers_, &hooks_, ROOF_LAYER_OWN));
  Return(2000);
  Reach(ROOF_OWN, 900);  // is there already
  Reach(ROOF_MPI, 900);
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_MPI});
  roof_layers_leave(&layers_);  // with the call that it contains
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_WORK});
  Reach(ROOF_MPI, 900);
  roof_layers_leave(&layers_);  // what was not entered
  EXPECT_EQ(Layer(), uint32_t{ROOF_LAYER_MPI});
}

TEST_F(Layers, HaveNoLimitButMemory) {
  for (uint64_t depth = 0; depth < 1000; ++depth) {
    Reach(ROOF_RUNTIME, 1'000'000 - 2 * depth);
    CallBack(1'000'000 - 2 * depth - 1);
  }
  EXPECT_EQ(layers_.depth, 2000u);
  Return(1'000'000);
  EXPECT_EQ(layers_.depth, 1u);
  roof_layers full{};
  memory_.limit = memory_.bytes;
  EXPECT_FALSE(roof_layers_reach(&full, &hooks_, ROOF_MPI, 900));
  EXPECT_EQ(roof_layers_top(&full).layer, uint32_t{ROOF_LAYER_WORK});
}

}  // namespace
}  // namespace roofmark
