/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Marked kernels whose arrays lie at the same addresses in every execution, so that engines see the
 * same accesses: placed KERNEL TIMES. Arrays are larger than small caches; everything that touches
 * them is in a region. */
#define _GNU_SOURCE
#include <roofmark/roofmark.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { kBytes = 8 << 20, kN = 200000, kSide = 48, kRows = 20000, kEach = 27 };
enum { kMatrix = 160, kAtoms = 8000, kNeighbours = 40 };
#define AT UINT64_C(0x200000000000)

static double* array(int number) {
  void* at = (void*)(uintptr_t)(AT + (uint64_t)number * kBytes);
  if (mmap(at, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
           -1, 0) != at)
    exit(3);
  return at;
}

static void triad(double* a, const double* b, const double* c, double* unused) {
  (void)unused;
#pragma omp parallel for
  for (int i = 0; i < kN; ++i) a[i] = b[i] + 3 * c[i];
}

static void stencil(double* a, const double* b, const double* c, double* unused) {
  (void)c, (void)unused;
#pragma omp parallel for
  for (int z = 1; z < kSide - 1; ++z)
    for (int y = 1; y < kSide - 1; ++y)
      for (int x = 1; x < kSide - 1; ++x) {
        const double* at = b + (z * kSide + y) * kSide + x;
        a[(z * kSide + y) * kSide + x] =
            0.4 * at[0] + 0.1 * (at[1] + at[-1] + at[kSide] + at[-kSide] + at[kSide * kSide] +
                                 at[-kSide * kSide]);
      }
}

/* b has the values, d the columns, of rows with 27 elements. */
static void spmv(double* a, const double* b, const double* c, double* d) {
  const int* column = (const int*)d;
#pragma omp parallel for
  for (int row = 0; row < kRows; ++row) {
    double sum = 0;
    for (int i = row * kEach; i < (row + 1) * kEach; ++i) sum += b[i] * c[column[i]];
    a[row] = sum;
  }
}

static void gemm(double* a, const double* b, const double* c, double* unused) {
  (void)unused;
#pragma omp parallel for
  for (int i = 0; i < kMatrix; ++i)
    for (int k = 0; k < kMatrix; ++k)
      for (int j = 0; j < kMatrix; ++j)
        a[i * kMatrix + j] += b[i * kMatrix + k] * c[k * kMatrix + j];
}

/* b has places, d the numbers of neighbours, of which some are near. */
static void force(double* a, const double* b, const double* c, double* d) {
  const int* neighbour = (const int*)d;
  (void)c;
#pragma omp parallel for
  for (int i = 0; i < kAtoms; ++i) {
    double f[3] = {0, 0, 0};
    for (int k = 0; k < kNeighbours; ++k) {
      const double* other = b + 3 * neighbour[i * kNeighbours + k];
      const double x = b[3 * i] - other[0], y = b[3 * i + 1] - other[1],
                   z = b[3 * i + 2] - other[2];
      const double square = x * x + y * y + z * z;
      if (square > 0.5) continue;
      const double by = 1 / (square + 0.01), six = by * by * by, size = six * (six - 0.5) * by;
      f[0] += size * x, f[1] += size * y, f[2] += size * z;
    }
    memcpy(a + 3 * i, f, sizeof f);
  }
}

static void fill(double* b, double* c, int* d) {
  uint32_t random = 1;
  for (int i = 0; i < 3 * kN; ++i) {
    random = random * 1664525 + 1013904223;
    b[i] = random / 4294967296.0;
    if (i < kN) c[i] = 1.0 / (i + 1);
    if (i < kRows * kEach) d[i] = (int)(((uint64_t)(random >> 8) * (i % 3 ? 8000 : 4000)) >> 24);
  }
}

/* Everything that was written leaves caches of up to half its size. */
static double sweep(const double* other) {
  double sum = 0;
  for (int i = 0; i < kBytes / 8; i += 8) sum += other[i];
  return sum;
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*call)(double*, const double*, const double*, double*);
  } kernels[] = {
      {"triad", triad}, {"stencil", stencil}, {"spmv", spmv}, {"gemm", gemm}, {"force", force}};
  if (argc != 3) return 2;
  const int times = atoi(argv[2]);
  double *a = array(0), *b = array(1), *c = array(2), *d = array(3);
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k) {
    if (strcmp(kernels[k].name, argv[1]) != 0) continue;
    ROOF_REGION_BEGIN("filled");
    fill(b, c, (int*)d);
    ROOF_REGION_END("filled");
    ROOF_REGION_BEGIN("counted");
    for (int i = 0; i < times; ++i) kernels[k].call(a, b, c, d);
    ROOF_REGION_END("counted");
    ROOF_REGION_BEGIN("behind");
    const double none = sweep(array(4));
    ROOF_REGION_END("behind");
    printf("%.17g\n", a[kAtoms / 2 + 7] + none);
    return 0;
  }
  return 2;
}
