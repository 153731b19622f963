/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parallel regions of two threads whose times are known. In each, one thread has come to where it
 * waits before the other one begins to work, so that no load on the machine changes who waits. */
#ifndef ROOFMARK_TESTS_MARKERS_OPENMP_WAIT_CASES_H_
#define ROOFMARK_TESTS_MARKERS_OPENMP_WAIT_CASES_H_

#ifdef __cplusplus
extern "C" {
#endif

enum { kWorkMs = 100 };

/* Called by every thread while it works; the test may define it. */
__attribute__((weak)) void TellWork(void);

/* Returns the number of threads that took part. */
int WaitAtTheEnd(int regions); /* one works, the other one ends */
int WaitAtABarrier(void);      /* then both work */
int WaitForACritical(void);    /* one after the other works */
int TasksInABarrier(void);     /* one makes two tasks, which both execute at a barrier, and waits */
int TasksOfALoop(void);        /* the same, as taskloop */
int Nested(void);              /* each thread works in a parallel region of its own */
int LeftByLongjmp(void);       /* out of the body of a team of one, which does not work first */
int Sum(int terms);            /* 0 + 1 + ... by all kinds of loops and sections, many times */

#ifdef __cplusplus
}
#endif

#endif  // ROOFMARK_TESTS_MARKERS_OPENMP_WAIT_CASES_H_
