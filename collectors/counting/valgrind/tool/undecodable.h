/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_UNDECODABLE_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_UNDECODABLE_H_

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* For a block that ends at an instruction that Valgrind cannot translate. RDTSCP, which Valgrind
 * has only where CPUID says that the processor has it, is executed: on some virtual machines CPUID
 * does not, and libraries (Highway's) execute it when they are loaded. Others print the cause and
 * the cure when the block gets there, just before SIGILL. */
void undecodable_replace(IRSB* block);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_UNDECODABLE_H_ */
