// SPDX-License-Identifier: BSD-3-Clause
//
// PAPI's high-level interface, in C and Fortran (papi.h): a region of PAPI is one of roofmark.
// Where PAPI is in the process it counts as ever, or fails as ever.
#include <roofmark/roofmark.h>

#include "markers/adapted.h"
#include "markers/adapters/call.h"
#include "markers/adapters/fortran_text.h"
#include "markers/adapters/open_ranges.h"

namespace {

using namespace roofmark::adapters;
using roofmark::Next;

constexpr uint32_t kPapi = roofmark::AdapterBit("papi");
constexpr int kOk = 0;

// Without PAPI all is well.
template <typename... Arguments>
void Pass(Next& next, void* caller, int* check, Arguments... arguments) {
  if (Behind(next, caller) == nullptr && check != nullptr) *check = kOk;
  Tell(next, caller, arguments...);
}

void FortranBegin(Next& next, void* caller, char* name, int* check, int length) {
  const Call call(kPapi);
  Pass(next, caller, check, name, check, length);
  if (call) roofmark_region_begin(RegionOf(Trimmed(name, length)));
}
void FortranEnd(Next& next, void* caller, char* name, int* check, int length) {
  const Call call(kPapi);
  if (call) roofmark_region_end(RegionOf(Trimmed(name, length)));
  Pass(next, caller, check, name, check, length);
}
void FortranRead(Next& next, void* caller, char* name, int* check, int length) {
  const Call call(kPapi);
  Pass(next, caller, check, name, check, length);
}
void FortranStop(Next& next, void* caller, int* check) {
  const Call call(kPapi);
  Pass(next, caller, check, check);
}

}  // namespace

ROOFMARK_FOREIGN int PAPI_hl_region_begin(const char* region) {
  static Next next{"PAPI_hl_region_begin"};
  const Call call(kPapi);
  const int result = Forward(next, __builtin_return_address(0), kOk, region);
  if (call && region != nullptr) roofmark_begin(region);
  return result;
}

ROOFMARK_FOREIGN int PAPI_hl_region_end(const char* region) {
  static Next next{"PAPI_hl_region_end"};
  const Call call(kPapi);
  if (call && region != nullptr) roofmark_end(region);
  return Forward(next, __builtin_return_address(0), kOk, region);
}

ROOFMARK_FOREIGN int PAPI_hl_read(const char* region) {
  static Next next{"PAPI_hl_read"};
  const Call call(kPapi);
  return Forward(next, __builtin_return_address(0), kOk, region);
}

ROOFMARK_FOREIGN int PAPI_hl_stop(void) {
  static Next next{"PAPI_hl_stop"};
  const Call call(kPapi);
  return Forward(next, __builtin_return_address(0), kOk);
}

// As PAPI itself does: for every way in which Fortran compilers spell names.
#define ROOFMARK_NAMED(name, function)                                  \
  ROOFMARK_FOREIGN void name(char* region, int* check, int length) {    \
    static Next next{#name};                                            \
    function(next, __builtin_return_address(0), region, check, length); \
  }
#define ROOFMARK_UNNAMED(name, function)                \
  ROOFMARK_FOREIGN void name(int* check) {              \
    static Next next{#name};                            \
    function(next, __builtin_return_address(0), check); \
  }
#define ROOFMARK_SPELLINGS(kind, lower, upper, function) \
  kind(lower, function) kind(lower##_, function) kind(lower##__, function) kind(upper, function)
ROOFMARK_SPELLINGS(ROOFMARK_NAMED, papif_hl_region_begin, PAPIF_HL_REGION_BEGIN, FortranBegin)
ROOFMARK_SPELLINGS(ROOFMARK_NAMED, papif_hl_region_end, PAPIF_HL_REGION_END, FortranEnd)
ROOFMARK_SPELLINGS(ROOFMARK_NAMED, papif_hl_read, PAPIF_HL_READ, FortranRead)
ROOFMARK_SPELLINGS(ROOFMARK_UNNAMED, papif_hl_stop, PAPIF_HL_STOP, FortranStop)
