/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_FUNCTIONS_CALLED_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_FUNCTIONS_CALLED_H_

#ifdef __cplusplus
extern "C" {
#endif

/* n scalar double additions. */
void called_add(int n);
void called_also_(int n);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_TESTS_COLLECTORS_COUNTING_FUNCTIONS_CALLED_H_ */
