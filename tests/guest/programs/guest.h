/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that shows what it finds and what becomes of what it does, so that an execution with
 * roofmark can be compared with one without. Its markers are compiled out in the latter. */
#ifndef ROOFMARK_TESTS_GUEST_PROGRAMS_GUEST_H_
#define ROOFMARK_TESTS_GUEST_PROGRAMS_GUEST_H_

#ifdef __cplusplus
extern "C" {
#endif

#include <stddef.h>

/* Each ends the process if it finds what no correct system does. */
#define GUEST(kind, name) void Guest_##name(void);
#include "modes.inc"
#undef GUEST

/* A visit of a region and of one below it; errno stays. */
void Visit(void);
/* Prints `what` and ends the process with 99 unless `holds`. */
void Check(int holds, const char* what);
/* The lowest free descriptor. */
int LowestFree(void);
/* How `pid` ended: "status 3", "signal 9". */
void PrintEnd(int pid);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_TESTS_GUEST_PROGRAMS_GUEST_H_ */
