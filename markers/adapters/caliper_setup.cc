// SPDX-License-Identifier: BSD-3-Clause
//
// Caliper's initialisation and its attributes: where there is no Caliper, this library gives the
// attributes their numbers; where there is, it learns them.
#include <dlfcn.h>

#include <cstdio>

#include "markers/adapters/caliper_attributes.h"
#include "markers/adapters/call.h"

namespace {

using namespace roofmark::adapters;
using roofmark::Next;

constexpr uint32_t kCaliper = roofmark::AdapterBit("caliper");
constexpr int kAsValue = 1;  // of cali_attr_properties: CALI_ATTR_ASVALUE

struct Exported {
  const char* variable;
  const char* name;
  cali_id_t* id;
};
constexpr Exported kExported[] = {
    {"cali_function_attr_id", "function", &cali_function_attr_id},
    {"cali_loop_attr_id", "loop", &cali_loop_attr_id},
    {"cali_statement_attr_id", "statement", &cali_statement_attr_id},
    {"cali_annotation_attr_id", "annotation", &cali_annotation_attr_id},
};

// Caliper sets this library's variables, which stand in front of its own, unless it was linked so
// that it knows its own only.
void LearnExported(bool from_caliper) {
  for (const Exported& exported : kExported) {
    if (*exported.id != kNoAttribute) continue;
    if (!from_caliper) {
      *exported.id = NoteAttribute(exported.name, 0, kNoAttribute);
    } else if (const void* own = dlsym(RTLD_NEXT, exported.variable)) {
      *exported.id = *static_cast<const cali_id_t*>(own);
    }
  }
}

}  // namespace

ROOFMARK_FOREIGN void cali_init(void) {
  static Next next{"cali_init"};
  const Call call(kCaliper);
  void* const caller = __builtin_return_address(0);
  Tell(next, caller);
  LearnExported(Behind(next, caller) != nullptr);
}

ROOFMARK_FOREIGN cali_id_t cali_create_attribute(const char* name, int type, int properties) {
  static Next next{"cali_create_attribute"};
  const Call call(kCaliper);
  const cali_id_t id =
      Forward(next, __builtin_return_address(0), kNoAttribute, name, type, properties);
  return name == nullptr ? id : NoteAttribute(name, properties, id);
}

ROOFMARK_FOREIGN cali_id_t cali_find_attribute(const char* name) {
  static Next next{"cali_find_attribute"};
  const Call call(kCaliper);
  void* const caller = __builtin_return_address(0);
  if (Behind(next, caller) != nullptr) return Forward(next, caller, kNoAttribute, name);
  const CaliperAttribute* known = name == nullptr ? nullptr : FindAttribute(name);
  return known == nullptr ? kNoAttribute : known->id;
}

ROOFMARK_FOREIGN cali_id_t cali_make_loop_iteration_attribute(const char* name) {
  static Next next{"cali_make_loop_iteration_attribute"};
  const Call call(kCaliper);
  const cali_id_t id = Forward(next, __builtin_return_address(0), kNoAttribute, name);
  if (name == nullptr) return id;
  char text[256];
  std::snprintf(text, sizeof text, "iteration#%s", name);
  return NoteAttribute(text, kAsValue, id);
}
