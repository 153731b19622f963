// SPDX-License-Identifier: BSD-3-Clause
//
// Caliper's annotations (cali.h, cali_macros.h, Annotation.h): regions, and ranges of attributes
// whose value is a text. Earlier versions return an error code where later ones return nothing; the
// caller of a later one does not look at it.
#include <roofmark/roofmark.h>

#include "markers/adapters/caliper_attributes.h"
#include "markers/adapters/call.h"
#include "markers/adapters/open_ranges.h"

namespace {

using namespace roofmark::adapters;
using roofmark::Next;

constexpr uint32_t kCaliper = roofmark::AdapterBit("caliper");

void Begin(cali_id_t attribute, const char* value) {
  const AttributeUse use = UseOf(attribute);
  BeginRange(use.owner, use.regions ? value : nullptr);
}

}  // namespace

#define ROOFMARK_CALLER __builtin_return_address(0)

// --- regions by name ---------------------------------------------------------------------------

#define ROOFMARK_NAMED(begin, end)                              \
  ROOFMARK_FOREIGN int begin(const char* name) {                \
    static Next next{#begin};                                   \
    const Call call(kCaliper);                                  \
    const int result = Forward(next, ROOFMARK_CALLER, 0, name); \
    if (call && name != nullptr) roofmark_begin(name);          \
    return result;                                              \
  }                                                             \
  ROOFMARK_FOREIGN int end(const char* name) {                  \
    static Next next{#end};                                     \
    const Call call(kCaliper);                                  \
    if (call && name != nullptr) roofmark_end(name);            \
    return Forward(next, ROOFMARK_CALLER, 0, name);             \
  }
ROOFMARK_NAMED(cali_begin_region, cali_end_region)
ROOFMARK_NAMED(cali_begin_phase, cali_end_phase)
ROOFMARK_NAMED(cali_begin_comm_region, cali_end_comm_region)

// --- attributes --------------------------------------------------------------------------------

ROOFMARK_FOREIGN int cali_begin_string(cali_id_t attribute, const char* value) {
  static Next next{"cali_begin_string"};
  const Call call(kCaliper);
  const int result = Forward(next, ROOFMARK_CALLER, 0, attribute, value);
  if (call) Begin(attribute, value);
  return result;
}

ROOFMARK_FOREIGN int cali_begin(cali_id_t attribute) {
  static Next next{"cali_begin"};
  const Call call(kCaliper);
  const int result = Forward(next, ROOFMARK_CALLER, 0, attribute);
  if (call) {
    const CaliperAttribute* known = FindAttribute(attribute);
    Begin(attribute, known == nullptr ? nullptr : known->name);
  }
  return result;
}

// A number says which one of many: it is no region, but ends as ranges do.
ROOFMARK_FOREIGN int cali_begin_int(cali_id_t attribute, int value) {
  static Next next{"cali_begin_int"};
  const Call call(kCaliper);
  const int result = Forward(next, ROOFMARK_CALLER, 0, attribute, value);
  if (call) BeginRange(UseOf(attribute).owner, nullptr);
  return result;
}

ROOFMARK_FOREIGN int cali_begin_double(cali_id_t attribute, double value) {
  static Next next{"cali_begin_double"};
  const Call call(kCaliper);
  const int result = Forward(next, ROOFMARK_CALLER, 0, attribute, value);
  if (call) BeginRange(UseOf(attribute).owner, nullptr);
  return result;
}

ROOFMARK_FOREIGN int cali_end(cali_id_t attribute) {
  static Next next{"cali_end"};
  const Call call(kCaliper);
  if (call) EndRange(UseOf(attribute).owner);
  return Forward(next, ROOFMARK_CALLER, 0, attribute);
}

ROOFMARK_FOREIGN int cali_safe_end_string(cali_id_t attribute, const char* value) {
  static Next next{"cali_safe_end_string"};
  const Call call(kCaliper);
  if (call) EndRange(UseOf(attribute).owner);
  return Forward(next, ROOFMARK_CALLER, 0, attribute, value);
}

// --- attributes by name ------------------------------------------------------------------------

ROOFMARK_FOREIGN int cali_begin_string_byname(const char* name, const char* value) {
  static Next next{"cali_begin_string_byname"};
  const Call call(kCaliper);
  const int result = Forward(next, ROOFMARK_CALLER, 0, name, value);
  if (call && name != nullptr) BeginRange(OwnerOf(name), value);
  return result;
}

ROOFMARK_FOREIGN int cali_begin_byname(const char* name) {
  static Next next{"cali_begin_byname"};
  const Call call(kCaliper);
  const int result = Forward(next, ROOFMARK_CALLER, 0, name);
  if (call && name != nullptr) BeginRange(OwnerOf(name), name);
  return result;
}

ROOFMARK_FOREIGN int cali_begin_int_byname(const char* name, int value) {
  static Next next{"cali_begin_int_byname"};
  const Call call(kCaliper);
  const int result = Forward(next, ROOFMARK_CALLER, 0, name, value);
  if (call && name != nullptr) BeginRange(OwnerOf(name), nullptr);
  return result;
}

ROOFMARK_FOREIGN int cali_begin_double_byname(const char* name, double value) {
  static Next next{"cali_begin_double_byname"};
  const Call call(kCaliper);
  const int result = Forward(next, ROOFMARK_CALLER, 0, name, value);
  if (call && name != nullptr) BeginRange(OwnerOf(name), nullptr);
  return result;
}

ROOFMARK_FOREIGN int cali_end_byname(const char* name) {
  static Next next{"cali_end_byname"};
  const Call call(kCaliper);
  if (call && name != nullptr) EndRange(OwnerOf(name));
  return Forward(next, ROOFMARK_CALLER, 0, name);
}
