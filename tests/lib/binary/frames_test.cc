// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lib/core/bytes.h"

namespace roofmark::binary {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kAddress = 0x400000;
constexpr uint8_t kRelativeToPlace = 0x10;

std::string Bytes(const ByteWriter& writer) { return std::string(writer.view()); }

// A shared entry. `letters` say what follows in `augmentation`.
std::string Shared(uint8_t version, std::string_view letters, const std::string& augmentation) {
  ByteWriter entry;
  entry.Put(uint32_t{0});
  entry.Put(version);
  entry.PutBytes(letters.data(), letters.size());
  entry.Put(uint8_t{0});
  entry.PutVarint(1);   // alignment of code
  entry.PutVarint(8);   // alignment of data
  entry.PutVarint(16);  // register of the return address; one byte in version 1
  if (!letters.empty()) entry.PutVarint(augmentation.size());
  entry.PutBytes(augmentation.data(), augmentation.size());
  ByteWriter sized;
  sized.Put(static_cast<uint32_t>(entry.size()));
  return Bytes(sized) + Bytes(entry);
}

// A function's entry behind `before`, whose first bytes are the shared one.
template <typename Pointer>
std::string Behind(const std::string& before, Pointer begin, Pointer size) {
  ByteWriter entry;
  entry.Put(static_cast<uint32_t>(4 + 2 * sizeof(Pointer)));
  entry.Put(static_cast<uint32_t>(before.size() + 4));  // back to the shared one
  entry.Put(begin);
  entry.Put(size);
  return before + Bytes(entry);
}

std::vector<std::pair<uint64_t, uint64_t>> Read(const std::string& content) {
  std::vector<std::pair<uint64_t, uint64_t>> extents;
  for (const FrameExtent& extent : ReadFrames(content, kAddress)) {
    extents.emplace_back(extent.begin, extent.end);
  }
  return extents;
}

// One function of 0x20 bytes at 0x1000.
template <typename Pointer>
std::string Function(const std::string& shared) {
  return Behind<Pointer>(shared, 0x1000, 0x20);
}
std::string WithEncoding(uint8_t encoding) {
  return Shared(1, "zR", std::string(1, static_cast<char>(encoding)));
}

TEST(FramesTest, PointersHaveSeveralForms) {
  const auto expected = ElementsAre(std::pair<uint64_t, uint64_t>{0x1000, 0x1020});
  EXPECT_THAT(Read(Function<uint64_t>(WithEncoding(0x00))), expected);
  EXPECT_THAT(Read(Function<uint16_t>(WithEncoding(0x02))), expected);
  EXPECT_THAT(Read(Function<uint32_t>(WithEncoding(0x03))), expected);
  EXPECT_THAT(Read(Function<uint64_t>(WithEncoding(0x04))), expected);
  EXPECT_THAT(Read(Function<int16_t>(WithEncoding(0x0a))), expected);
  EXPECT_THAT(Read(Function<int32_t>(WithEncoding(0x0b))), expected);
}

TEST(FramesTest, DistancesCountFromTheirPlace) {
  const std::string shared = WithEncoding(kRelativeToPlace | 0x0a);
  const uint64_t place = kAddress + shared.size() + 8;  // behind the length and the way back
  EXPECT_THAT(Read(Behind<int16_t>(shared, -0x100, 0x20)),
              ElementsAre(std::pair<uint64_t, uint64_t>{place - 0x100, place - 0x100 + 0x20}));
}

TEST(FramesTest, FormsThatNobodyKnowsNameNoFunction) {
  EXPECT_THAT(Read(Function<uint64_t>(WithEncoding(0x01))), IsEmpty());
  EXPECT_THAT(Read(Function<uint64_t>(WithEncoding(0x30))), IsEmpty());  // relative to data
}

TEST(FramesTest, WhatStandsBeforeTheEncodingIsSkipped) {
  const std::string of_routine("\x03zzzz\x1b\x0b", 7);  // a pointer of four bytes; of the table
  EXPECT_THAT(Read(Function<int32_t>(Shared(1, "zPLR", of_routine))),
              ElementsAre(std::pair<uint64_t, uint64_t>{0x1000, 0x1020}));
  const std::string unknown("\x05zzzz\x1b\x0b", 7);
  EXPECT_THAT(Read(Function<int32_t>(Shared(1, "zPLR", unknown))), IsEmpty());
}

TEST(FramesTest, EntriesWithoutLettersAndOfLaterVersions) {
  const auto expected = ElementsAre(std::pair<uint64_t, uint64_t>{0x1000, 0x1020});
  EXPECT_THAT(Read(Function<uint64_t>(Shared(1, "", ""))), expected);
  EXPECT_THAT(Read(Function<uint64_t>(Shared(3, "", ""))), expected);
  EXPECT_THAT(Read(Function<uint64_t>(Shared(1, "eh", ""))), IsEmpty()) << "of GCC 2";
}

TEST(FramesTest, ATextWithoutAnEndNamesNoFunction) {
  ByteWriter shared;
  shared.Put(uint32_t{4 + 1 + 2});
  shared.Put(uint32_t{0});
  shared.Put(uint8_t{1});
  shared.PutBytes("zR", 2);
  EXPECT_THAT(Read(Function<uint64_t>(Bytes(shared))), IsEmpty());
}

}  // namespace
}  // namespace roofmark::binary
