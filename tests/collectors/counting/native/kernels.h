/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled code whose counts have closed forms. It calls no library. */
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_KERNELS_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_KERNELS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 2^depth - 1 additions, each in a call of its own. */
double kernel_tree(int depth);
/* n additions, through a pointer that changes. */
double kernel_through_pointers(size_t n);
/* n scalar multiplications and additions. */
double kernel_scalar(const double* a, const double* b, size_t n);

/* AVX-512: the last vector by a mask. n fused operations, 16 n bytes loaded. */
double kernel_dot512(const double* a, const double* b, size_t n);
/* y[i] = 2 x[i] where x[i] > 0: as many multiplications as there are such, n bytes x 4 loaded. */
void kernel_positive512(const float* x, float* y, size_t n);
/* Sum of x[index[i]], 8 a time, by masked gathers. n must be a multiple of 8. */
double kernel_gather512(const double* x, const int64_t* index, size_t n);
/* n dot products of 64 bytes (VNNI), 512 bits, then one of the lowest `lanes` of 16 lanes; returns
 * the first lane's sum, of ones and twos. */
int32_t kernel_bytes512(size_t n, unsigned lanes);
/* The same with pairs of BF16. */
float kernel_bf16_512(size_t n, unsigned lanes);
/* AVX2: x[i] for i < n < 8 by a masked load. */
float kernel_few_avx2(const float* x, int n);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_KERNELS_H_ */
