/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts by translation in the process itself. Code of the program is copied, block by block, to
 * code caches, with instructions that count executions; the copies compute what the program
 * computes, on the same stack, with the same registers. Return addresses are the program's own, so
 * at the border of any two blocks a thread can go on as native code, and does where code cannot be
 * translated: `exits` of its area then tell why and how often.
 *
 * Not followed yet: signal handlers, which run as native code, and code that changes after it was
 * translated. Whoever uses this has to see to both.
 *
 * What the dispatcher executes uses no heap, and no libc but what copies and clears memory. Its
 * lock is held by nobody else; a signal handler must not run translated code on a thread that is in
 * it.
 */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_NATIVE_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_NATIVE_H_

#include <stddef.h>
#include <stdint.h>

#include "collectors/counting/contexts/segments.h"
#include "collectors/counting/memory.h"
#include "collectors/counting/native/area.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL if this machine can execute translated code, else the reason why it cannot. */
const char* roof_native_missing(void);

/* The translator of a process; NULL without memory. Each area gets so many counters. */
struct roof_native* roof_native_create(const struct roof_memory* memory, uint32_t slots);
/* No thread executes translated code any more. */
void roof_native_destroy(struct roof_native* native);

/* Code in [begin, end), which must stay as it is, may be translated, into a cache of so many bytes.
 * 0, with an errno in `error`, if there is no room in reach. Not while code is translated. */
int roof_native_allow(struct roof_native* native, uint64_t begin, uint64_t end, uint64_t bytes,
                      int* error);
/* Here threads go on as native code. 0: there are too many such places already. */
int roof_native_stop_at(struct roof_native* native, uint64_t pc);

/* NULL without memory. */
struct roof_native_area* roof_native_area_create(struct roof_native* native);
void roof_native_area_destroy(struct roof_native_area* area);
/* Adds what was executed in the area to counters[ROOF_COUNTERS], and clears it there. The thread
 * must not be executing translated code. */
void roof_native_fold(struct roof_native_area* area, uint64_t* counters);

/* The thread goes on as translated code where this call returns to. Nothing else in the process may
 * use gs. */
void roof_native_enter(struct roof_native_area* area);
/* The same for a thread whose gs is an area already: goes on at the address on top of the stack.
 * Changes no register. */
void roof_native_resume(void);

/* From here on the thread executes native code again; does nothing in one that does already. */
void roof_native_leave(void);

/* Bytes of translated code. */
uint64_t roof_native_code_bytes(const struct roof_native* native);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_NATIVE_H_ */
