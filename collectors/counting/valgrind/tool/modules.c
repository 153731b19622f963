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

static Addr* starts; /* of all mapped files, upwards */

static Int find_starts(void) {
  static Int room;
  for (;;) {
    const Int found = room ? VG_(am_get_segment_starts)(SkFileC, starts, room) : -kFirstStarts;
    if (found >= 0) return found;
    room = -2 * found;
    starts = VG_(realloc)("roofmark", starts, (SizeT)room * sizeof *starts);
  }
}

/* What the linker left between two parts for large pages, where it is not unmapped: pages of the
 * file that nobody can read. */
static Bool is_gap(const NSegment* segment) {
  return !segment->hasR && !segment->hasW && !segment->hasX;
}

static Bool is_behind(const NSegment* part, const NSegment* below) {
  return below->dev == part->dev && below->ino == part->ino && below->offset <= part->offset;
}

/* A file that is mapped twice begins with its first part again. */
static Addr base_of(const NSegment* part) {
  static NSegment last;
  static Addr base;
  if (last.start == part->start && last.offset == part->offset && last.dev == part->dev &&
      last.ino == part->ino)
    return base;
  last = *part;
  Int at = find_starts();
  while (at > 0 && starts[at - 1] >= part->start) --at;
  for (; at > 0 && part->offset > 0; --at) {
    const NSegment* below = VG_(am_find_nsegment)(starts[at - 1]);
    if (!below || is_gap(below)) continue;
    if (!is_behind(part, below)) break;
    part = below;
  }
  return base = part->start;
}

Module module_of(const NSegment* part, const HChar* file) {
  Module module = {number_of(file), base_of(part), 0};
  module.size = part->end + 1 - module.base;
  return module;
}

const HChar* module_file(UInt number) { return number && number <= count ? files[number] : NULL; }
