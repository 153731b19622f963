/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels whose FLOPs have a closed form. Compiled several times with other flags: the test knows
 * the numbers, the flags imply width and kind. */
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_VALGRIND_GUESTS_KERNELS_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_VALGRIND_GUESTS_KERNELS_H_

#ifndef REAL
#define REAL double
#endif

void triad(long n, REAL* restrict a, const REAL* restrict b, const REAL* restrict c, REAL s);
REAL dot(long n, const REAL* restrict a, const REAL* restrict b);
/* C += A B, all n x n. */
void gemm(long n, REAL* restrict c, const REAL* restrict a, const REAL* restrict b);
/* Inner points of an n x n x n grid: 6 additions and 2 multiplications each. */
void stencil(long n, REAL* restrict out, const REAL* restrict in, REAL alpha, REAL beta);
void divide(long n, REAL* restrict a, const REAL* restrict b, const REAL* restrict c);
void roots(long n, REAL* restrict a, const REAL* restrict b);

#endif /* ROOFMARK_TESTS_COLLECTORS_COUNTING_VALGRIND_GUESTS_KERNELS_H_ */
