/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C = A B for square matrices of n rows per rank, distributed by blocks of rows; the blocks of B
 * travel around the ring, one multiplication per step. 2 m n k FLOPs per step. Elements are small
 * integers, so the result is exact and equal to a closed form.
 */
#include <math.h>
#include <mpi.h>
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/kernels/kernel.h"

enum { kBlocked, kNaive };
enum { kTileRows = 4, kTileColumns = 8, kTileDepth = 256 };

/* A[i][k] = RowA(i) + ColumnA(k), B[k][j] = RowB(k) - ColumnB(j). */
static double RowA(long i) { return (double)(i % 7); }
static double ColumnA(long k) { return (double)(k % 5); }
static double RowB(long k) { return (double)(k % 3); }
static double ColumnB(long j) { return (double)(j % 11); }

/* c[rows][columns] += a[rows][depth] b[depth][columns]; lda, ldb and ldc are row lengths. */
static void MultiplyNaive(long rows, long columns, long depth, const double* restrict a, long lda,
                          const double* restrict b, long ldb, double* restrict c, long ldc) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < rows; ++i) {
    for (long k = 0; k < depth; ++k) {
      for (long j = 0; j < columns; ++j) c[i * ldc + j] += a[i * lda + k] * b[k * ldb + j];
    }
  }
}

/* One tile of c stays in registers while the depth is walked. `panel` holds kTileColumns columns of
 * b, row by row. */
static void Tile(long depth, const double* restrict a, long lda, const double* restrict panel,
                 double* restrict c, long ldc) {
  double sum[kTileRows][kTileColumns];
  for (int i = 0; i < kTileRows; ++i) {
#pragma omp simd
    for (int j = 0; j < kTileColumns; ++j) sum[i][j] = c[i * ldc + j];
  }
  for (long k = 0; k < depth; ++k) {
    for (int i = 0; i < kTileRows; ++i) {
#pragma omp simd
      for (int j = 0; j < kTileColumns; ++j)
        sum[i][j] += a[i * lda + k] * panel[k * kTileColumns + j];
    }
  }
  for (int i = 0; i < kTileRows; ++i) {
#pragma omp simd
    for (int j = 0; j < kTileColumns; ++j) c[i * ldc + j] = sum[i][j];
  }
}

/* Each thread copies a panel of b into its own L1 and passes all of its rows over it. */
static void MultiplyBlocked(long rows, long columns, long depth, const double* restrict a, long lda,
                            const double* restrict b, long ldb, double* restrict c, long ldc) {
#pragma omp parallel
  for (long k = 0; k < depth; k += kTileDepth) {
    const long deep = depth - k < kTileDepth ? depth - k : kTileDepth;
    for (long j = 0; j < columns; j += kTileColumns) {
      double panel[kTileDepth * kTileColumns];
      for (long m = 0; m < deep; ++m) {
        for (int n = 0; n < kTileColumns; ++n) {
          panel[m * kTileColumns + n] = b[(k + m) * ldb + j + n];
        }
      }
#pragma omp for schedule(static) nowait
      for (long i = 0; i < rows; i += kTileRows) {
        Tile(deep, a + i * lda + k, lda, panel, c + i * ldc + j, ldc);
      }
    }
  }
}

static double* NewMatrix(long rows, long columns) {
  double* matrix = aligned_alloc(64, (size_t)(rows * columns) * sizeof *matrix);
  if (matrix == NULL) {
    fprintf(stderr, "dgemm: no memory for %ld x %ld elements\n", rows, columns);
    exit(1);
  }
#pragma omp parallel for schedule(static)
  for (long i = 0; i < rows * columns; ++i) matrix[i] = 0;
  return matrix;
}

/* Largest deviation of this rank's rows after `times` products added up. */
static double LargestError(const double* c, long rows, long first, long size, double times) {
  double column_a = 0, row_b = 0, both = 0, error = 0;
  for (long k = 0; k < size; ++k) {
    column_a += ColumnA(k);
    row_b += RowB(k);
    both += ColumnA(k) * RowB(k);
  }
  for (long i = 0; i < rows; ++i) {
    const double left = RowA(first + i);
    for (long j = 0; j < size; ++j) {
      const double right = ColumnB(j);
      const double sum = left * row_b - left * right * (double)size + both - right * column_a;
      const double now = fabs(c[i * size + j] - times * sum);
      if (!(now <= error)) error = now; /* keeps a NaN */
    }
  }
  return error;
}

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"blocked", "naive", NULL};
  const KernelDoc doc = {.name = "dgemm",
                         .size_doc = "rows per rank, a multiple of 8; ranks x N rows in total",
                         .n = 1024,
                         .n_multiple = 8,
                         .iterations = 4,
                         .variants = kVariants};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  const long rows = kernel.n, size = rows * kernel.ranks, first = rows * kernel.rank;
  double *a = NewMatrix(rows, size), *b = NewMatrix(rows, size), *c = NewMatrix(rows, size);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < rows; ++i) {
    for (long j = 0; j < size; ++j) {
      a[i * size + j] = RowA(first + i) + ColumnA(j);
      b[i * size + j] = RowB(first + i) - ColumnB(j);
    }
  }
  const int up = (kernel.rank + 1) % kernel.ranks;
  const int down = (kernel.rank + kernel.ranks - 1) % kernel.ranks;
  const double flops = 2.0 * (double)rows * (double)rows * (double)size;
  /* Each block touched once, c read and written: what no cache can save. */
  const double bytes = 8.0 * ((double)rows * (double)rows + 3.0 * (double)rows * (double)size);
  const long steps = kernel.iterations * kernel.ranks;
  const double start = KernelStartClock();
  for (long step = 0; step < steps; ++step) {
    /* After `step` shifts this rank holds the block of B that began on rank + step. */
    const long k = (kernel.rank + step) % kernel.ranks * rows;
    ROOF_REGION_BEGIN("dgemm");
    if (kernel.variant == kNaive) {
      MultiplyNaive(rows, size, rows, a + k, size, b, size, c, size);
    } else {
      MultiplyBlocked(rows, size, rows, a + k, size, b, size, c, size);
    }
    ROOF_REGION_WORK(flops, bytes);
    ROOF_REGION_END("dgemm");
    ROOF_REGION_BEGIN("shift");
    MPI_Sendrecv_replace(b, (int)(rows * size), MPI_DOUBLE, down, 0, up, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    ROOF_REGION_END("shift");
  }
  const double seconds = KernelStopClock(start);
  if (kernel.spoil && kernel.rank == kernel.ranks - 1) c[rows * size - 1] += 1;
  const double error = LargestError(c, rows, first, size, (double)kernel.iterations);
  free(a);
  free(b);
  free(c);
  return KernelEnd(&kernel, seconds, flops * (double)steps, bytes * (double)steps, error, 0);
}
