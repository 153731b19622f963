// SPDX-License-Identifier: BSD-3-Clause
//
// A derived number with how it came to be, or the reason why there is none.
#ifndef ROOFMARK_LIB_MODEL_VALUE_H_
#define ROOFMARK_LIB_MODEL_VALUE_H_

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "lib/core/status.h"
#include "lib/model/reason.h"

namespace roofmark {

// An interval that holds the number in 95 of 100 cases. `most` may be infinite.
struct Bounds {
  double least = 0, most = 0;
};

struct Value {
  std::optional<double> number;
  Status status = Status::kUnsupported;  // the least trustworthy of its inputs
  std::string origin;                    // collectors of its inputs, joined by '+'
  Why reason;                            // where there is no number
  // Of a number that was extrapolated from a part: the interval. Nothing else has one.
  std::optional<Bounds> within = {};

  static Value Of(double number, Status status, std::string origin) {
    return {number, status, std::move(origin), {}};
  }
  static Value None(Why reason, Status status = Status::kUnsupported) {
    return {std::nullopt, status, "", std::move(reason)};
  }
  explicit operator bool() const { return number.has_value(); }
  double operator*() const { return *number; }
};

inline std::string JoinOrigins(const std::string& a, const std::string& b) {
  if (b.empty() || a.find(b) != std::string::npos) return a;
  return a.empty() ? b : a + "+" + b;
}

// op(a, b), without an interval, with the worse status of the two; the first missing one's reason
// if one is missing.
template <typename Op>
Value Combine(const Value& a, const Value& b, Op op) {
  if (!a) return a;
  if (!b) return b;
  return Value::Of(op(*a, *b), std::max(a.status, b.status), JoinOrigins(a.origin, b.origin));
}

inline Value Plus(const Value& a, const Value& b) {
  return Combine(a, b, [](double x, double y) { return x + y; });
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_VALUE_H_
