/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library in the place of PAPI that has one component, pcp, as on POWER: what roofmark calls of
 * PAPI, as PAPI 7.0's sources describe it. The events are those of four memory controllers on CPU 0
 * and CPU 1, and one that is something else. Linked with a program, it is what the program finds
 * when it loads PAPI. */
#ifndef ROOFMARK_TESTS_COLLECTORS_HARDWARE_PAPI_STAND_IN_H_
#define ROOFMARK_TESTS_COLLECTORS_HARDWARE_PAPI_STAND_IN_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts n more of an event, by its name; CPUs of one package count alike, as in the firmware. */
void stand_in_count(const char* name, long long n);
/* From here on reads fail (1) or not (0). */
void stand_in_fail(int fails);
/* The service that keeps the counts begins anew. */
void stand_in_restart(void);
/* Sets that run. */
int stand_in_running(void);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_TESTS_COLLECTORS_HARDWARE_PAPI_STAND_IN_H_ */
