// SPDX-License-Identifier: BSD-3-Clause
//
// y = A x, distributed by blocks of rows: several unknowns per node of a periodic grid, each
// coupled to all those of its 27 neighbours, as in an elasticity problem. A lies in compressed
// sparse rows of r x c blocks with one 32-bit column index a block: 2 FLOPs and 8 bytes per
// non-zero, 4 bytes per block and 8 per row of blocks; per row 16 bytes of y with write-allocate
// and 8 of x, read once where it stays cached. So less than 2/12 FLOP/byte for 1 x 1 (CSR) and 2/8
// for large blocks (Williams et al. 2008, Table 2: 0.17 to 0.25).
//
// Check: A is built so that a product of cosines over the nodes times (1, 2, 3 ...) over the
// unknowns is an eigenvector with the eigenvalue prod_d (1 + cos k_d) / 2.
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <roofmark/roofmark.hpp>
#include <utility>

#include "benchmarks/kernels/grid.h"
#include "benchmarks/kernels/kernel.h"
#include "benchmarks/kernels/lanes.h"

namespace {

constexpr long kNeighbours = 27;
enum Variant { kCsr, kBcsr };
enum Option { kUnknowns, kBlockRows, kBlockColumns };

// Component of the vector that couples a node's unknowns.
double Coupling(long unknown) { return static_cast<double>(unknown + 1); }

// Memory that the threads which use it touch first.
template <typename T>
std::unique_ptr<T[]> Untouched(long count) {
  return std::unique_ptr<T[]>(new T[static_cast<size_t>(count)]);
}

struct Shape {
  long n, unknowns, r, c;
  long Plane() const { return n * n * unknowns; }  // unknowns
  long Rows() const { return n * Plane(); }
  long BlocksPerBlockRow() const { return kNeighbours * unknowns / c; }
  double Flops() const { return 2.0 * static_cast<double>(Rows() * kNeighbours * unknowns); }
  double Bytes() const {
    const double blocks = static_cast<double>(Rows() / r * BlocksPerBlockRow());
    return blocks * static_cast<double>(8 * r * c + 4) + static_cast<double>(Rows() / r * 8) +
           24.0 * static_cast<double>(Rows());
  }
};

// This rank's rows: `n` planes of n x n nodes. Columns count from the lower halo plane, then the
// own planes, then the upper halo plane. A block lies column by column, so that its rows can be
// the lanes of a vector.
struct Matrix {
  Shape shape;
  std::unique_ptr<int64_t[]> begin;   // of each row of blocks: its first block
  std::unique_ptr<int32_t[]> column;  // of each block: its first column
  std::unique_ptr<double[]> value;
};

// Couples unknowns a .. a + r - 1 of a node with all those of one neighbour, from block `at` on.
void FillBlocks(Matrix& matrix, int64_t at, long node, long a, double weight) {
  const Shape& s = matrix.shape;
  double squares = 0;
  for (long i = 0; i < s.unknowns; ++i) squares += Coupling(i) * Coupling(i);
  for (long b = 0; b < s.unknowns; b += s.c, ++at) {
    matrix.column[at] = static_cast<int32_t>(node * s.unknowns + b);
    double* value = &matrix.value[at * s.r * s.c];
    for (long j = 0; j < s.c; ++j) {
      for (long i = 0; i < s.r; ++i) {
        // v v^T / v^T v, so that v = (1, 2, 3 ...) is kept.
        value[j * s.r + i] = weight * Coupling(a + i) * Coupling(b + j) / squares;
      }
    }
  }
}

// Fills the rows of node (i, j, k); i counts from 1, 0 and n + 1 are halo planes.
void FillNode(Matrix& matrix, long i, long j, long k) {
  const Shape& s = matrix.shape;
  const long n = s.n;
  for (long a = 0; a < s.unknowns; a += s.r) {
    const long block_row = ((((i - 1) * n + j) * n + k) * s.unknowns + a) / s.r;
    int64_t at = block_row * s.BlocksPerBlockRow();
    matrix.begin[block_row] = at;
    for (long di = -1; di <= 1; ++di) {
      for (long dj = -1; dj <= 1; ++dj) {
        for (long dk = -1; dk <= 1; ++dk, at += s.unknowns / s.c) {
          const double weight =
              (di == 0 ? 0.5 : 0.25) * (dj == 0 ? 0.5 : 0.25) * (dk == 0 ? 0.5 : 0.25);
          const long node = ((i + di) * n + (j + dj + n) % n) * n + (k + dk + n) % n;
          FillBlocks(matrix, at, node, a, weight);
        }
      }
    }
  }
}

Matrix BuildMatrix(const Shape& shape) {
  const long block_rows = shape.Rows() / shape.r, blocks = block_rows * shape.BlocksPerBlockRow();
  Matrix matrix{shape, Untouched<int64_t>(block_rows + 1), Untouched<int32_t>(blocks),
                Untouched<double>(blocks * shape.r * shape.c)};
#pragma omp parallel for schedule(static)
  for (long i = 1; i <= shape.n; ++i) {
    for (long j = 0; j < shape.n; ++j) {
      for (long k = 0; k < shape.n; ++k) FillNode(matrix, i, j, k);
    }
  }
  matrix.begin[block_rows] = blocks;
  return matrix;
}

// Rows of a block that are computed as one. Spelled out because GCC unrolls the loops over a block
// first and then finds shuffles of scalars.
template <int R>
constexpr int kLanes = R % 4 == 0   ? 4
                       : R % 2 == 0 ? 2
                                    : 1;

template <int R, int C>
void Multiply(const Matrix& matrix, const double* x, double* __restrict y) {
  constexpr int kWidth = kLanes<R>, kVectors = R / kWidth;
  const long block_rows = matrix.shape.Rows() / R;
#pragma omp parallel for schedule(static)
  for (long row = 0; row < block_rows; ++row) {
    Lanes<double, kWidth> sum[kVectors] = {};
    for (int64_t at = matrix.begin[row]; at < matrix.begin[row + 1]; ++at) {
      const double* value = &matrix.value[at * R * C];
      const double* from = &x[matrix.column[at]];
      for (int j = 0; j < C; ++j) {
        for (int i = 0; i < kVectors; ++i) {
          sum[i] += LoadLanes<kWidth>(value + j * R + i * kWidth) * from[j];
        }
      }
    }
    for (int i = 0; i < kVectors; ++i) StoreLanes<kWidth>(y + row * R + i * kWidth, sum[i]);
  }
}

using Multiplier = void (*)(const Matrix&, const double*, double*);

template <int R>
Multiplier FindColumns(long c) {
  switch (c) {
    case 1:
      return Multiply<R, 1>;
    case 2:
      return Multiply<R, 2>;
    case 3:
      return Multiply<R, 3>;
    case 4:
      return Multiply<R, 4>;
    default:
      return Multiply<R, 8>;
  }
}

Multiplier FindMultiplier(long r, long c) {
  switch (r) {
    case 1:
      return FindColumns<1>(c);
    case 2:
      return FindColumns<2>(c);
    case 3:
      return FindColumns<3>(c);
    case 4:
      return FindColumns<4>(c);
    default:
      return FindColumns<8>(c);
  }
}

// x's halo planes from the ranks that own them, around the ring.
void Exchange(const Shape& shape, double* x, int rank, int ranks) {
  const int count = static_cast<int>(shape.Plane());
  const int down = (rank + ranks - 1) % ranks, up = (rank + 1) % ranks;
  double *low = x + shape.Plane(), *high = x + shape.Rows();
  MPI_Sendrecv(high, count, MPI_DOUBLE, up, 0, x, count, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(low, count, MPI_DOUBLE, down, 1, high + shape.Plane(), count, MPI_DOUBLE, up, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Component of the eigenvector that own row `row` sees, and its eigenvalue.
class Mode {
 public:
  Mode(const Kernel& kernel) : n_(kernel.n), unknowns_(kernel.option[kUnknowns]) {
    const long sizes[3] = {n_ * kernel.ranks, n_, n_};
    for (int d = 0; d < 3; ++d) {
      wave_[d] = Wave(d + 1, sizes[d], d == 0 ? n_ * kernel.rank : 0, n_);
      eigenvalue_ *= (1 + std::cos(2 * M_PI * (d + 1) / static_cast<double>(sizes[d]))) / 2;
    }
  }
  double At(long row) const {
    const auto node = static_cast<size_t>(row / unknowns_), n = static_cast<size_t>(n_);
    return wave_[0][node / (n * n)] * wave_[1][node / n % n] * wave_[2][node % n] *
           Coupling(row % unknowns_);
  }
  double eigenvalue() const { return eigenvalue_; }

 private:
  long n_, unknowns_;
  std::array<std::vector<double>, 3> wave_;
  double eigenvalue_ = 1;
};

std::unique_ptr<double[]> NewVector(const Shape& shape, const Mode& mode) {
  const long rows = shape.Rows(), plane = shape.Plane();
  auto x = Untouched<double>(rows + 2 * plane);
  std::fill_n(x.get(), plane, 0.0);
  std::fill_n(x.get() + plane + rows, plane, 0.0);
#pragma omp parallel for schedule(static)
  for (long row = 0; row < rows; ++row) x[plane + row] = mode.At(row);
  return x;
}

double LargestError(long rows, const Mode& mode, const double* own, long iterations) {
  const double scale = std::pow(mode.eigenvalue(), static_cast<double>(iterations));
  double error = 0;
  for (long row = 0; row < rows; ++row) {
    const double now = std::fabs(own[row] - scale * mode.At(row));
    if (!(now <= error)) error = now;  // keeps a NaN
  }
  return error;
}

// 1 x 1 for CSR; else as asked, by default all unknowns of a node.
Shape ChooseShape(const Kernel& kernel) {
  const long unknowns = kernel.option[kUnknowns];
  Shape shape{kernel.n, unknowns, kernel.option[kBlockRows], kernel.option[kBlockColumns]};
  if (kernel.variant == kCsr && (shape.r != 0 || shape.c != 0)) {
    KernelRefuse(&kernel, "--rows and --columns require --variant bcsr");
  }
  const long whole = kernel.variant == kCsr ? 1 : unknowns;
  if (shape.r == 0) shape.r = whole;
  if (shape.c == 0) shape.c = whole;
  if (unknowns % shape.r != 0 || unknowns % shape.c != 0) {
    KernelRefuse(&kernel, "--rows and --columns must divide --unknowns");
  }
  return shape;
}

}  // namespace

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"csr", "bcsr", nullptr};
  static const long kSizes[] = {1, 2, 3, 4, 8, 0};
  static const KernelOption kOptions[] = {
      {"unknowns", "unknowns per node", 3, kSizes},
      {"rows", "rows of a block (bcsr); default: the number of unknowns", 0, kSizes},
      {"columns", "columns of a block (bcsr); default: the number of unknowns", 0, kSizes},
      {nullptr, nullptr, 0, nullptr}};
  const KernelDoc doc = {"spmv", "nodes per dimension and rank", 40, 1, 60, kVariants, kOptions};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  const Shape shape = ChooseShape(kernel);
  const Multiplier multiply = FindMultiplier(shape.r, shape.c);
  const Matrix matrix = BuildMatrix(shape);
  const Mode mode(kernel);
  auto x = NewVector(shape, mode), y = NewVector(shape, mode);
  const double start = KernelStartClock();
  for (long iteration = 0; iteration < kernel.iterations; ++iteration) {
    {
      ROOF_REGION_SCOPE("halo");
      Exchange(shape, x.get(), kernel.rank, kernel.ranks);
    }
    ROOF_REGION_BEGIN("spmv");
    multiply(matrix, x.get(), y.get() + shape.Plane());
    ROOF_REGION_WORK(shape.Flops(), shape.Bytes());
    ROOF_REGION_END("spmv");
    std::swap(x, y);
  }
  const double seconds = KernelStopClock(start);
  double* own = x.get() + shape.Plane();
  if (kernel.spoil && kernel.rank == kernel.ranks - 1) own[shape.Rows() - 1] += 1;
  const double error = LargestError(shape.Rows(), mode, own, kernel.iterations);
  const double visits = static_cast<double>(kernel.iterations);
  return KernelEnd(&kernel, seconds, shape.Flops() * visits, shape.Bytes() * visits, error, 1e-12);
}
