// SPDX-License-Identifier: BSD-3-Clause
//
// A value, or the sentence that explains why there is none (naming the file, line or variable and
// the cure, ready to be printed after "roofmark: ").
#ifndef ROOFMARK_LIB_CORE_RESULT_H_
#define ROOFMARK_LIB_CORE_RESULT_H_

#include <optional>
#include <string>
#include <utility>

namespace roofmark {

struct Error {
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}              // NOLINT: implicit on purpose
  Result(Error error) : error_(std::move(error.message)) {}  // NOLINT: implicit on purpose
  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  const std::string& error() const { return error_; }

 private:
  std::optional<T> value_;
  std::string error_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_RESULT_H_
