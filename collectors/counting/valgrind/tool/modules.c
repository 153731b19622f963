/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/modules.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

static HChar** files; /* by number, from 1 */
static UInt count, capacity;

static UInt number_of(const HChar* file) {
  static UInt last;
  if (last && VG_(strcmp)(files[last], file) == 0) return last;
  for (UInt number = 1; number <= count; ++number)
    if (VG_(strcmp)(files[number], file) == 0) return last = number;
  if (count + 1 >= capacity) {
    capacity = capacity ? 2 * capacity : 64;
    files = VG_(realloc)("roofmark", files, capacity * sizeof *files);
  }
  files[++count] = VG_(strdup)("roofmark", file);
  return last = count;
}

/* A file is mapped in parts, one directly behind the other. */
static Addr base_of(const NSegment* part) {
  Addr base = part->start;
  for (;;) {
    const NSegment* below = VG_(am_find_nsegment)(base - 1);
    if (!below || below->kind != SkFileC || below->dev != part->dev || below->ino != part->ino ||
        below->offset >= part->offset)
      return base;
    base = below->start;
    part = below;
  }
}

Module module_of(const NSegment* part, const HChar* file) {
  Module module = {number_of(file), base_of(part), 0};
  module.size = part->end + 1 - module.base;
  return module;
}

const HChar* module_file(UInt number) { return number && number <= count ? files[number] : NULL; }
