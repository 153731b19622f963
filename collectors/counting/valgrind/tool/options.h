/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the command line asked for. Written once at start. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_OPTIONS_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_OPTIONS_H_

#include "collectors/counting/cache/geometry.h"
#include "collectors/counting/dataflow/latencies.h"
#include "pub_tool_basics.h"

typedef struct {
  Bool model_caches;             /* --count=cache or threec */
  struct roof_geometry geometry; /* no levels without a model */
  UInt line_sampling;            /* one line in so many is modelled; a power of two */
  UInt three_cs;                 /* 0: misses are not classified; else one line in so many is */
  Bool windows;                  /* --latencies: dependences are followed in windows */
  struct roof_latencies latencies;
} Options;

extern Options options;

/* Valgrind's callbacks for options of the tool. */
Bool options_process(const HChar* argument);
void options_print_usage(void);
void options_print_debug_usage(void);

/* Checks and completes the options once all are read. Ends the process if one is malformed. */
void options_finish(void);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_OPTIONS_H_ */
