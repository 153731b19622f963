// SPDX-License-Identifier: BSD-3-Clause
#include "markers/adapted.h"

#include <atomic>

#include "markers/named.h"

#define ROOFMARK_API extern "C" __attribute__((visibility("default")))

namespace roofmark::markers {
namespace {

std::atomic<uint32_t> g_adapters{0};

}  // namespace

void WantAdapters(uint32_t set) noexcept { g_adapters.store(set, std::memory_order_relaxed); }

}  // namespace roofmark::markers

using roofmark::Ticks;
using roofmark::markers::Recorder;

ROOFMARK_API uint32_t roofmark_adapters(void) {
  return Recorder::recording() ? roofmark::markers::g_adapters.load(std::memory_order_relaxed) : 0;
}

ROOFMARK_API uint32_t roofmark_region(const char* name, size_t length) {
  return Recorder::recording() ? roofmark::markers::ResolveRegion({name, length}) : 0;
}

ROOFMARK_API void roofmark_region_begin(uint32_t region) {
  if (Recorder::recording()) roofmark::markers::BeginRegion(region);
}

ROOFMARK_API void roofmark_region_begin_in_parallel(uint32_t region) {
  if (Recorder::recording()) roofmark::markers::BeginRegion(region, 1);
}

ROOFMARK_API uint32_t roofmark_region_enter(const char* name, size_t length) {
  if (!Recorder::recording() && !Recorder::Miss({name, length})) return 0;
  const uint32_t region = roofmark::markers::ResolveRegion({name, length});
  roofmark::markers::BeginRegion(region);
  return region;
}

ROOFMARK_API void roofmark_region_end(uint32_t region) {
  if (Recorder::recording()) roofmark::markers::EndRegion(region, Ticks());
}
