// SPDX-License-Identifier: BSD-3-Clause
//
// sweeps NX ROUNDS: what the sweeps of HPCG's ComputeSYMGS_ref take when data alone is changed. It
// is linked with the object files of a checkout; all variants execute the same function.
//
// Chain: each row reads what the row before wrote. It is broken by adding a constant to all column
// indices, so that rows read a second vector that nobody writes. Memory: the matrix does not fit
// into the caches. It is taken away by sweeping over a few rows in the middle again and again;
// their column indices are relative to the first of them, so that rows read the same neighbours.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ComputeSYMGS_ref.hpp"
#include "GenerateGeometry.hpp"
#include "GenerateProblem_ref.hpp"
#include "SetupHalo_ref.hpp"

namespace {

using Clock = std::chrono::steady_clock;

// Of the rows begin to end, with `shift` added to all columns. The memory is never freed.
local_int_t** Columns(const SparseMatrix& matrix, local_int_t begin, local_int_t end,
                      local_int_t shift) {
  auto** rows = new local_int_t*[end - begin];
  for (local_int_t i = begin; i < end; ++i) {
    local_int_t* row = rows[i - begin] = new local_int_t[27];  // as GenerateProblem_ref does
    for (int j = 0; j < matrix.nonzerosInRow[i]; ++j) row[j] = matrix.mtxIndL[i][j] + shift;
  }
  return rows;
}

struct Variant {
  const char* name;
  SparseMatrix matrix;
  Vector r, x;
  int repeats = 1;  // so that all variants sweep over as many rows
  double nonzeros = 0;
  std::vector<double> ns = {};

  void Sweep() {
    const auto begin = Clock::now();
    for (int i = 0; i < repeats; ++i) ComputeSYMGS_ref(matrix, r, x);
    const std::chrono::duration<double, std::nano> took = Clock::now() - begin;
    ns.push_back(took.count() / (2.0 * repeats * matrix.localNumberOfRows));
  }
  double At(double share) {
    std::sort(ns.begin(), ns.end());
    return ns[static_cast<size_t>(share * static_cast<double>(ns.size() - 1))];
  }
};

double NonzerosOf(const SparseMatrix& matrix) {
  double sum = 0;
  for (local_int_t i = 0; i < matrix.localNumberOfRows; ++i) sum += matrix.nonzerosInRow[i];
  return sum / matrix.localNumberOfRows;
}

// Rows whose numbers are equal share them, so that nearly all of the matrix's values lie in L1.
void ShareValues(SparseMatrix& matrix) {
  auto** rows = new double*[matrix.localNumberOfRows];
  auto** diagonals = new double*[matrix.localNumberOfRows];
  std::vector<double*> kept;
  for (local_int_t i = 0; i < matrix.localNumberOfRows; ++i) {
    const int n = matrix.nonzerosInRow[i];
    double* own = matrix.matrixValues[i];
    const auto same = std::find_if(kept.rbegin(), kept.rend(),
                                   [&](double* one) { return std::equal(own, own + n, one); });
    rows[i] = same == kept.rend() ? own : *same;
    diagonals[i] = rows[i] + (matrix.matrixDiagonal[i] - own);
    if (rows[i] == own) kept.push_back(own);
  }
  matrix.matrixValues = rows;
  matrix.matrixDiagonal = diagonals;
}

Variant Window(const char* name, const SparseMatrix& whole, const Vector& r, const Vector& x,
               local_int_t begin, local_int_t rows, local_int_t shift) {
  Variant one = {name, whole, r, x};
  SparseMatrix& matrix = one.matrix;
  matrix.matrixValues += begin;
  matrix.matrixDiagonal += begin;
  matrix.nonzerosInRow += begin;
  matrix.mtxIndL = Columns(whole, begin, begin + rows, shift - begin);
  matrix.localNumberOfRows = rows;
  one.r.values += begin;
  one.x.values += begin;
  one.repeats = std::max(1, whole.localNumberOfRows / rows);
  return one;
}

}  // namespace

int main(int argc, char** argv) {
  const int nx = argc > 1 ? std::atoi(argv[1]) : 64, rounds = argc > 2 ? std::atoi(argv[2]) : 21;
  Geometry geometry;
  GenerateGeometry(1, 0, 1, 0, 0, 0, nx, nx, nx, 1, 1, 1, &geometry);
  SparseMatrix matrix;
  InitializeSparseMatrix(matrix, &geometry);
  Vector r, ignored, exact, x;
  GenerateProblem_ref(matrix, &r, &ignored, &exact);
  SetupHalo_ref(matrix);
  const local_int_t n = matrix.localNumberOfRows;
  InitializeVector(x, 2 * n);
  for (local_int_t i = 0; i < 2 * n; ++i) x.values[i] = i < n ? 0.5 : 1.0;
  x.localLength = matrix.localNumberOfColumns;

  // 16 lines of the grid: 360 KB of matrix.
  const local_int_t few = std::min(n, 16 * nx), middle = (nx / 2) * nx * nx;
  SparseMatrix broken = matrix, shared = matrix;
  broken.mtxIndL = Columns(matrix, 0, n, n);
  ShareValues(shared);
  std::vector<Variant> variants = {
      {"as it is", matrix, r, x},
      {"no chain", broken, r, x},
      {"values from L1", shared, r, x},
      Window("rows from L2", matrix, r, x, middle, few, 0),
      Window("rows from L2, no chain", matrix, r, x, middle, few, n),
  };
  for (int round = 0; round <= rounds; ++round) {
    for (Variant& one : variants) {
      if (one.repeats > 1) ComputeSYMGS_ref(one.matrix, one.r, one.x);  // into the caches
      one.Sweep();
      if (round == 0) one.ns.clear();
    }
  }
  for (Variant& one : variants) {
    std::printf("%s\t%.2f\t%.2f\t%.2f\t%.2f\n", one.name, one.At(0.5), one.At(0.1), one.At(0.9),
                NonzerosOf(one.matrix));
  }
  return 0;
}
