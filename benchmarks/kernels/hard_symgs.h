// SPDX-License-Identifier: BSD-3-Clause
//
// A symmetric Gauss-Seidel sweep over a sparse matrix: each unknown needs the one before it. The
// matrix couples each point of a cube with its 26 neighbours, as HPCG's does; one instance for each
// thread.
#ifndef ROOFMARK_BENCHMARKS_KERNELS_HARD_SYMGS_H_
#define ROOFMARK_BENCHMARKS_KERNELS_HARD_SYMGS_H_

#include <cmath>
#include <cstdint>
#include <vector>

#include "benchmarks/kernels/raise.h"

namespace hard {

class Symgs {
 public:
  static constexpr double kDiagonal = 26;

  explicit Symgs(long n) : n_(n), begin_{0} {
    for (long i = 0; i < n * n * n; ++i) {
      ForEachNeighbour(i, [this](long j) {
        columns_.push_back(static_cast<int32_t>(j));
        values_.push_back(-1);
      });
      begin_.push_back(static_cast<int32_t>(columns_.size()));
      // Of the solution 1.
      rhs_.push_back(kDiagonal - (begin_.back() - begin_[static_cast<size_t>(i)]));
    }
    x_.assign(rhs_.size(), 0);
  }

  // Two sweeps, forwards and backwards.
  void Run() {
    const long rows = static_cast<long>(x_.size());
    for (long i = 0; i < rows; ++i) Relax(i);
    for (long i = rows; i-- > 0;) Relax(i);
    ++runs_;
  }
  // Of a Run.
  double Flops() const {
    return 2 * (2 * static_cast<double>(columns_.size()) + static_cast<double>(x_.size()));
  }
  double Bytes() const {
    return 2 * (12 * static_cast<double>(columns_.size()) + 28 * static_cast<double>(x_.size()));
  }

  // From the same sweeps without a matrix, more exactly.
  double Error() const {
    std::vector<long double> x(x_.size(), 0);
    const auto relax = [&](long i) {
      long double sum = 0;
      long double neighbours = 0;
      ForEachNeighbour(i, [&](long j) {
        sum += x[static_cast<size_t>(j)];
        ++neighbours;
      });
      x[static_cast<size_t>(i)] = (kDiagonal - neighbours + sum) / kDiagonal;
    };
    for (long run = 0; run < runs_; ++run) {
      for (long i = 0; i < n_ * n_ * n_; ++i) relax(i);
      for (long i = n_ * n_ * n_; i-- > 0;) relax(i);
    }
    double error = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      Raise(error, std::fabs(static_cast<double>(x_[i] - x[i])));
    }
    return error;
  }

 private:
  void Relax(long i) {
    double sum = rhs_[static_cast<size_t>(i)];
    const int32_t end = begin_[static_cast<size_t>(i) + 1];
    for (int32_t k = begin_[static_cast<size_t>(i)]; k < end; ++k) {
      sum -= values_[static_cast<size_t>(k)] *
             x_[static_cast<size_t>(columns_[static_cast<size_t>(k)])];
    }
    x_[static_cast<size_t>(i)] = sum / kDiagonal;
  }
  template <typename Take>
  void ForEachNeighbour(long i, Take take) const {
    const long x = i % n_, y = i / n_ % n_, z = i / n_ / n_;
    for (long dz = -1; dz <= 1; ++dz) {
      for (long dy = -1; dy <= 1; ++dy) {
        for (long dx = -1; dx <= 1; ++dx) {
          if ((dx | dy | dz) == 0 || !Has(x + dx) || !Has(y + dy) || !Has(z + dz)) continue;
          take(i + dx + n_ * (dy + n_ * dz));
        }
      }
    }
  }
  bool Has(long coordinate) const { return coordinate >= 0 && coordinate < n_; }

  long n_, runs_ = 0;
  std::vector<int32_t> begin_, columns_;
  std::vector<double> values_, rhs_, x_;
};

}  // namespace hard

#endif  // ROOFMARK_BENCHMARKS_KERNELS_HARD_SYMGS_H_
