/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_UNDECODABLE_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_UNDECODABLE_H_

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* For a block that ends at an instruction that Valgrind cannot translate: lets it print the cause
 * and the cure when it gets there, just before SIGILL. */
void undecodable_explain_when_reached(IRSB* block);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_UNDECODABLE_H_ */
