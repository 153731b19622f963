// SPDX-License-Identifier: BSD-3-Clause
//
// C++11 markers that close themselves: early return, exceptions, break.
//
//     void Sweep() {
//       ROOF_FUNCTION;                   // region "Sweep", to the end of the function
//       {
//         ROOF_REGION_SCOPE("stencil");  // to the end of the block
//         ...
//
// Threads, signals, fork and ROOFMARK_DISABLE: as roofmark.h says.
#ifndef ROOFMARK_ROOFMARK_HPP_
#define ROOFMARK_ROOFMARK_HPP_

#include <roofmark/roofmark.h>

namespace roofmark {

#ifdef ROOFMARK_DISABLE

// A namespace of its own, so that files compiled with and without ROOFMARK_DISABLE may be linked
// together.
inline namespace disabled {
class Region {
 public:
  explicit Region(roofmark_site&) noexcept {}
  ~Region() {}  // not trivial: an object that is not used draws no warning
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};
}  // namespace disabled

#else

// A region for the life of this object, on the thread that made it. No heap, nothing throws. The
// begin and the end decide together: a region begun is ended.
class Region {
 public:
  explicit Region(roofmark_site& site) noexcept : site_(ROOFMARK_IS_ON_(site) ? &site : nullptr) {
    if (ROOFMARK_UNLIKELY_(site_ != nullptr)) roofmark_site_begin(site_, ROOFMARK_LEVEL_());
  }
  ~Region() {
    if (ROOFMARK_UNLIKELY_(site_ != nullptr)) roofmark_site_end(site_);
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  roofmark_site* site_;
};

#endif  // ROOFMARK_DISABLE

}  // namespace roofmark

#ifdef ROOFMARK_DISABLE

#define ROOF_REGION_SCOPE(name) \
  (static_cast<void>(sizeof(ROOFMARK_NO_LITERAL_USE_roofmark_begin_AND_roofmark_end(name))))

#else

#define ROOFMARK_JOIN2_(a, b) a##b
#define ROOFMARK_JOIN_(a, b) ROOFMARK_JOIN2_(a, b)
#define ROOFMARK_SCOPE_(name)                                                           \
  static roofmark_site ROOFMARK_JOIN_(roofmark_site_, __LINE__) = ROOFMARK_SITE_(name); \
  const ::roofmark::Region ROOFMARK_JOIN_(roofmark_region_,                             \
                                          __LINE__)(ROOFMARK_JOIN_(roofmark_site_, __LINE__))

// `name` is a string literal. A region made at run time has a roofmark_begin and a roofmark_end.
#define ROOF_REGION_SCOPE(name) \
  ROOFMARK_SCOPE_(ROOFMARK_NO_LITERAL_USE_roofmark_begin_AND_roofmark_end(name))

// A region named after the function that it stands in (without its class and arguments).
#define ROOF_FUNCTION ROOFMARK_SCOPE_(__func__)

#endif  // ROOFMARK_DISABLE

#endif  // ROOFMARK_ROOFMARK_HPP_
