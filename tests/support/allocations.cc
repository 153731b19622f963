// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<size_t> g_live{0}, g_peak{0};
}  // namespace

void* operator new(size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  const size_t live = g_live += malloc_usable_size(memory);
  if (live > g_peak) g_peak = live;
  return memory;
}
void operator delete(void* memory) noexcept {
  g_live -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

namespace roofmark::test {

size_t LiveBytes() { return g_live; }
size_t PeakBytes() { return g_peak; }
void WatchPeak() { g_peak = g_live.load(); }

}  // namespace roofmark::test
