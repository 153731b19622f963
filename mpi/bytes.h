// SPDX-License-Identifier: BSD-3-Clause
//
// A message between ranks of one job: numbers and strings one after another, in this machine's
// layout. The reader checks bounds, so that a message cut short becomes an error instead of a
// crash.
#ifndef ROOFMARK_MPI_BYTES_H_
#define ROOFMARK_MPI_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace roofmark::mpi {

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
  std::vector<char> Take() { return std::move(bytes_); }

 private:
  std::vector<char> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(const std::vector<char>& bytes) : rest_(bytes.data(), bytes.size()) {}

  // 0 once the message has ended too early.
  template <typename T>
  T Get() {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    T value{};
    const std::string_view piece = Piece(sizeof value);
    if (!piece.empty()) std::memcpy(&value, piece.data(), sizeof value);
    return value;
  }
  std::string GetString() { return std::string(Piece(Get<uint64_t>())); }
  // How many items follow; never more than the rest of the message could hold.
  size_t GetCount() {
    const uint64_t count = Get<uint64_t>();
    if (count > rest_.size()) ok_ = false;
    return ok_ ? static_cast<size_t>(count) : 0;
  }
  bool ok() const { return ok_; }

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

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_BYTES_H_
