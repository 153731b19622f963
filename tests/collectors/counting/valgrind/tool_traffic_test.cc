// SPDX-License-Identifier: BSD-3-Clause
//
// DRAM traffic with a fixed hierarchy: 32K, 256K and a last level of 1M.
#include <gtest/gtest.h>

#include <string>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

// What path 1 moved to and from DRAM. Lines dirty at its end stand for those that its own start
// pushed out for the sweep before it.
double DramBytes(const Counters& c) {
  return static_cast<double>(c[ROOF_C_DRAM_READ_BYTES] + c[ROOF_C_DRAM_WRITE_BYTES] +
                             c[ROOF_C_DRAM_DIRTY_BYTES]);
}

Counters Measure(const char* kernel, long size, std::vector<std::string> options = SmallCaches()) {
  ToolRun run = RunTool(options, {"traffic", kernel, std::to_string(size)});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return run.At(1, 1);
}

constexpr long kElements = 400000;  // three arrays of 3.2 MB

TEST(Traffic, TriadBeyondTheLastLevel) {
  Counters c = Measure("triad", kElements);
  EXPECT_NEAR(DramBytes(c) / kElements, 32, 0.02 * 32);
  EXPECT_NEAR(static_cast<double>(c[ROOF_C_DRAM_READ_BYTES]) / kElements, 24, 0.02 * 24);
  // The levels above carry the same: nothing is used twice.
  EXPECT_NEAR(static_cast<double>(c[ROOF_C_L1_READ_BYTES]) / kElements, 24, 0.02 * 24);
  EXPECT_NEAR(static_cast<double>(c[ROOF_C_L2_READ_BYTES]) / kElements, 24, 0.02 * 24);
}

TEST(Traffic, NonTemporalTriadFillsNoLinesForItsStores) {
  Counters c = Measure("triad_nt", kElements);
  EXPECT_NEAR(DramBytes(c) / kElements, 24, 0.02 * 24);
  EXPECT_EQ(c[ROOF_C_DRAM_NT_BYTES], 8u * kElements);
  EXPECT_EQ(c[ROOF_C_NT_STORE_BYTES], 8u * kElements);
}

TEST(Traffic, SampledTriad) {
  std::vector<std::string> options = SmallCaches();
  options.push_back("--line-sampling=16");
  EXPECT_NEAR(DramBytes(Measure("triad", kElements, options)) / kElements, 32, 0.02 * 32);
}

// Three layers of 96 x 96 doubles fit in the last level, so each point is read and written once;
// the faces, read but not written, add 2 %.
TEST(Traffic, StencilBeyondTheLastLevel) {
  constexpr double kPoints = 94.0 * 94 * 94;
  EXPECT_NEAR(DramBytes(Measure("stencil", 96)) / kPoints, 24, 0.05 * 24);
}

TEST(Traffic, WorkingSetInsideTheLastLevel) {
  Counters c = Measure("triad", 20000);  // 480 kB
  EXPECT_LT(static_cast<double>(c[ROOF_C_DRAM_READ_BYTES]), 0.01 * 24 * 20000);
  EXPECT_LT(static_cast<double>(c[ROOF_C_DRAM_WRITE_BYTES]), 0.01 * 24 * 20000);
  EXPECT_GT(static_cast<double>(c[ROOF_C_L2_READ_BYTES]), 0.9 * 24 * 20000);
}

// The last level has 1024 sets of 16 ways: lines 64 kB apart share one set, so that 64 of them
// evict each other though the cache is all but empty. One more line of stride spreads them.
TEST(Traffic, StridesThatConflict) {
  Counters conflicting = Measure("walk", 65536, SmallCaches("threec"));
  Counters padded = Measure("walk", 65536 + 64, SmallCaches("threec"));
  EXPECT_GE(conflicting[ROOF_C_MISSES_CONFLICT], 600u);
  EXPECT_LT(padded[ROOF_C_MISSES_CONFLICT], 10u);
  EXPECT_LT(padded[ROOF_C_MISSES_CAPACITY], 10u);
}

TEST(Traffic, StreamsMissForCapacity) {
  Counters c = Measure("triad", kElements, SmallCaches("threec"));
  double misses = static_cast<double>(c[ROOF_C_DRAM_READ_BYTES]) / 64;
  EXPECT_NEAR(static_cast<double>(c[ROOF_C_MISSES_CAPACITY]) / misses, 1, 0.02);
  EXPECT_LT(static_cast<double>(c[ROOF_C_MISSES_COMPULSORY]), 0.01 * misses);
}

// Path 3 writes 6250 doubles twice. The first time path 4 reads too little to push them out, the
// second time it reads everything: the write-backs are path 3's, not path 4's.
TEST(Traffic, DirtyLinesBelongToTheirWriter) {
  ToolRun run = RunTool(SmallCaches(), {"traffic", "dirty", "400000"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  Counters writer = run.At(1, 3), reader = run.At(1, 4);
  constexpr double kBytes = 8 * 6250;
  EXPECT_NEAR(static_cast<double>(writer[ROOF_C_DRAM_WRITE_BYTES]), kBytes, 0.01 * kBytes);
  EXPECT_LT(static_cast<double>(reader[ROOF_C_DRAM_WRITE_BYTES]), 0.01 * kBytes);
  EXPECT_LT(static_cast<double>(writer[ROOF_C_DRAM_DIRTY_BYTES]), 0.01 * kBytes);
}

TEST(Traffic, DirtyLinesAtTheEndAreListedApart) {
  Counters c = Measure("triad", 20000);
  double dirty = static_cast<double>(c[ROOF_C_DRAM_DIRTY_BYTES]);
  EXPECT_NEAR(dirty, 8 * 20000, 0.01 * 8 * 20000);
}

}  // namespace
}  // namespace roofmark
