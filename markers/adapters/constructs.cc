// SPDX-License-Identifier: BSD-3-Clause
#include "markers/adapters/constructs.h"

#include <atomic>
#include <iterator>
#include <mutex>

#include "markers/adapted.h"
#include "markers/adapters/open_ranges.h"

namespace roofmark::adapters {
namespace {

struct Known {
  std::atomic<uintptr_t> key{0};  // is set last
  uint32_t region = 0;
};
Known g_known[2 * kMostConstructs];  // half of them stay empty
uint32_t g_taken = 0;
std::mutex g_first_visits;

uintptr_t KeyOf(const Construct& construct) {
  const void* place = construct.fork.body == nullptr ? construct.code : construct.fork.body;
  return reinterpret_cast<uintptr_t>(place);
}

// What has this key, or the empty one that would get it.
Known& Find(uintptr_t key) noexcept {
  constexpr size_t kPlaces = std::size(g_known);
  static_assert((kPlaces & (kPlaces - 1)) == 0);
  size_t place = (key * 0x9E3779B97F4A7C15u) >> 32 & (kPlaces - 1);
  while (true) {
    const uintptr_t there = g_known[place].key.load(std::memory_order_acquire);
    if (there == key || there == 0) return g_known[place];
    place = (place + 1) & (kPlaces - 1);
  }
}

__attribute__((noinline)) uint32_t FirstVisit(const Construct& construct) noexcept {
  // A process that does not record may have been forked while another thread held the lock.
  if (roofmark_adapters() == 0) return 0;
  const std::lock_guard lock(g_first_visits);
  const uintptr_t key = KeyOf(construct);
  Known& known = Find(key);
  if (known.key.load(std::memory_order_relaxed) == key) return known.region;
  if (g_taken == kMostConstructs) return 0;
  ++g_taken;
  char name[kConstructName];
  known.region = RegionOf(NameConstruct(construct, name));
  known.key.store(key, std::memory_order_release);
  return known.region;
}

}  // namespace

uint32_t RegionOfConstruct(const Construct& construct) noexcept {
  const uintptr_t key = KeyOf(construct);
  if (key == 0) return 0;
  const Known& known = Find(key);
  return known.key.load(std::memory_order_relaxed) == key ? known.region : FirstVisit(construct);
}

}  // namespace roofmark::adapters
