// SPDX-License-Identifier: BSD-3-Clause
//
// The streams of `hard`: the sum of an array, read from its begin to its end, or in several parts
// side by side. One instance for each thread.
#ifndef ROOFMARK_BENCHMARKS_KERNELS_HARD_STREAMS_H_
#define ROOFMARK_BENCHMARKS_KERNELS_HARD_STREAMS_H_

#include <cmath>
#include <vector>

namespace hard {

// Of one array in one or four parts.
template <long parts>
class Sum {
 public:
  static_assert(parts == 1 || parts == 4);

  explicit Sum(long lines) : values_(static_cast<size_t>(lines * 8)) {
    for (size_t i = 0; i < values_.size(); ++i) values_[i] = Value(i);
  }
  long Elements() const { return static_cast<long>(values_.size()); }
  void Run() {
    const double* x = values_.data();
    const long length = Elements() / parts;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
    for (long i = 0; i < length; ++i) {
      s0 += x[i];
      if constexpr (parts == 4) {
        s1 += x[i + length];
        s2 += x[i + 2 * length];
        s3 += x[i + 3 * length];
      }
    }
    sum_ = s0 + s1 + s2 + s3;
  }
  double Error() const {
    double expected = 0;
    for (size_t i = 0; i < values_.size(); ++i) expected += Value(i);
    return std::fabs(sum_ - expected);
  }

 private:
  static double Value(size_t i) { return static_cast<double>(i % 8 + 1); }  // sums are exact
  std::vector<double> values_;
  double sum_ = 0;
};

}  // namespace hard

#endif  // ROOFMARK_BENCHMARKS_KERNELS_HARD_STREAMS_H_
