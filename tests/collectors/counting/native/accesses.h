/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instructions that access memory in ways of their own. Each function accesses its arguments, and
 * the stack. */
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_ACCESSES_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_ACCESSES_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void access_gather512(const double* x, const int64_t* index, double* out); /* lanes 0, 2, 3, 5 */
void access_scatter512(float* x, const int32_t* index);                    /* 0, 5, 10, 15 */
void access_compress512(double* x);                                        /* four lanes */
void access_expand512(const float* x, float* out);                         /* eight lanes */
void access_bytes512(uint8_t* x);                                          /* 0, 32, 63 */
void access_gather256(const double* x, const int32_t* index, double* out); /* 0, 2, 3 */
void access_masked256(float* x);                                           /* 1, 2, 7 */
void access_stream(double* x);
void access_move(uint8_t* to, const uint8_t* from, size_t n);
void access_move_back(uint64_t* to, const uint64_t* from, size_t n);
void access_set(uint32_t* to, size_t n);
size_t access_compare(const uint8_t* a, const uint8_t* b, size_t n);
uint64_t access_table(const uint8_t* table, uint64_t index);
void access_through_stack(const uint64_t* from, uint64_t* to);
int64_t* access_own(int64_t i); /* of the thread */
void access_change(uint64_t* x);
uint64_t access_exchange(uint64_t* x);  /* x[0]; 7 where it exchanges, 1 where it pauses */
void access_all_registers(uint64_t* x); /* 14 words, and the next two */
void access_loop(const double* x, double* y, size_t n);
void access_carry(const uint64_t* x, uint64_t* y, size_t n);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_ACCESSES_H_ */
