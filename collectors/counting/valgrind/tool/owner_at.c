/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/owner_at.h"

#include "collectors/counting/contexts/owner.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"

/* What is linked into the executable: an owner of which no library is mapped. An executable may
 * have functions of its own that begin like MPI's. */
static Bool mapped[ROOF_OWN + 1];
static UInt known_epoch;
static Bool wants_modules;
static Bool linked_in; /* code of such an owner was seen in the executable */

static void look_for_libraries(DiEpoch now) {
  if (known_epoch == now.n) return;
  known_epoch = now.n;
  for (UInt owner = 0; owner <= ROOF_OWN; ++owner) mapped[owner] = False;
  for (const DebugInfo* library = VG_(next_DebugInfo)(NULL); library;
       library = VG_(next_DebugInfo)(library))
    mapped[roof_interface_of_file(VG_(DebugInfo_get_filename)(library))] = True;
}

static UInt owner_by_function(Addr address) {
  const DiEpoch now = VG_(current_DiEpoch)();
  const HChar* function;
  look_for_libraries(now);
  if (mapped[ROOF_MPI] && mapped[ROOF_RUNTIME] && mapped[ROOF_OWN]) return ROOF_PROGRAM;
  if (!VG_(get_fnname)(now, address, &function)) return ROOF_PROGRAM;
  const UInt owner = roof_owner_of_function(function);
  return mapped[owner] ? ROOF_PROGRAM : owner;
}

void owner_at_wants_modules(void) { wants_modules = True; }

Place owner_at(Addr address) {
  const NSegment* segment = VG_(am_find_nsegment)(address);
  const HChar* file = segment ? VG_(am_get_filename)(segment) : NULL;
  Place place = {.owner = ROOF_PROGRAM, .returns = True};
  if (!file) return place; /* made at run time */
  if (wants_modules) place.module = module_of(segment, file);
  if (roof_is_library(file)) {
    place.owner = roof_owner_of_file(file);
    place.begin = segment->start;
    place.size = segment->end - segment->start + 1;
    return place;
  }
  place.owner = owner_by_function(address);
  if (place.owner != ROOF_PROGRAM) linked_in = True;
  place.returns = linked_in;
  return place;
}
