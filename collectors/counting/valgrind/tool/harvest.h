/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_HARVEST_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_HARVEST_H_

#include "collectors/counting/valgrind/protocol.h"
#include "pub_tool_basics.h"

/* Fills the caller's table with every context that counted anything; sums go on. False if the
 * buffer is too small. */
Bool harvest(struct roof_harvest* out);
Bool harvest_blocks(struct roof_block_harvest* out);
Bool harvest_nest_paths(struct roof_nest_paths* out);
Bool harvest_module(struct roof_module* module);

/* Fills file and line. False without debug information of that place. */
Bool find_line(struct roof_line* line);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_HARVEST_H_ */
