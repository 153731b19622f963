/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of a program that trace.cc follows. ROOFMARK_SAMPLES_WHOLE: the program is executed as a
 * whole, under the counting engine, with loops that are long enough for whatever compilers make of
 * them. */
#ifndef ROOFMARK_TESTS_LIB_LOOPS_SAMPLES_H_
#define ROOFMARK_TESTS_LIB_LOOPS_SAMPLES_H_

#ifdef ROOFMARK_SAMPLES_WHOLE
#define BEGIN_TRACE() ((void)0)
#define END_TRACE() ((void)0)
#define TRACED(few, many) (many)
#else
#define BEGIN_TRACE() __asm__ volatile("int3" ::: "memory")
#define END_TRACE() __asm__ volatile("int3" ::: "memory")
#define TRACED(few, many) (few)
#endif

/* The compiler does not know how long the loops are, as in a program that reads its input. */
static inline int Unknown(int value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

#endif /* ROOFMARK_TESTS_LIB_LOOPS_SAMPLES_H_ */
