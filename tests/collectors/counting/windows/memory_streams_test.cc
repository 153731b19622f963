// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/windows/memory_streams.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

constexpr uint64_t kArray = uint64_t{1} << 20;  // lines from one array to the next

class MemoryStreams : public testing::Test {
 protected:
  void Add(uint64_t line, bool counts = true) {
    roof_memory_streams_add(&streams_, line, counts ? 1 : 0);
  }
  double Streams() const {
    return static_cast<double>(streams_.lines) / static_cast<double>(streams_.most);
  }
  roof_memory_streams streams_ = {};
};

TEST_F(MemoryStreams, OneArrayIsOneUpwardsDownwardsAndWithGaps) {
  for (uint64_t i = 0; i < 1000; ++i) Add(kArray + i);
  EXPECT_EQ(Streams(), 1);
  streams_ = {};
  for (uint64_t i = 0; i < 1000; ++i) Add(kArray - i);
  EXPECT_EQ(Streams(), 1);
  streams_ = {};
  for (uint64_t i = 0; i < 1000; ++i) Add(kArray + i / 6 * 9 + i % 6);  // rows of 6 lines, 3 unread
  EXPECT_EQ(Streams(), 1);
}

TEST_F(MemoryStreams, ArraysSideBySideAreAsMany) {
  for (const uint64_t arrays : {2, 3, 8, 30}) {
    streams_ = {};
    for (uint64_t i = 0; i < 1000; ++i) {
      for (uint64_t a = 1; a <= arrays; ++a) Add(a * kArray + i);
    }
    EXPECT_EQ(Streams(), arrays);
  }
}

TEST_F(MemoryStreams, OneWithTwiceTheLinesOfTheOtherIsOneAndAHalf) {
  for (uint64_t i = 0; i < 1000; ++i) {
    Add(kArray + 2 * i);
    Add(kArray + 2 * i + 1);
    Add(2 * kArray + i);
  }
  EXPECT_EQ(Streams(), 1.5);
}

TEST_F(MemoryStreams, LinesInRandomOrderAreMany) {
  for (uint64_t i = 0; i < 1000; ++i) Add(i * 7919 % 1000003 * 64);
  EXPECT_GT(Streams(), 100);
}

TEST_F(MemoryStreams, MoreThanAreFollowedAreNoFewer) {
  for (uint64_t i = 0; i < 100; ++i) {
    for (uint64_t a = 1; a <= 2 * ROOF_MEMORY_STREAMS; ++a) Add(a * kArray + i);
  }
  EXPECT_GE(Streams(), 2 * ROOF_MEMORY_STREAMS);
}

TEST_F(MemoryStreams, WhatDoesNotCountTellsWhereStreamsAre) {
  for (uint64_t i = 0; i < 10; ++i) Add(kArray + i, false);
  EXPECT_EQ(streams_.lines, 0u);
  Add(kArray + 10);
  EXPECT_EQ(streams_.lines, 1u);
  EXPECT_EQ(streams_.most, 1u);
}

}  // namespace
}  // namespace roofmark
