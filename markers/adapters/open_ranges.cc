// SPDX-License-Identifier: BSD-3-Clause
#include "markers/adapters/open_ranges.h"

#include <cstdlib>
#include <cstring>

#include "markers/adapted.h"

namespace roofmark::adapters {
namespace {

struct Range {
  uint64_t owner;
  uint32_t region;
};

struct Ranges {
  uint32_t depth;
  uint32_t beyond;  // begun when all places were taken, and not yet ended
  Range at[kMostRanges];
};

// Initial-exec: what glibc keeps for libraries opened later holds it.
__thread Ranges* t_ranges __attribute__((tls_model("initial-exec"))) = nullptr;
__thread bool t_ended __attribute__((tls_model("initial-exec"))) = false;

// Made on a thread's first range; what comes after its end is not recorded.
struct AtThreadEnd {
  void Register() {}
  ~AtThreadEnd() {
    std::free(t_ranges);
    t_ranges = nullptr;
    t_ended = true;
  }
};
thread_local AtThreadEnd t_at_end;

__attribute__((noinline)) Ranges* Make() noexcept {
  if (t_ended) return nullptr;
  t_at_end.Register();
  t_ranges = static_cast<Ranges*>(std::calloc(1, sizeof(Ranges)));
  return t_ranges;
}

constexpr uint32_t CheckOf(uint32_t region) { return region * 0x9E3779B1u ^ 0x524F4F46u; }

// The place of a new range, which is no region yet; nullptr if there is none.
Range* Take(uint64_t owner) noexcept {
  Ranges* ranges = t_ranges == nullptr ? Make() : t_ranges;
  if (ranges == nullptr) return nullptr;
  if (ranges->depth == kMostRanges) {
    ++ranges->beyond;
    return nullptr;
  }
  // First of all: a signal handler that comes in between has the places above it.
  Range& range = ranges->at[ranges->depth++];
  range = {owner, 0};
  return &range;
}

}  // namespace

uint32_t RegionOf(const char* name) noexcept {
  return name == nullptr ? 0 : roofmark_region(name, std::strlen(name));
}

uint32_t RegionOf(std::string_view name) noexcept {
  return name.data() == nullptr ? 0 : roofmark_region(name.data(), name.size());
}

void BeginRange(uint64_t owner, uint32_t region, bool in_parallel) noexcept {
  Range* range = Take(owner);
  if (range == nullptr) return;
  range->region = region;
  if (in_parallel) {
    roofmark_region_begin_in_parallel(region);
  } else {
    roofmark_region_begin(region);
  }
}

void BeginRange(uint64_t owner, const char* name) noexcept {
  Range* range = Take(owner);
  if (range == nullptr || name == nullptr) return;
  range->region = roofmark_region_enter(name, std::strlen(name));
}

uint32_t OpenRanges(uint64_t owner) noexcept {
  uint32_t open = 0;
  for (uint32_t i = 0; t_ranges != nullptr && i < t_ranges->depth; ++i) {
    open += t_ranges->at[i].owner == owner;
  }
  return open;
}

void EndRange(uint64_t owner) noexcept {
  Ranges* ranges = t_ranges;
  if (ranges == nullptr) return;
  if (ranges->beyond > 0) {
    --ranges->beyond;
    return;
  }
  uint32_t place = ranges->depth;
  while (place > 0 && ranges->at[place - 1].owner != owner) --place;
  if (place == 0) return;
  roofmark_region_end(ranges->at[place - 1].region);
  for (; place < ranges->depth; ++place) ranges->at[place - 1] = ranges->at[place];
  --ranges->depth;
}

uint64_t BeginNumbered(uint32_t region) noexcept {
  roofmark_region_begin(region);
  return uint64_t{CheckOf(region)} << 32 | region;
}

void EndNumbered(uint64_t number) noexcept {
  const auto region = static_cast<uint32_t>(number);
  if (number >> 32 == CheckOf(region)) roofmark_region_end(region);
}

}  // namespace roofmark::adapters
