/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the command line asked for. Written once at start. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_TOOL_OPTIONS_H_
#define ROOFMARK_COLLECTORS_COUNTING_TOOL_OPTIONS_H_

#include "collectors/counting/protocol.h"
#include "pub_tool_basics.h"

typedef struct {
  Bool model_caches; /* --count=cache or threec */
  Bool three_cs;     /* --count=threec */
  UInt levels;       /* of --cache; 0 without a model */
  ULong size_bytes[ROOF_MAX_LEVELS];
  UInt ways[ROOF_MAX_LEVELS];
  UInt line_sampling; /* one line in so many is modelled; a power of two */
} Options;

extern Options options;

/* Valgrind's callbacks for options of the tool. */
Bool options_process(const HChar* argument);
void options_print_usage(void);
void options_print_debug_usage(void);

/* Completes the defaults once all options are read. */
void options_finish(void);

#endif /* ROOFMARK_COLLECTORS_COUNTING_TOOL_OPTIONS_H_ */
