// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/exit_room.h"

#include <sys/mman.h>

#include <utility>

namespace roofmark::runtime {
namespace {

// A profile of a thousand regions and its text. Where the heap cannot grow, libc takes pieces of
// 1 MiB.
constexpr size_t kReserve = 4 << 20;

}  // namespace

ExitRoom::ExitRoom() noexcept
    : reserve_(
          mmap(nullptr, kReserve, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}

void ExitRoom::Open() noexcept {
  void* const reserve = std::exchange(reserve_, MAP_FAILED);
  if (reserve != MAP_FAILED) munmap(reserve, kReserve);
}

}  // namespace roofmark::runtime
