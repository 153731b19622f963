// SPDX-License-Identifier: BSD-3-Clause
//
// Regions whose names are made at run time: of the public functions, of Fortran, and of adapters.
#ifndef ROOFMARK_MARKERS_NAMED_H_
#define ROOFMARK_MARKERS_NAMED_H_

#include <cstdint>
#include <string_view>

#include "lib/core/clock.h"
#include "lib/core/inside.h"
#include "markers/fast_path.h"

namespace roofmark::markers {

// Names come from literals or from buffers whose content may change, so the text is compared at
// each visit (a few nanoseconds). 0 if the thread is inside already or memory is short.
inline uint32_t ResolveName(std::string_view name) noexcept {
  if (const uint32_t known = TryName(name).id) return known;
  const Inside inside;
  return inside ? Recorder::Get().Resolve(name) : 0;
}

// The same for a region; 0, too, if it is left out.
inline uint32_t ResolveRegion(std::string_view name) noexcept {
  const TriedName known = TryName(name);
  if (known.regions == RegionsOf::kIn) return known.id;
  if (known.regions == RegionsOf::kLeftOut) return 0;
  const Inside inside;
  return inside ? Recorder::Get().ResolveRegion(name) : 0;
}

// `region`: a resolved name; 0 is none, and nothing happens. `level` as in roofmark_site_begin.
// While recording.
inline void BeginRegion(uint32_t region, int level = -1) noexcept {
  if (region == 0 || TryBegin(region, level)) return;
  const Inside inside;
  if (inside) Recorder::Get().Begin(region, nullptr, 0, level);
}
inline void EndRegion(uint32_t region, uint64_t now) noexcept {
  if (region == 0 || TryEnd(region, now)) return;
  const Inside inside;
  if (inside) Recorder::Get().End(region, nullptr, 0, now);
}

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_NAMED_H_
