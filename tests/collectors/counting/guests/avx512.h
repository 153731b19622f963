/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_GUESTS_AVX512_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_GUESTS_AVX512_H_

double add_with_avx512(const double* data);
long mask_with_avx512(long bits);

#endif /* ROOFMARK_TESTS_COLLECTORS_COUNTING_GUESTS_AVX512_H_ */
