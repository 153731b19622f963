// SPDX-License-Identifier: BSD-3-Clause
//
// Ranges that are open on the calling thread, of tools whose end does not name what it ends. A
// range belongs to an owner (an attribute, a domain): ends close the innermost one of theirs.
//
// The first range of a thread takes memory from the heap, 6 KiB until the thread ends. At most
// kMostRanges are open on a thread; those that begin beyond have no region.
#ifndef ROOFMARK_MARKERS_ADAPTERS_OPEN_RANGES_H_
#define ROOFMARK_MARKERS_ADAPTERS_OPEN_RANGES_H_

#include <cstdint>
#include <string_view>

namespace roofmark::adapters {

inline constexpr uint32_t kMostRanges = 256;

// Of a name: 0, which is none, of nullptr.
uint32_t RegionOf(const char* name) noexcept;
uint32_t RegionOf(std::string_view name) noexcept;

// A range that is this region; 0: it is none, but has an end all the same. `in_parallel`: within a
// parallel construct, whether or not OpenMP's runtime says so.
void BeginRange(uint64_t owner, uint32_t region, bool in_parallel = false) noexcept;
// The region of this name; nullptr: none.
void BeginRange(uint64_t owner, const char* name) noexcept;
// Ends the owner's innermost range, if there is one.
void EndRange(uint64_t owner) noexcept;
// How many the owner has.
uint32_t OpenRanges(uint64_t owner) noexcept;

// Ranges whose end names them by the number that their begin gave: it holds the region, and what
// tells that it is one of these. Another number ends nothing. On any thread, without memory.
uint64_t BeginNumbered(uint32_t region) noexcept;
void EndNumbered(uint64_t number) noexcept;

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_OPEN_RANGES_H_
