// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/values.h"

#include <algorithm>

namespace roofmark::mpi {

void PutValues(ByteWriter& writer, const std::vector<Value>& values) {
  uint64_t any = 0;
  bool same = true;
  for (const Value& value : values) {
    any |= value.value;
    same = same && value.kind == values[0].kind;
  }
  const size_t width = (static_cast<size_t>(std::bit_width(any)) + 7) / 8;
  writer.Put(static_cast<uint8_t>(width));
  writer.Put(values.empty() ? uint8_t{0} : same ? values[0].kind : Values::kMixed);
  const size_t kinds = same ? 0 : values.size(), all = kinds + values.size() * width;
  char* at = writer.Extend(all + sizeof any);  // each value is stored with eight bytes
  for (size_t i = 0; i < kinds; ++i) *at++ = static_cast<char>(values[i].kind);
  for (const Value& value : values) {
    const uint64_t lowest_first = Values::LowestFirst(value.value);
    std::memcpy(at, &lowest_first, sizeof lowest_first);
    at += width;
  }
  writer.Truncate(writer.size() - sizeof any);
}

Values::Values(ByteReader& reader, size_t count) : count_(count) {
  width_ = reader.Get<uint8_t>();
  kind_ = reader.Get<uint8_t>();
  const bool mixed = kind_ == kMixed;
  if (mixed) kinds_ = reader.GetBytes(count).data();
  const std::string_view ahead = reader.Ahead();
  if (width_ <= sizeof(uint64_t)) reader.GetBytes(count * width_);
  const auto sound = [](char kind) { return static_cast<unsigned char>(kind) < kKinds; };
  const bool known =
      mixed ? reader.ok() && std::all_of(kinds_, kinds_ + count, sound) : kind_ < kKinds;
  if (!reader.ok() || width_ > sizeof(uint64_t) || !known) {
    count_ = 0;
    reader.Fail();
    return;
  }
  mask_ = width_ == 0 ? 0 : ~uint64_t{0} >> (64 - 8 * width_);
  values_ = ahead.data();
  if (ahead.size() < count * width_ + sizeof(uint64_t)) {
    copy_.assign(ahead.begin(), ahead.end());
    copy_.resize(count * width_ + sizeof(uint64_t));
    values_ = copy_.data();
  }
}

}  // namespace roofmark::mpi
