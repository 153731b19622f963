// SPDX-License-Identifier: BSD-3-Clause
//
// y = A x with A in compressed sparse rows, distributed by blocks of rows: three unknowns per node
// of a periodic grid, each coupled to all of its 27 neighbours, as in an elasticity problem: 81
// non-zeros per row. Per non-zero 2 FLOPs and 12 bytes (value and column); per row 8 bytes of row
// pointer, 16 of y with write-allocate and 8 of x, read once where it stays cached. So at most
// 2/12 FLOP/byte.
//
// Check: A is built so that a product of cosines over the nodes times (1, 2, 3) over the unknowns
// is an eigenvector with the eigenvalue prod_d (1 + cos k_d) / 2.
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <roofmark/roofmark.hpp>
#include <utility>

#include "benchmarks/kernels/grid.h"
#include "benchmarks/kernels/kernel.h"

namespace {

constexpr long kUnknowns = 3;
constexpr long kPerRow = 27 * kUnknowns;
constexpr double kVector[kUnknowns] = {1, 2, 3};

// Memory that the threads which use it touch first.
template <typename T>
std::unique_ptr<T[]> Untouched(long count) {
  return std::unique_ptr<T[]>(new T[static_cast<size_t>(count)]);
}

// This rank's rows: `n` planes of n x n nodes. Columns count from the lower halo plane, then the
// own planes, then the upper halo plane.
struct Matrix {
  long rows, plane;  // unknowns in all, in a plane
  std::unique_ptr<int64_t[]> begin;
  std::unique_ptr<int32_t[]> column;
  std::unique_ptr<double[]> value;
};

// Fills the rows of node (i, j, k); i counts from 1, 0 and n + 1 are halo planes.
void FillNode(Matrix& matrix, long n, long i, long j, long k) {
  for (long a = 0; a < kUnknowns; ++a) {
    const long row = (((i - 1) * n + j) * n + k) * kUnknowns + a;
    int64_t at = row * kPerRow;
    matrix.begin[row] = at;
    for (long di = -1; di <= 1; ++di) {
      for (long dj = -1; dj <= 1; ++dj) {
        for (long dk = -1; dk <= 1; ++dk) {
          const double weight =
              (di == 0 ? 0.5 : 0.25) * (dj == 0 ? 0.5 : 0.25) * (dk == 0 ? 0.5 : 0.25);
          const long node = ((i + di) * n + (j + dj + n) % n) * n + (k + dk + n) % n;
          for (long b = 0; b < kUnknowns; ++b, ++at) {
            matrix.column[at] = static_cast<int32_t>(node * kUnknowns + b);
            // v v^T / v^T v, so that v = (1, 2, 3) is kept.
            matrix.value[at] = weight * kVector[a] * kVector[b] / 14;
          }
        }
      }
    }
  }
}

Matrix BuildMatrix(long n) {
  Matrix matrix;
  matrix.plane = n * n * kUnknowns;
  matrix.rows = n * matrix.plane;
  matrix.begin = Untouched<int64_t>(matrix.rows + 1);
  matrix.column = Untouched<int32_t>(matrix.rows * kPerRow);
  matrix.value = Untouched<double>(matrix.rows * kPerRow);
#pragma omp parallel for schedule(static)
  for (long i = 1; i <= n; ++i) {
    for (long j = 0; j < n; ++j) {
      for (long k = 0; k < n; ++k) FillNode(matrix, n, i, j, k);
    }
  }
  matrix.begin[matrix.rows] = matrix.rows * kPerRow;
  return matrix;
}

void Multiply(const Matrix& matrix, const double* x, double* __restrict y) {
#pragma omp parallel for schedule(static)
  for (long row = 0; row < matrix.rows; ++row) {
    double sum = 0;
    for (int64_t at = matrix.begin[row]; at < matrix.begin[row + 1]; ++at) {
      sum += matrix.value[at] * x[matrix.column[at]];
    }
    y[row] = sum;
  }
}

// x's halo planes from the ranks that own them, around the ring.
void Exchange(const Matrix& matrix, double* x, int rank, int ranks) {
  const int count = static_cast<int>(matrix.plane);
  const int down = (rank + ranks - 1) % ranks, up = (rank + 1) % ranks;
  double *low = x + matrix.plane, *high = x + matrix.rows;
  MPI_Sendrecv(high, count, MPI_DOUBLE, up, 0, x, count, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(low, count, MPI_DOUBLE, down, 1, high + matrix.plane, count, MPI_DOUBLE, up, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Component of the eigenvector that own row `row` sees, and its eigenvalue.
class Mode {
 public:
  Mode(const Kernel& kernel) : n_(kernel.n) {
    const long sizes[3] = {n_ * kernel.ranks, n_, n_};
    for (int d = 0; d < 3; ++d) {
      wave_[d] = Wave(d + 1, sizes[d], d == 0 ? n_ * kernel.rank : 0, n_);
      eigenvalue_ *= (1 + std::cos(2 * M_PI * (d + 1) / static_cast<double>(sizes[d]))) / 2;
    }
  }
  double At(long row) const {
    const auto node = static_cast<size_t>(row / kUnknowns), n = static_cast<size_t>(n_);
    return wave_[0][node / (n * n)] * wave_[1][node / n % n] * wave_[2][node % n] *
           kVector[row % kUnknowns];
  }
  double eigenvalue() const { return eigenvalue_; }

 private:
  long n_;
  std::array<std::vector<double>, 3> wave_;
  double eigenvalue_ = 1;
};

std::unique_ptr<double[]> NewVector(const Matrix& matrix, const Mode& mode) {
  auto x = Untouched<double>(matrix.rows + 2 * matrix.plane);
  std::fill_n(x.get(), matrix.plane, 0.0);
  std::fill_n(x.get() + matrix.plane + matrix.rows, matrix.plane, 0.0);
#pragma omp parallel for schedule(static)
  for (long row = 0; row < matrix.rows; ++row) x[matrix.plane + row] = mode.At(row);
  return x;
}

double LargestError(const Matrix& matrix, const Mode& mode, const double* own, long iterations) {
  const double scale = std::pow(mode.eigenvalue(), static_cast<double>(iterations));
  double error = 0;
  for (long row = 0; row < matrix.rows; ++row) {
    const double now = std::fabs(own[row] - scale * mode.At(row));
    if (!(now <= error)) error = now;  // keeps a NaN
  }
  return error;
}

}  // namespace

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"csr", nullptr};
  const KernelDoc doc = {"spmv", "nodes per dimension and rank, 3 rows each", 40, 1, 60, kVariants};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  const Matrix matrix = BuildMatrix(kernel.n);
  const Mode mode(kernel);
  auto x = NewVector(matrix, mode), y = NewVector(matrix, mode);
  const double rows = static_cast<double>(matrix.rows);
  const double flops = 2 * kPerRow * rows, bytes = (12 * kPerRow + 8 + 16 + 8) * rows;
  const double start = KernelStartClock();
  for (long iteration = 0; iteration < kernel.iterations; ++iteration) {
    {
      ROOF_REGION_SCOPE("halo");
      Exchange(matrix, x.get(), kernel.rank, kernel.ranks);
    }
    ROOF_REGION_BEGIN("spmv");
    Multiply(matrix, x.get(), y.get() + matrix.plane);
    ROOF_REGION_WORK(flops, bytes);
    ROOF_REGION_END("spmv");
    std::swap(x, y);
  }
  const double seconds = KernelStopClock(start);
  double* own = x.get() + matrix.plane;
  if (kernel.spoil && kernel.rank == kernel.ranks - 1) own[matrix.rows - 1] += 1;
  const double error = LargestError(matrix, mode, own, kernel.iterations);
  const double visits = static_cast<double>(kernel.iterations);
  return KernelEnd(&kernel, seconds, flops * visits, bytes * visits, error, 1e-12);
}
