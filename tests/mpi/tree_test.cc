// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of a length that only the sender knows: what a peer announces takes no memory.
#include "mpi/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "lib/core/limits.h"

namespace roofmark::mpi {
namespace {

// What is sent is received in the same order, piece by piece; rank 1 receives what rank 0 spreads.
class Pipe final : public Comm {
 public:
  uint32_t Rank() const override { return rank; }
  uint32_t Size() const override { return ranks; }
  bool AllreduceU64(std::span<uint64_t>, ReduceOp) override { return true; }
  bool Bcast(void* data, size_t size) override {
    return rank == 0 ? Send(1, data, size) : Recv(0, data, size);
  }
  bool Send(uint32_t, const void* data, size_t size) override {
    pieces.emplace_back(static_cast<const char*>(data), size);
    return true;
  }
  bool Recv(uint32_t, void* data, size_t size) override {
    largest = std::max(largest, size);
    if (pieces.empty() || pieces.front().size() != size) return false;
    std::memcpy(data, pieces.front().data(), size);
    pieces.erase(pieces.begin());
    return true;
  }
  bool Arrived(uint32_t, bool& arrived) override { return arrived = true; }

  uint32_t rank = 0, ranks = 2;
  std::vector<std::string> pieces;
  size_t largest = 0;
};

std::vector<char> Bytes(size_t size) {
  std::vector<char> bytes(size);
  for (size_t i = 0; i < size; i += 4096) bytes[i] = static_cast<char>(i >> 12);
  return bytes;
}

TEST(Messages, OfAnyLengthArriveWhole) {
  constexpr size_t kPiece = size_t{64} << 20;
  for (const size_t size : {size_t{0}, size_t{1}, kPiece, kPiece + 1, 2 * kPiece + 5}) {
    Pipe pipe;
    const std::vector<char> sent = Bytes(size);
    ASSERT_TRUE(SendBytes(pipe, 1, sent));
    std::vector<char> received = Bytes(100);  // of a message before
    ASSERT_TRUE(RecvBytes(pipe, 0, received));
    EXPECT_TRUE(received == sent) << size;
    std::vector<char> spread = sent;
    ASSERT_TRUE(BcastBytes(pipe, spread));
    EXPECT_TRUE(spread == sent) << size;
    pipe.rank = 1;
    ASSERT_TRUE(BcastBytes(pipe, received));
    EXPECT_TRUE(received == sent) << size;
    EXPECT_TRUE(pipe.pieces.empty());
  }
}

TEST(Messages, AnAnnouncedLengthTakesNoMemory) {
  for (const uint64_t size : {uint64_t{4'294'901'824}, limits::kMessageBytes}) {
    for (const bool spread : {false, true}) {
      Pipe pipe;
      pipe.rank = 1;
      ASSERT_TRUE(pipe.Send(1, &size, sizeof size));
      std::vector<char> received;
      EXPECT_FALSE(spread ? BcastBytes(pipe, received) : RecvBytes(pipe, 0, received));
      EXPECT_LE(received.capacity(), size_t{64} << 20);
    }
  }
}

TEST(Messages, BeyondTheLimitNothingIsReceived) {
  for (const uint64_t size : {limits::kMessageBytes + 1, UINT64_MAX}) {
    Pipe pipe;
    ASSERT_TRUE(pipe.Send(1, &size, sizeof size));
    std::vector<char> received;
    EXPECT_FALSE(RecvBytes(pipe, 0, received));
    EXPECT_EQ(received.capacity(), 0u);
    EXPECT_EQ(pipe.largest, sizeof size) << "only the length";
  }
}

TEST(Messages, AnAbandonedOneFailsOnTheOtherSide) {
  Pipe pipe;
  AbandonBytes(pipe, 1);
  std::vector<char> received;
  EXPECT_FALSE(RecvBytes(pipe, 0, received));
  AbandonBcast(pipe);
  pipe.rank = 1;
  EXPECT_FALSE(BcastBytes(pipe, received));
  EXPECT_TRUE(pipe.pieces.empty()) << "the length was read, and nothing follows";
}

// A rank whose child sends nothing lets the rank above it go on, too.
TEST(Messages, WhatIsMissingIsMissingFurtherUp) {
  class Nothing final : public Merging {
   public:
    bool Take(const std::vector<char>&) override { return true; }
    std::vector<char> Pack() override { return {}; }
  };
  Pipe pipe;
  pipe.rank = 16;
  pipe.ranks = 18;
  Nothing nothing;
  EXPECT_FALSE(MergeUp(pipe, nothing));
  ASSERT_EQ(pipe.pieces.size(), 1u) << "a length that no message has";
  pipe.rank = 0;
  std::vector<char> received;
  EXPECT_FALSE(RecvBytes(pipe, 16, received));
  EXPECT_TRUE(pipe.pieces.empty());
}

}  // namespace
}  // namespace roofmark::mpi
