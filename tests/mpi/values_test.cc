// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/values.h"

#include <gtest/gtest.h>

namespace roofmark::mpi {
namespace {

std::vector<char> Packed(const std::vector<Value>& values, std::string_view after = "") {
  ByteWriter writer;
  PutValues(writer, values);
  writer.PutBytes(after.data(), after.size());
  return writer.Take();
}

// Nothing if the reader failed.
std::vector<Value> Read(const std::vector<char>& bytes, size_t count, std::string_view after = "") {
  ByteReader reader(bytes);
  std::vector<Value> values(count);
  Values(reader, count).ForEach([&](size_t i, unsigned kind, uint64_t value) {
    values[i] = {value, static_cast<uint8_t>(kind)};
  });
  if (!reader.ok() || reader.GetBytes(after.size()) != after || !reader.IsAtEnd()) return {};
  return values;
}

constexpr uint8_t kMeasured = static_cast<uint8_t>(Status::kMeasured) + 1;
constexpr uint8_t kInvalid = static_cast<uint8_t>(Status::kInvalid) + 1;

TEST(Values, ComeBackAsWideAsTheLargestNeeds) {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    const uint64_t value = bits == 0 ? 0 : ~uint64_t{0} >> (64 - bits);
    const std::vector<Value> values = {{value, kMeasured}, {0, kMeasured}, {value / 2, kMeasured}};
    EXPECT_EQ(Packed(values).size(), 2u + 3 * ((bits + 7) / 8)) << bits;
    for (const std::string_view after : {"", "x", "more than eight bytes"}) {
      EXPECT_TRUE(Read(Packed(values, after), 3, after) == values) << bits << after;
    }
  }
}

TEST(Values, EachHasItsStatusOrNone) {
  const std::vector<Value> values = {{7, kMeasured}, {}, {300, kInvalid}, {0, kMeasured}};
  EXPECT_EQ(Packed(values).size(), 2u + 4 + 4 * 2);
  EXPECT_TRUE(Read(Packed(values), 4) == values);
  EXPECT_EQ(Packed({{}, {}}).size(), 2u) << "no values at all";
  EXPECT_TRUE(Read(Packed({{}, {}}), 2) == std::vector<Value>(2));
  EXPECT_EQ(Packed({}).size(), 2u);
}

TEST(Values, MessagesThatMakeNoSenseAreRefused) {
  const std::vector<char> bytes = Packed({{7, kMeasured}, {}, {300, kInvalid}});
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_TRUE(Read({bytes.begin(), bytes.begin() + static_cast<long>(size)}, 3).empty()) << size;
  }
  std::vector<char> other = bytes;
  other[0] = 9;  // bytes of a value, which are there
  other.resize(200);
  EXPECT_TRUE(Read(other, 3).empty());
  other = bytes;
  other[3] = kInvalid + 1;  // no status, of one
  EXPECT_TRUE(Read(other, 3).empty());
  other = Packed({{7, kMeasured}});
  other[1] = kInvalid + 1;  // and of all
  EXPECT_TRUE(Read(other, 1).empty());
}

}  // namespace
}  // namespace roofmark::mpi
