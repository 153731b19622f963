// SPDX-License-Identifier: BSD-3-Clause
//
// The memory side of `slow`: a copy that is scaled, with and without write-allocation, and a matrix
// whose rows are visited several times while a few columns of them stay cached, or would stay
// cached, did they not all fall into one set.
#ifndef ROOFMARK_BENCHMARKS_KERNELS_SLOW_MEMORY_H_
#define ROOFMARK_BENCHMARKS_KERNELS_SLOW_MEMORY_H_

#include <cstdlib>
#include <memory>

#include "benchmarks/kernels/streaming.h"

namespace slow {

struct Free {
  void operator()(double* memory) const { std::free(memory); }
};
using Doubles = std::unique_ptr<double[], Free>;
// Untouched.
inline Doubles NewDoubles(long count) {
  void* memory =
      std::aligned_alloc(4096, (static_cast<size_t>(count) * sizeof(double) + 4095) / 4096 * 4096);
  if (memory == nullptr) std::abort();
  return Doubles(static_cast<double*>(memory));
}

constexpr double kFactor = 0.75;

// to = kFactor from, `count` a multiple of 8.
inline void ScaleAllocating(const double* from, double* __restrict to, long count) {
#pragma omp parallel for simd schedule(static)
  for (long i = 0; i < count; ++i) to[i] = kFactor * from[i];
}
inline void ScaleStreaming(const double* from, double* __restrict to, long count) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (long i = 0; i < count; i += 8) {
      double line[8];
      for (long k = 0; k < 8; ++k) line[k] = kFactor * from[i + k];
      StreamFour(to + i, line);
      StreamFour(to + i + 4, line + 4);
    }
    StreamEnd();
  }
}

// kRows rows; the columns are visited kColumns at a time, all their rows kVisits times. Rows 2 MiB
// apart meet in one set of any cache whose ways are no larger; a line more spreads them.
class Matrix {
 public:
  static constexpr long kRows = 64, kColumns = 32, kVisits = 8;
  Matrix(long columns, bool spread) : columns_(columns) {
    constexpr long kApart = (2L << 20) / static_cast<long>(sizeof(double));
    pitch_ = (columns + kApart - 1) / kApart * kApart + (spread ? 8 : 0);
    values_ = NewDoubles(kRows * pitch_);
#pragma omp parallel for schedule(static)
    for (long block = 0; block < columns; block += kColumns) {
      for (long row = 0; row < kRows; ++row) {
        for (long c = block; c < block + kColumns; ++c) values_[row * pitch_ + c] = At(row, c);
      }
    }
  }
  // result[c] = a recurrence over the visits of column c, which no compiler can reorder.
  void Visit(double* result) const {
#pragma omp parallel for schedule(static)
    for (long block = 0; block < columns_; block += kColumns) {
      double sum[kColumns] = {};
      for (long visit = 0; visit < kVisits; ++visit) {
        for (long row = 0; row < kRows; ++row) {
          const double* from = &values_[row * pitch_ + block];
#pragma omp simd
          for (long c = 0; c < kColumns; ++c) sum[c] = sum[c] * kFactor + from[c];
        }
      }
      for (long c = 0; c < kColumns; ++c) result[block + c] = sum[c];
    }
  }
  // The same, of one column.
  static double Expected(long column) {
    long double sum = 0;
    for (long i = 0; i < kVisits * kRows; ++i) {
      sum = sum * kFactor + static_cast<long double>(At(i % kRows, column));
    }
    return static_cast<double>(sum);
  }
  static double At(long row, long column) { return static_cast<double>(1 + (row + column) % 61); }

 private:
  long columns_, pitch_;
  Doubles values_;
};

}  // namespace slow

#endif  // ROOFMARK_BENCHMARKS_KERNELS_SLOW_MEMORY_H_
