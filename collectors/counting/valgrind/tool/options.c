/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/options.h"

#include "collectors/counting/dataflow/latency_text.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"

#ifdef __clang__ /* Valgrind's macros for options are expressions of GNU C */
#pragma clang diagnostic ignored "-Wgnu-statement-expression"
#endif

Options options;

static const HChar* count = "flops";
static const HChar* geometry = "L1:32K:8,L2:1M:16,L3:32M:16";
static const HChar* latencies = NULL;
/* VG_BINT_CLO checks the range in the type of its variable. */
static Long line_sampling = 1, three_cs_sampling = 1;

Bool options_process(const HChar* argument) {
  if VG_STR_CLO (argument, "--count", count) {
  } else if VG_STR_CLO (argument, "--cache", geometry) {
  } else if VG_STR_CLO (argument, "--latencies", latencies) {
  } else if VG_BINT_CLO (argument, "--line-sampling", line_sampling, 1, 256) {
  } else if VG_BINT_CLO (argument, "--three-cs-sampling", three_cs_sampling, 1, 256) {
  } else {
    return False;
  }
  return True;
}

void options_print_usage(void) {
  VG_(printf)
  ("    --count=flops|cache|threec   FLOPs and instructions; also the traffic of a modelled\n"
   "                                 cache hierarchy; also its misses by cause [flops]\n"
   "    --cache=L1:SIZE:WAYS,...     up to three levels, SIZE with K, M or G [%s]\n"
   "    --line-sampling=N            model one cache line in N, a power of two [1]\n"
   "    --three-cs-sampling=N        classify the misses of one line in N [1]\n"
   "    --latencies=NAME=CYCLES,...  follow dependences in one instruction of 100; those not "
   "named\n"
   "                                 are usual ones; every line must be modelled [off]\n",
   geometry);
}

void options_print_debug_usage(void) { VG_(printf)("    (none)\n"); }

static void refuse(const HChar* option, const HChar* why) {
  VG_(printf)("roofmark: %s: %s\n", option, why);
  VG_(exit)(2);
}

static void check_power_of_two(const HChar* option, Long value) {
  if (value & (value - 1)) refuse(option, "expected a power of two");
}

static void read_geometry(void) {
  HChar error[ROOF_GEOMETRY_ERROR];
  if (!roof_geometry_parse(geometry, &options.geometry, error, sizeof error))
    refuse("--cache", error);
}

/* Where a line is found is known of those that are modelled. */
static void read_latencies(void) {
  if (!latencies) return;
  if (!options.model_caches) refuse("--latencies", "expected --count=cache or threec");
  if (options.line_sampling > 1) refuse("--latencies", "expected --line-sampling=1");
  const HChar* wrong = roof_latencies_parse(latencies, &options.latencies);
  if (wrong) refuse("--latencies", wrong);
  options.windows = True;
}

void options_finish(void) {
  Bool three_cs = VG_(strcmp)(count, "threec") == 0;
  options.model_caches = three_cs || VG_(strcmp)(count, "cache") == 0;
  if (!options.model_caches && VG_(strcmp)(count, "flops") != 0)
    refuse("--count", "expected flops, cache or threec");
  check_power_of_two("--line-sampling", line_sampling);
  check_power_of_two("--three-cs-sampling", three_cs_sampling);
  options.line_sampling = (UInt)line_sampling;
  read_latencies();
  if (!options.model_caches) return;
  if (three_cs) options.three_cs = (UInt)three_cs_sampling;
  read_geometry();
}
