// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/bytes.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

enum class Colour : uint8_t { kRed, kBlue };

std::string Written() {
  ByteWriter writer;
  writer.Put(uint32_t{7});
  writer.Put(-0.5);
  writer.Put(Colour::kBlue);
  writer.PutString("name");
  writer.PutVarint(300);
  writer.PutVarint(UINT64_MAX);
  writer.Put(uint64_t{2});
  writer.PutBytes("ab", 2);
  return std::string(writer.view());
}

// Reads all of it; the values are those that were written if the reader is at its end.
bool ReadAll(ByteReader& reader) {
  const bool same = reader.Get<uint32_t>() == 7 && reader.Get<double>() == -0.5 &&
                    reader.GetOneOf(Colour::kBlue) == Colour::kBlue &&
                    reader.GetString() == "name" && reader.GetVarint() == 300 &&
                    reader.GetVarint() == UINT64_MAX && reader.GetCount(1) == 2 &&
                    reader.GetBytes(2) == "ab";
  return same && reader.IsAtEnd();
}

TEST(Bytes, WhatIsWrittenIsRead) {
  const std::string written = Written();
  ByteReader reader{std::string_view(written)};
  EXPECT_TRUE(ReadAll(reader));
}

TEST(Bytes, CutShortAnywhereIsAnError) {
  const std::string whole = Written();
  for (size_t size = 0; size < whole.size(); ++size) {
    ByteReader reader(std::string_view(whole).substr(0, size));
    EXPECT_FALSE(ReadAll(reader)) << size;
    EXPECT_FALSE(reader.IsAtEnd()) << size;
  }
}

TEST(Bytes, MoreThanWasReadIsNotTheEnd) {
  const std::string longer = Written() + "x";
  ByteReader reader{std::string_view(longer)};
  EXPECT_FALSE(ReadAll(reader));
  EXPECT_TRUE(reader.ok());
}

TEST(Bytes, OnceWrongNothingIsReadAnyMore) {
  ByteReader reader(std::string_view("\2abc"));
  EXPECT_EQ(reader.GetOneOf(Colour::kBlue), Colour::kBlue) << "2 is no colour";
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.Get<uint8_t>(), 0);
  EXPECT_FALSE(reader.IsAtEnd());
}

TEST(Bytes, ACountOfMoreThanTheRestCanHoldIsRefused) {
  ByteWriter writer;
  writer.Put(UINT64_MAX);
  writer.PutBytes("abcd", 4);
  ByteReader reader(writer.view());
  EXPECT_EQ(reader.GetCount(1), 0u);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace roofmark
