// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/sync.h"

#include <sched.h>
#include <time.h>

#include "lib/core/clock.h"

namespace roofmark::package {
namespace {

constexpr uint64_t kBarrierPatienceNs = 1'000'000'000;
// Ranks that run beside each other meet within this; then others may need the core.
constexpr uint64_t kSpinNs = 20'000;

}  // namespace

bool WaitForNode(Barrier& barrier, uint32_t members) noexcept {
  if (barrier.off.load(std::memory_order_relaxed) != 0) return true;
  const uint32_t generation = barrier.generation.load();
  if (barrier.arrived.fetch_add(1) + 1 >= members) {
    barrier.arrived.store(0);
    barrier.generation.fetch_add(1);
    return true;
  }
  const uint64_t start = NowNs();
  while (barrier.generation.load() == generation) {
    const uint64_t waited = NowNs() - start;
    if (barrier.off.load() != 0) return true;
    if (waited > kBarrierPatienceNs) return barrier.off.exchange(1) != 0;
    if (waited > kSpinNs) {
      const timespec nap{0, 20'000};
      nanosleep(&nap, nullptr);
    } else {
      sched_yield();
    }
  }
  return true;
}

}  // namespace roofmark::package
