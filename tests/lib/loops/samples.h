/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of a program that trace.cc follows. */
#ifndef ROOFMARK_TESTS_LIB_LOOPS_SAMPLES_H_
#define ROOFMARK_TESTS_LIB_LOOPS_SAMPLES_H_

#define BEGIN_TRACE() __asm__ volatile("int3" ::: "memory")
#define END_TRACE() __asm__ volatile("int3" ::: "memory")

#endif /* ROOFMARK_TESTS_LIB_LOOPS_SAMPLES_H_ */
