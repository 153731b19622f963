// SPDX-License-Identifier: BSD-3-Clause
//
// C++11 markers that close themselves: early return, exceptions, break.
//
//     void Sweep() {
//       ROOF_REGION_SCOPE("sweep");
//       ...
//     }
#ifndef ROOFMARK_ROOFMARK_HPP_
#define ROOFMARK_ROOFMARK_HPP_

#include <roofmark/roofmark.h>

#ifdef ROOFMARK_DISABLE

#define ROOF_REGION_SCOPE(name) ((void)0)

#else

namespace roofmark {

// A region for the life of this object, on the thread that made it. No heap, nothing throws. The
// begin and the end decide together: a region begun is ended.
class Region {
 public:
  explicit Region(roofmark_site& site) noexcept
      : site_(ROOFMARK_STATE_(site) != ROOFMARK_SITE_OFF ? &site : nullptr) {
    if (ROOFMARK_UNLIKELY_(site_ != nullptr)) roofmark_region_begin(site_, ROOFMARK_LEVEL_());
  }
  ~Region() {
    if (ROOFMARK_UNLIKELY_(site_ != nullptr)) roofmark_region_end(site_);
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  roofmark_site* site_;
};

}  // namespace roofmark

#define ROOFMARK_JOIN2_(a, b) a##b
#define ROOFMARK_JOIN_(a, b) ROOFMARK_JOIN2_(a, b)
#define ROOF_REGION_SCOPE(name)                                                         \
  static roofmark_site ROOFMARK_JOIN_(roofmark_site_, __LINE__) = ROOFMARK_SITE_(name); \
  const ::roofmark::Region ROOFMARK_JOIN_(roofmark_region_,                             \
                                          __LINE__)(ROOFMARK_JOIN_(roofmark_site_, __LINE__))

#endif  // ROOFMARK_DISABLE

#endif  // ROOFMARK_ROOFMARK_HPP_
