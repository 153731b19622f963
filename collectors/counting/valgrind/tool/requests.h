/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_REQUESTS_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_REQUESTS_H_

#include "pub_tool_basics.h"

/* Valgrind's callback for the requests of protocol.h. */
Bool requests_handle(ThreadId tid, UWord* arguments, UWord* result);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_REQUESTS_H_ */
