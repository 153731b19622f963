// SPDX-License-Identifier: BSD-3-Clause
//
// Instructions that the engine's intermediate code would count wrongly; see guests/instructions.c.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

class Instructions : public testing::Test {
 protected:
  static void SetUpTestSuite() { run_ = new ToolRun(RunTool({}, {"instructions"})); }
  static void TearDownTestSuite() { delete run_; }
  void SetUp() override { ASSERT_EQ(run_->exit_code, 0) << run_->err; }

  // A counter of a path without what the requests around it cost.
  static int64_t Net(unsigned path, int counter, int times = 1) {
    auto index = static_cast<size_t>(counter);
    return static_cast<int64_t>(run_->At(1, path)[index]) -
           times * static_cast<int64_t>(run_->At(1, 99)[index]);
  }
  // What a path counted more than another one that ran the same code.
  static int64_t Between(unsigned base, unsigned path, int counter) {
    return Net(path, counter) - Net(base, counter);
  }
  static bool HasAvx2() { return run_->layers[ROOF_LAYER_WORK].count({1, 30}) > 0; }
  static ToolRun* run_;
};
ToolRun* Instructions::run_;

TEST_F(Instructions, RepeatedStringsCountOnceWithTheBytesTheyMoved) {
  EXPECT_EQ(Between(20, 21, ROOF_C_LOAD_BYTES), 100);
  EXPECT_EQ(Between(20, 21, ROOF_C_STORE_BYTES), 100);
  EXPECT_EQ(Between(22, 23, ROOF_C_STORE_BYTES), 80);
  EXPECT_EQ(Between(22, 23, ROOF_C_LOAD_BYTES), 0);
  EXPECT_EQ(Between(24, 25, ROOF_C_LOAD_BYTES), 21);
  EXPECT_EQ(Between(24, 26, ROOF_C_LOAD_BYTES), 5);
  for (int counter : {ROOF_C_INSTRUCTIONS, ROOF_C_LOAD_INSTRUCTIONS, ROOF_C_STORE_INSTRUCTIONS}) {
    EXPECT_EQ(Between(20, 21, counter), 0);
    EXPECT_EQ(Between(22, 23, counter), 0);
    EXPECT_EQ(Between(24, 25, counter), 0);
    EXPECT_EQ(Between(24, 26, counter), 0);
  }
}

TEST_F(Instructions, BehindAConditionOnlyWhatIsExecuted) {
  EXPECT_EQ(Between(40, 41, ROOF_C_INSTRUCTIONS), 2);
  EXPECT_EQ(Between(40, 41, ROOF_C_BRANCH_INSTRUCTIONS), 1);
  EXPECT_EQ(Between(41, 42, ROOF_C_INSTRUCTIONS), 1);
  EXPECT_EQ(Between(41, 42, ROOF_C_BRANCH_INSTRUCTIONS), 0);
}

TEST_F(Instructions, NonTemporalStores) {
  EXPECT_EQ(Net(6, ROOF_C_NT_STORE_BYTES), 16 + 16 + 8);
  EXPECT_EQ(Net(6, ROOF_C_STORE_BYTES), 16 + 16 + 8);
  EXPECT_EQ(Net(7, ROOF_C_NT_STORE_BYTES), 0);
  EXPECT_EQ(Net(7, ROOF_C_STORE_BYTES), 32);
  EXPECT_EQ(Net(8, ROOF_C_NT_STORE_BYTES), 16);
  EXPECT_EQ(Net(8, ROOF_C_LOAD_BYTES), 0);
}

// The engine executes one by a load and a comparison, the other one by the latter alone.
TEST_F(Instructions, LockedOnesReadOnce) {
  EXPECT_EQ(Between(14, 15, ROOF_C_LOAD_INSTRUCTIONS), 0);
  EXPECT_EQ(Between(14, 15, ROOF_C_LOAD_BYTES), 0);
  EXPECT_EQ(Between(14, 15, ROOF_C_STORE_BYTES), 0);
}

TEST_F(Instructions, WhatTheEngineDropsOrLowers) {
  EXPECT_EQ(Net(10, ROOF_C_FLOPS(ROOF_DP, ROOF_128, ROOF_ADD), 10), 20);
  EXPECT_EQ(Net(10, ROOF_C_FLOPS(ROOF_DP, ROOF_128, ROOF_MUL), 10), 20);
  EXPECT_EQ(Net(10, ROOF_C_FLOPS(ROOF_SP, ROOF_128, ROOF_MUL), 10), 40);
  EXPECT_EQ(Net(10, ROOF_C_FLOPS(ROOF_SP, ROOF_128, ROOF_ADD), 10), 30);
  EXPECT_EQ(Net(10, ROOF_C_FP_INSTRUCTIONS, 10), 30);
  EXPECT_EQ(Net(10, ROOF_C_FP_OTHER_INSTRUCTIONS, 10), 10);
}

TEST_F(Instructions, X87AndOtherKinds) {
  EXPECT_EQ(Net(11, ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_ADD), 10), 10);
  EXPECT_EQ(Net(11, ROOF_C_FLOPS(ROOF_DP, ROOF_SCALAR, ROOF_SQRT), 10), 10);
  EXPECT_EQ(Net(11, ROOF_C_X87_TRANSCENDENTALS, 10), 10);
  EXPECT_EQ(Net(12, ROOF_C_FLOPS(ROOF_DP, ROOF_128, ROOF_ADD)), 2);
  EXPECT_EQ(Net(12, ROOF_C_FLOPS(ROOF_SP, ROOF_128, ROOF_DIV)), 4);
  EXPECT_EQ(Net(12, ROOF_C_FP_OTHER_INSTRUCTIONS), 1);
}

TEST_F(Instructions, MaskedElementsAreNotAccessed) {
  if (!HasAvx2()) GTEST_SKIP() << "this processor has no AVX2";
  EXPECT_EQ(Between(31, 30, ROOF_C_LOAD_BYTES), 16);
  EXPECT_EQ(Between(33, 32, ROOF_C_LOAD_BYTES), 16);
  EXPECT_EQ(Between(35, 34, ROOF_C_STORE_BYTES), 16);
}

// Valgrind ends programs, or prints, because of lines of the source in forms that it does not know.
TEST(SourceLines, InAnyFormChangeNothing) {
  unsigned executed = 0;
  for (const char* form : {"split-dwarf", "dwarf64", "clang"}) {
    const std::string guest = std::string("lines_") + form;
    if (access((ROOFMARK_GUESTS "/" + guest).c_str(), X_OK) != 0) continue;
    SCOPED_TRACE(guest);
    ++executed;
    const ToolRun run = RunTool({}, {guest});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    EXPECT_GT(Flops(run.At(1, 12)), 0u);
  }
  if (executed == 0) GTEST_SKIP() << "no compiler here makes such forms";
}

TEST(FusedMultiplyAdd, HardwareGivesTheBitsOfTheNativeRun) {
  ToolRun native = RunNative({"fma_bits"});
  if (native.exit_code == 128 + 4) GTEST_SKIP() << "this processor has no FMA";
  ToolRun counted = RunTool({}, {"fma_bits"});
  ASSERT_EQ(counted.exit_code, 0) << counted.err;
  EXPECT_EQ(counted.out, native.out);
}

}  // namespace
}  // namespace roofmark
