// SPDX-License-Identifier: BSD-3-Clause
//
// What libroofmark.so does for libroofmark_adapters.so, which makes regions of the annotations of
// other tools. Every function may be called on any thread, at any time; the rules of roofmark.h
// hold.
#ifndef ROOFMARK_MARKERS_ADAPTED_H_
#define ROOFMARK_MARKERS_ADAPTED_H_

#include <cstddef>
#include <cstdint>

extern "C" {

// Whose annotations are wanted: a set of lib/core/adapter_names.h. Empty while nothing records.
uint32_t roofmark_adapters(void);

// The region of this name, `length` bytes that need not outlive the call: a number for the life of
// the process, or 0, which is none, while nothing records or if memory is short.
uint32_t roofmark_region(const char* name, size_t length);
void roofmark_region_begin(uint32_t region);
// Within a parallel construct that omp_get_level() may not count.
void roofmark_region_begin_in_parallel(uint32_t region);
// Both at once, for less.
uint32_t roofmark_region_enter(const char* name, size_t length);
// A number that is no region's has no effect.
void roofmark_region_end(uint32_t region);

}  // extern "C"

namespace roofmark::markers {

// Before recording begins.
void WantAdapters(uint32_t set) noexcept;

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_ADAPTED_H_
