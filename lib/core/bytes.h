// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers and strings one after another, in this machine's layout: a message between ranks of one
// job, or a description in a spool. The reader checks bounds, so that bytes cut short become an
// error instead of a crash.
#ifndef ROOFMARK_LIB_CORE_BYTES_H_
#define ROOFMARK_LIB_CORE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace roofmark {

inline constexpr size_t kLongestVarint = 10;

// Seven bits a byte, the lowest first: small numbers are short. Returns how many bytes it took, at
// most kLongestVarint.
inline size_t EncodeVarint(uint64_t value, char* bytes) {
  size_t size = 0;
  for (; value >= 0x80; value >>= 7) bytes[size++] = static_cast<char>(value | 0x80);
  bytes[size++] = static_cast<char>(value);
  return size;
}

class ByteWriter {
 public:
  template <typename T>
  void Put(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  void PutString(std::string_view text) {
    Put(static_cast<uint64_t>(text.size()));
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  void PutVarint(uint64_t value) {
    char bytes[kLongestVarint];
    PutBytes(bytes, EncodeVarint(value, bytes));
  }
  void PutBytes(const void* data, size_t size) {
    const char* from = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  // So many bytes more, to be filled in before anything else is put.
  char* Extend(size_t size) {
    bytes_.resize(bytes_.size() + size);
    return bytes_.data() + bytes_.size() - size;
  }
  size_t size() const { return bytes_.size(); }
  std::string_view view() const { return {bytes_.data(), bytes_.size()}; }
  void Truncate(size_t size) { bytes_.resize(size); }
  void Reserve(size_t size) { bytes_.reserve(size); }
  std::vector<char> Take() { return std::move(bytes_); }

 private:
  std::vector<char> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  explicit ByteReader(const std::vector<char>& bytes) : rest_(bytes.data(), bytes.size()) {}

  // 0 once the bytes have ended too early.
  template <typename T>
  T Get() {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    T value{};
    const std::string_view piece = Piece(sizeof value);
    if (!piece.empty()) std::memcpy(&value, piece.data(), sizeof value);
    return value;
  }
  uint64_t GetVarint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = Get<uint8_t>();
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    return value;
  }
  // All that is left, to look at.
  std::string_view Ahead() const { return rest_; }
  // Empty if there are fewer. Of any alignment.
  std::string_view GetBytes(size_t size) { return Piece(size); }
  std::string GetString() { return std::string(Piece(Get<uint64_t>())); }
  // How many items of at least `item_bytes` follow; never more than the rest could hold.
  size_t GetCount(size_t item_bytes) {
    const uint64_t count = Get<uint64_t>();
    if (count > rest_.size() / item_bytes) ok_ = false;
    return ok_ ? static_cast<size_t>(count) : 0;
  }
  // One of an enumeration that ends with `last`.
  template <typename T>
  T GetOneOf(T last) {
    const auto value = Get<std::underlying_type_t<T>>();
    if (value <= static_cast<std::underlying_type_t<T>>(last)) return static_cast<T>(value);
    ok_ = false;
    return last;
  }
  bool GetBool() {
    const auto value = Get<uint8_t>();
    if (value > 1) ok_ = false;
    return value == 1;
  }
  bool ok() const { return ok_; }
  // All was read, and made sense.
  bool IsAtEnd() const { return ok_ && rest_.empty(); }
  // What was read makes no sense.
  void Fail() { ok_ = false; }

 private:
  std::string_view Piece(uint64_t size) {
    if (!ok_ || size > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view piece = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return piece;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_BYTES_H_
