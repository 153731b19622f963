// SPDX-License-Identifier: BSD-3-Clause
//
// LIKWID's marker API, in C and for its Fortran module (likwid.h, likwid-marker.h): a region of
// LIKWID is one of roofmark. Where LIKWID itself is in the process and inactive (the program was
// not started by likwid-perfctr), its functions return an error code, as ever.
#include <roofmark/roofmark.h>

#include "markers/adapted.h"
#include "markers/adapters/call.h"
#include "markers/adapters/fortran_text.h"
#include "markers/adapters/open_ranges.h"

namespace {

using namespace roofmark::adapters;
using roofmark::Next;

constexpr uint32_t kLikwid = roofmark::AdapterBit("likwid");

// Without LIKWID nothing was counted.
void GiveNothing(int* events, double* time, int* count) {
  if (events != nullptr) *events = 0;
  if (time != nullptr) *time = 0;
  if (count != nullptr) *count = 0;
}

}  // namespace

// What only LIKWID has to know of.
#define ROOFMARK_PASS_ON(name)               \
  ROOFMARK_FOREIGN void name(void) {         \
    static Next next{#name};                 \
    const Call call(kLikwid);                \
    Tell(next, __builtin_return_address(0)); \
  }
ROOFMARK_PASS_ON(likwid_markerInit)
ROOFMARK_PASS_ON(likwid_markerThreadInit)
ROOFMARK_PASS_ON(likwid_markerNextGroup)
ROOFMARK_PASS_ON(likwid_markerClose)
ROOFMARK_PASS_ON(likwid_markerinit_)
ROOFMARK_PASS_ON(likwid_markerthreadinit_)
ROOFMARK_PASS_ON(likwid_markernextgroup_)
ROOFMARK_PASS_ON(likwid_markerclose_)

ROOFMARK_FOREIGN int likwid_markerRegisterRegion(const char* tag) {
  static Next next{"likwid_markerRegisterRegion"};
  const Call call(kLikwid);
  return Forward(next, __builtin_return_address(0), 0, tag);
}

ROOFMARK_FOREIGN int likwid_markerStartRegion(const char* tag) {
  static Next next{"likwid_markerStartRegion"};
  const Call call(kLikwid);
  const int result = Forward(next, __builtin_return_address(0), 0, tag);
  if (call && tag != nullptr) roofmark_begin(tag);
  return result;
}

ROOFMARK_FOREIGN int likwid_markerStopRegion(const char* tag) {
  static Next next{"likwid_markerStopRegion"};
  const Call call(kLikwid);
  if (call && tag != nullptr) roofmark_end(tag);
  return Forward(next, __builtin_return_address(0), 0, tag);
}

ROOFMARK_FOREIGN int likwid_markerResetRegion(const char* tag) {
  static Next next{"likwid_markerResetRegion"};
  const Call call(kLikwid);
  return Forward(next, __builtin_return_address(0), 0, tag);
}

ROOFMARK_FOREIGN void likwid_markerGetRegion(const char* tag, int* events, double* values,
                                             double* time, int* count) {
  static Next next{"likwid_markerGetRegion"};
  const Call call(kLikwid);
  void* const caller = __builtin_return_address(0);
  if (Behind(next, caller) == nullptr) return GiveNothing(events, time, count);
  Tell(next, caller, tag, events, values, time, count);
}

// Fortran: the length of a string comes last.

ROOFMARK_FOREIGN void likwid_markerregisterregion_(char* tag, int length) {
  static Next next{"likwid_markerregisterregion_"};
  const Call call(kLikwid);
  Tell(next, __builtin_return_address(0), tag, length);
}

ROOFMARK_FOREIGN void likwid_markerstartregion_(char* tag, int length) {
  static Next next{"likwid_markerstartregion_"};
  const Call call(kLikwid);
  Tell(next, __builtin_return_address(0), tag, length);
  if (call) roofmark_region_begin(RegionOf(Trimmed(tag, length)));
}

ROOFMARK_FOREIGN void likwid_markerstopregion_(char* tag, int length) {
  static Next next{"likwid_markerstopregion_"};
  const Call call(kLikwid);
  if (call) roofmark_region_end(RegionOf(Trimmed(tag, length)));
  Tell(next, __builtin_return_address(0), tag, length);
}

ROOFMARK_FOREIGN void likwid_markerresetregion_(char* tag, int length) {
  static Next next{"likwid_markerresetregion_"};
  const Call call(kLikwid);
  Tell(next, __builtin_return_address(0), tag, length);
}

ROOFMARK_FOREIGN void likwid_markergetregion_(char* tag, int* events, double* values, double* time,
                                              int* count, int length) {
  static Next next{"likwid_markergetregion_"};
  const Call call(kLikwid);
  void* const caller = __builtin_return_address(0);
  if (Behind(next, caller) == nullptr) return GiveNothing(events, time, count);
  Tell(next, caller, tag, events, values, time, count, length);
}
