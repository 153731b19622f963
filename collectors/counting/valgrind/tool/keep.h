/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hands the sums over to memory of the program that outlives it (ROOF_REQ_ROOM), so that a program
 * that is killed leaves those up to the last time. Everything is done here, at the speed of the
 * machine: the program executes nothing for it, and the cache model sees nothing of it. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_KEEP_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_KEEP_H_

#include "collectors/counting/valgrind/protocol.h"
#include "pub_tool_basics.h"

void keep_take_room(const struct roof_room* room);
/* Some context has no row. */
Bool keep_wants_room(void);

/* Hands over if it is time: after a second, or earlier if no more than a hundredth of the time is
 * spent on it. No thread may be running translated code. A few nanoseconds otherwise. */
void keep_when_due(void);
void keep_now(void);

/* In a forked child, whose counts are its own. */
void keep_stop(void);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_KEEP_H_ */
