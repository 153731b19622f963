// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/windows/found_levels.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "collectors/counting/cache/record.h"
#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

constexpr unsigned kFirst = ROOF_FLOW_L1, kSecond = ROOF_FLOW_L2, kThird = ROOF_FLOW_L3,
                   kMemory = ROOF_FLOW_DRAM;
constexpr uint64_t kInstruction = 0x401000;

class FoundLevelsTest : public testing::Test {
 protected:
  FoundLevelsTest() { roof_found_levels_begin(levels_); }
  unsigned Access(uint64_t line, unsigned found, uint64_t instruction = kInstruction) {
    return roof_found_levels_of(levels_, instruction, line * 64, found);
  }
  static bool IsSimulated(uint64_t line) { return ROOF_SAMPLE_SELECTED(line * 64, kShift); }
  // The next line that no test had.
  uint64_t New(bool simulated) {
    while (IsSimulated(++line_) != simulated) {
    }
    return line_;
  }
  void Teach(unsigned found, int times, uint64_t instruction = kInstruction) {
    for (int i = 0; i < times; ++i) EXPECT_EQ(Access(New(true), found, instruction), found);
  }
  static constexpr uint32_t kShift = 4, kLines = 100;

  Memory memory_;
  roof_memory hooks_ = memory_.Hooks();
  roof_line_sampling sampling_ = {kShift, kLines, kSecond};
  roof_found_levels* levels_ = roof_found_levels_create(&hooks_, &sampling_);
  uint64_t line_ = uint64_t{1} << 30;
};

TEST_F(FoundLevelsTest, OfSimulatedLinesAreWhereTheModelFindsThem) {
  for (const unsigned level : {kMemory, kFirst, kThird, kSecond}) {
    const uint64_t line = New(true);
    EXPECT_EQ(Access(line, level), level);
    EXPECT_EQ(Access(line, level), level) << "again";
  }
}

TEST_F(FoundLevelsTest, WhatTheWindowTouchedIsNear) {
  Teach(kMemory, 10);
  const uint64_t line = New(false);
  EXPECT_EQ(Access(line, kFirst), kMemory);
  EXPECT_EQ(Access(line, kFirst), kFirst);
  for (uint32_t i = 0; i < kLines; ++i) Access(New(false), kFirst);
  EXPECT_EQ(Access(line, kFirst), kSecond) << "L1 has so many lines";
  EXPECT_EQ(Access(line, kFirst), kFirst);
}

TEST_F(FoundLevelsTest, EachInstructionHasItsOwnShares) {
  constexpr uint64_t kOther = kInstruction + 4;
  std::array<int, ROOF_FLOW_LEVELS> of_one = {}, of_other = {};
  for (int i = 0; i < 1000; ++i) {
    Teach(i % 4 == 0 ? kMemory : kSecond, 1);
    Teach(kThird, 1, kOther);
    for (int k = 0; k < 15; ++k) {
      ++of_one[Access(New(false), kFirst)];
      ++of_other[Access(New(false), kFirst, kOther)];
    }
  }
  EXPECT_NEAR(of_one[kMemory], 3750, 375);
  EXPECT_EQ(of_one[kSecond] + of_one[kMemory], 15'000);
  EXPECT_EQ(of_other[kThird], 15'000);
}

TEST_F(FoundLevelsTest, NewInstructionsFindWhatOthersFind) {
  EXPECT_EQ(Access(New(false), kFirst), kFirst) << "nothing is known";
  Teach(kThird, 10);
  EXPECT_EQ(Access(New(false), kFirst, 0x999), kThird);
}

TEST_F(FoundLevelsTest, PhasesAreFollowed) {
  Teach(kFirst, 100'000);
  Teach(kMemory, 500);
  int far = 0;
  for (int i = 0; i < 1000; ++i) far += Access(New(false), kFirst) == kMemory;
  EXPECT_GT(far, 990);
}

// The last steps of a search are short, and lead to lines that nobody has had for long.
TEST_F(FoundLevelsTest, StepsOfASearchAreToldApart) {
  constexpr uint64_t kArray = uint64_t{1} << 40, kSize = uint64_t{1} << 24;  // in lines
  uint64_t random = 88172645463325252u;
  int right = 0, all = 0;
  std::set<uint64_t> touched;  // in this window: what comes again is near
  for (int search = 0; search < 4000; ++search) {
    if (search % 100 == 0) {
      roof_found_levels_begin(levels_);
      touched.clear();
    }
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    uint64_t low = 0;
    for (uint64_t size = kSize; size > 1; size /= 2) {
      const uint64_t line = kArray + low + size / 2;
      const unsigned found = size < 1 << 8 ? kMemory : size < 1 << 14 ? kThird : kSecond;
      const unsigned level = Access(line, found);
      if (touched.insert(line).second && search >= 1000 && !IsSimulated(line)) {
        ++all;
        right += level == found;
      }
      if (random & size) low += size / 2;
    }
  }
  EXPECT_GT(right, 0.9 * all);
}

TEST(FoundLevels, WithoutMemoryThereAreNone) {
  Memory memory;
  memory.limit = 1000;
  const roof_memory hooks = memory.Hooks();
  const roof_line_sampling sampling = {4, 512, kSecond};
  EXPECT_EQ(roof_found_levels_create(&hooks, &sampling), nullptr);
}

}  // namespace
}  // namespace roofmark
