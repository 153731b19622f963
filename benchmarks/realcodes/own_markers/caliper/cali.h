// SPDX-License-Identifier: BSD-3-Clause
//
// In the place of Caliper's header: the annotations that LULESH has become markers of roofmark, so
// that those of the adapter can be compared with them.
#ifndef ROOFMARK_BENCHMARKS_REALCODES_OWN_MARKERS_CALIPER_CALI_H_
#define ROOFMARK_BENCHMARKS_REALCODES_OWN_MARKERS_CALIPER_CALI_H_

#include <roofmark/roofmark.hpp>

#define CALI_CXX_MARK_FUNCTION ROOF_FUNCTION
#define CALI_CXX_MARK_LOOP_BEGIN(id, name) \
  const char* const roofmark_##id = name;  \
  roofmark_begin(roofmark_##id)
#define CALI_CXX_MARK_LOOP_END(id) roofmark_end(roofmark_##id)
#define CALI_CXX_MARK_LOOP_ITERATION(id, number) static_cast<void>(number)
#define CALI_ATTR_SCOPE_PROCESS 0

inline void cali_config_preset(const char*, const char*) {}

namespace cali {

// Ranges of numbers are no regions.
class Annotation {
 public:
  Annotation(const char*, int) {}
  Annotation& begin(int) { return *this; }
  struct Guard {
    explicit Guard(Annotation&) {}
    ~Guard() {}
  };
};

}  // namespace cali

#endif  // ROOFMARK_BENCHMARKS_REALCODES_OWN_MARKERS_CALIPER_CALI_H_
