// SPDX-License-Identifier: BSD-3-Clause
//
// What is known of Caliper's attributes. A range that an attribute opens belongs to the attribute's
// name, whether it is given by name or by number.
#ifndef ROOFMARK_MARKERS_ADAPTERS_CALIPER_ATTRIBUTES_H_
#define ROOFMARK_MARKERS_ADAPTERS_CALIPER_ATTRIBUTES_H_

#include <cstdint>

extern "C" {

// Exported by Caliper under these names; no attribute before Caliper is initialised.
using cali_id_t = uint64_t;
extern __attribute__((visibility("default"))) cali_id_t cali_function_attr_id, cali_loop_attr_id,
    cali_statement_attr_id, cali_annotation_attr_id;
}

namespace roofmark::adapters {

inline constexpr cali_id_t kNoAttribute = ~cali_id_t{0};

struct CaliperAttribute {
  cali_id_t id;
  uint64_t owner;    // of its ranges
  const char* name;  // lives as long as the process
  bool regions;      // its values say where the program is
  const CaliperAttribute* next;
};

uint64_t OwnerOf(const char* attribute_name) noexcept;
// Of a number; its values make regions unless the attribute is known to make none.
struct AttributeUse {
  uint64_t owner;
  bool regions;
};
AttributeUse UseOf(cali_id_t attribute) noexcept;

// nullptr: it is not known.
const CaliperAttribute* FindAttribute(cali_id_t attribute) noexcept;
const CaliperAttribute* FindAttribute(const char* name) noexcept;

// Notes an attribute; `id` is Caliper's, or kNoAttribute where there is no Caliper. Returns its
// number, which is kNoAttribute if memory is short.
cali_id_t NoteAttribute(const char* name, int properties, cali_id_t id) noexcept;

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_CALIPER_ATTRIBUTES_H_
