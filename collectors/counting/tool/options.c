/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/tool/options.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"

enum { kDefaultLevels = 3 };

Options options = {.line_sampling = 1};

static const HChar* count = "flops";
static const HChar* geometry = "L1:32K:8,L2:1M:16,L3:32M:16";

/* A decimal number with an optional K, M or G (binary). Moves *text behind it; 0 if malformed. */
static ULong parse_size(const HChar** text) {
  ULong value = 0;
  for (; **text >= '0' && **text <= '9'; ++*text) value = value * 10 + (ULong)(**text - '0');
  switch (**text) {
    case 'K': ++*text; return value << 10;
    case 'M': ++*text; return value << 20;
    case 'G': ++*text; return value << 30;
    default: return value;
  }
}

/* One "L1:48K:12". */
static Bool parse_level(const HChar** text, UInt level) {
  if ((*text)[0] != 'L' || (*text)[1] != (HChar)('1' + level) || (*text)[2] != ':') return False;
  *text += 3;
  options.size_bytes[level] = parse_size(text);
  if (**text != ':') return False;
  ++*text;
  options.ways[level] = (UInt)parse_size(text);
  return options.size_bytes[level] > 0 && options.ways[level] > 0;
}

static Bool parse_geometry(const HChar* text) {
  options.levels = 0;
  for (;;) {
    if (options.levels == ROOF_MAX_LEVELS || !parse_level(&text, options.levels)) return False;
    ++options.levels;
    if (*text == '\0') return True;
    if (*text++ != ',') return False;
  }
}

Bool options_process(const HChar* argument) {
  if VG_STR_CLO (argument, "--count", count) {
  } else if VG_STR_CLO (argument, "--cache", geometry) {
  } else if VG_BINT_CLO (argument, "--line-sampling", options.line_sampling, 1, 1024) {
  } else {
    return False;
  }
  return True;
}

void options_print_usage(void) {
  VG_(printf)(
      "    --count=flops|cache|threec   FLOPs and instructions; also the traffic of a modelled\n"
      "                                 cache hierarchy; also its misses by cause [flops]\n"
      "    --cache=L1:SIZE:WAYS,...     up to three levels, SIZE with K, M or G [%s]\n"
      "    --line-sampling=N            model one cache line in N, a power of two [1]\n",
      geometry);
}

void options_print_debug_usage(void) { VG_(printf)("    (none)\n"); }

void options_finish(void) {
  if (VG_(strcmp)(count, "cache") == 0 || VG_(strcmp)(count, "threec") == 0) {
    options.model_caches = True;
    options.three_cs = VG_(strcmp)(count, "threec") == 0;
    if (!parse_geometry(geometry)) VG_(fmsg_bad_option)("--cache", "expected L1:SIZE:WAYS,...\n");
  } else if (VG_(strcmp)(count, "flops") != 0) {
    VG_(fmsg_bad_option)("--count", "expected flops, cache or threec\n");
  }
  if (options.line_sampling & (options.line_sampling - 1))
    VG_(fmsg_bad_option)("--line-sampling", "expected a power of two\n");
}
