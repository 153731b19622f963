/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/modules.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum { kFirstStarts = 256 };

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

/* A small file's first page can be mapped twice, as data and as code (LLVM's linker). */
static Bool is_before(const NSegment* part, const NSegment* next) {
  return part->offset < next->offset || (part->offset == next->offset && !part->hasX && next->hasX);
}

static Bool is_accessible(const NSegment* part) { return part->hasR || part->hasW || part->hasX; }

/* The parts of files, by address. */
static Int file_parts(Addr** found) {
  static Addr* starts;
  static Int room;
  Int parts = room ? VG_(am_get_segment_starts)(SkFileC, starts, room) : -kFirstStarts;
  while (parts < 0) {
    room = 2 * -parts;
    starts = VG_(realloc)("roofmark", starts, (SizeT)room * sizeof *starts);
    parts = VG_(am_get_segment_starts)(SkFileC, starts, room);
  }
  *found = starts;
  return parts;
}

/* A file is mapped in parts, one behind the other. The linker may leave gaps between them, for
 * large pages; where libraries are loaded these are parts, too, without access. */
static Addr find_base(const NSegment* part) {
  Addr* starts;
  Addr base = part->start;
  for (Int i = file_parts(&starts); i-- > 0;) {
    if (starts[i] >= base) continue;
    const NSegment* below = VG_(am_find_nsegment)(starts[i]);
    if (!below || below->dev != part->dev || below->ino != part->ino) return base;
    if (!is_accessible(below)) continue;
    if (!is_before(below, part)) return base;
    base = below->start;
    part = below;
  }
  return base;
}

/* Most blocks lie in the part in which the one before them did. */
static Addr base_of(const NSegment* part) {
  static NSegment last;
  static Addr base;
  if (last.start != part->start || last.offset != part->offset || last.dev != part->dev ||
      last.ino != part->ino) {
    last = *part;
    base = find_base(part);
  }
  return base;
}

Module module_of(const NSegment* part, const HChar* file) {
  Module module = {number_of(file), base_of(part), 0};
  module.size = part->end + 1 - module.base;
  return module;
}

const HChar* module_file(UInt number) { return number && number <= count ? files[number] : NULL; }
