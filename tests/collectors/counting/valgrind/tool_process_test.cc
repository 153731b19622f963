// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// What "record 1 1" of one part of the output counts.
uint64_t FlopsAfter(const std::string& out, const std::string& marker) {
  std::istringstream fields(out.substr(out.find("record 1 1 ", out.find(marker)) + 11));
  uint64_t sum = 0, value = 0;
  for (int i = 0; i < ROOF_C_FLOPS_COUNT && fields >> value; ++i) sum += value;
  return sum;
}

TEST(Process, ForkedChildHarvestsItsOwnWork) {
  for (const char* count : {"--count=flops", "--count=cache"}) {
    ToolRun run = RunTool({count}, {"process", "fork"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_TRUE(Contains(run.out, "parent 0")) << run.out;
    EXPECT_EQ(FlopsAfter(run.out, "child"), 70u);
    EXPECT_EQ(FlopsAfter(run.out, "parent"), 1005u);
  }
}

TEST(Process, ExecIsNotFollowed) {
  ToolRun run = RunTool({}, {"process", "exec"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "followed by echo\n");
  EXPECT_EQ(run.err, "");
}

TEST(Process, CountingStopsAndStartsAgain) {
  for (const char* count : {"--count=flops", "--count=cache"}) {
    ToolRun run = RunTool({count}, {"process", "stop"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(Flops(run.At(1, 1)), 1010u) << count;
  }
}

TEST(Process, LayersAreCountedApart) {
  for (const char* count : {"--count=flops", "--count=cache"}) {
    ToolRun run = RunTool({count}, {"process", "layers"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(Flops(run.At(1, 1)), 30u) << count;
    EXPECT_EQ(Flops(run.InLayer(ROOF_LAYER_MPI, 1, 1)), 300u) << count;
    EXPECT_EQ(Flops(run.InLayer(ROOF_LAYER_RUNTIME, 1, 1)), 1000u) << count;
    EXPECT_EQ(Flops(run.InLayer(ROOF_LAYER_OWN, 1, 1)), 0u) << count;
  }
}

// With the cache model on, stopping must give back far more than noise takes.
TEST(Process, StoppedRunsAreFast) {
  ToolRun run = RunTool(SmallCaches(), {"process", "stopped_speed"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  double counted = 0, cheap = 0, stopped = 0;
  int step = 0;
  std::string word;
  std::istringstream(run.out) >> word >> step >> counted >> word >> step >> cheap >> word >> step >>
      stopped;
  EXPECT_EQ(step, 2);
  EXPECT_LT(cheap, 0.7 * counted);
  EXPECT_LT(stopped, 0.5 * counted);
}

// 1 MiB read three times. The first level keeps none of it, and sees nothing of the second time.
TEST(Process, WhatIsCountedCheaplyHasNoTraffic) {
  const ToolRun run = RunTool(SmallCaches(), {"process", "cheap"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Counters full = run.At(1, 1), cheap = run.cheap.at({1, 1});
  EXPECT_EQ(Flops(cheap), 131072u);
  EXPECT_EQ(Flops(full), 2 * Flops(cheap));
  EXPECT_EQ(full[ROOF_C_INSTRUCTIONS], 2 * cheap[ROOF_C_INSTRUCTIONS]);
  EXPECT_EQ(full[ROOF_C_LOAD_BYTES], 2 * cheap[ROOF_C_LOAD_BYTES]);
  EXPECT_GE(full[ROOF_C_L1_READ_BYTES], 2u << 20);
  EXPECT_EQ(cheap[ROOF_C_L1_READ_BYTES], 0u);
  EXPECT_EQ(cheap[ROOF_C_DRAM_READ_BYTES], 0u);
}

TEST(Process, SignalHandlers) {
  for (const char* count : {"--count=flops", "--count=cache"}) {
    ToolRun run = RunTool({count}, {"process", "signal"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(Flops(run.At(1, 1)), 10u);
    EXPECT_EQ(Flops(run.At(1, 2)), 200u);
    run = RunTool({count}, {"process", "fault"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(Flops(run.At(1, 1)), 30u);
  }
}

// Also where the processor has RDTSCP and CPUID does not say so.
TEST(Process, TimeStamps) {
  const ToolRun run = RunTool({}, {"process", "time_stamp"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
}

// Valgrind would say that it ignores the wish.
TEST(Process, MemoryInHugePagesIsNoMessageOfTheProgram) {
  const ToolRun run = RunTool({}, {"process", "huge_pages"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
}

TEST(Process, SixtyMegabyteAutomaticArray) {
  ToolRun run = RunTool({"--main-stacksize=100000000"}, {"process", "stack"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

// More contexts than arrays of execution counts are kept: folding loses nothing.
TEST(Paths, ThousandsAreKeptApart) {
  ToolRun run = RunTool({}, {"process", "paths", "5000"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  for (unsigned path = 1; path <= 5000; ++path)
    ASSERT_EQ(Flops(run.At(1, path)), path % 7 + 1) << path;
  EXPECT_EQ(run.lost_paths, 0u);
}

TEST(Paths, TooManyAreFoldedAndCounted) {
  ToolRun run = RunTool({}, {"process", "paths", "65540"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.lost_paths, 5u);
  EXPECT_EQ(Flops(run.At(1, 65535)), 65535u % 7 + 1);
  EXPECT_GT(Flops(run.At(1, 0)), 0u);
}

void CheckExplained(const ToolRun& run, const std::string& function, const std::string& object) {
  EXPECT_EQ(run.out, "before\n");
  EXPECT_EQ(run.exit_code, 128 + 4) << "SIGILL";
  // Ours comes first and once; Valgrind's own notice of the signal follows.
  EXPECT_EQ(run.err.rfind("roofmark: AVX-512 instruction at 0x", 0), 0u) << run.err;
  EXPECT_EQ(run.err.find("roofmark: ", 1), std::string::npos) << run.err;
  EXPECT_TRUE(Contains(run.err, "function " + function)) << run.err;
  EXPECT_TRUE(Contains(run.err, object)) << run.err;
  EXPECT_TRUE(Contains(run.err, "-march=x86-64-v3")) << run.err;
}

TEST(Avx512, InTheProgramIsExplainedBeforeItDies) {
  CheckExplained(RunTool({}, {"avx512_program", "zmm"}), "add_with_avx512", "/avx512_program");
  CheckExplained(RunTool({}, {"avx512_program", "mask"}), "mask_with_avx512", "/avx512_program");
}

TEST(Avx512, HiddenInALibraryIsExplained) {
  CheckExplained(RunTool({}, {"avx512_user", "zmm"}), "add_with_avx512", "libavx512_hidden");
}

TEST(Avx512, NotReachedIsNotMentioned) {
  ToolRun run = RunTool({}, {"avx512_program", "dormant"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
}

TEST(Avx512, OtherInstructionsAreNamedByTheirBytes) {
  ToolRun run = RunTool({}, {"avx512_program", "invalid"});
  EXPECT_EQ(run.exit_code, 128 + 4);
  EXPECT_TRUE(Contains(run.err, "roofmark: instruction 0x0f 0x3f")) << run.err;
}

TEST(Options, MalformedOnesAreNamed) {
  ToolRun run = RunTool({"--count=cash"}, {"process", "stop"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "roofmark: --count: expected flops, cache or threec\n");
  run = RunTool({"--count=cache", "--cache=L1:0:1"}, {"process", "stop"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(Contains(run.err, "roofmark: --cache: ")) << run.err;
  run = RunTool({"--line-sampling=3"}, {"process", "stop"});
  EXPECT_EQ(run.err, "roofmark: --line-sampling: expected a power of two\n");
}

}  // namespace
}  // namespace roofmark
