// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/fast_caches.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace roofmark {
namespace {

// Half an octave is the grain of the sweep. What others take of the level for a while is no more
// than half of it.
bool IsFast(const CacheLevel& cache) {
  return cache.plateau_bytes == 0 || 2 * cache.plateau_bytes >= cache.size_bytes;
}

}  // namespace

std::string FastCachesOf(std::span<const Machine> machines) {
  std::map<uint32_t, uint64_t> most;
  for (const Machine& machine : machines) {
    for (const CacheLevel& cache : machine.caches) {
      uint64_t& bytes = most[cache.level];
      bytes = std::max(bytes, IsFast(cache) ? UINT64_MAX : cache.plateau_bytes);
    }
  }
  std::string text;
  for (const auto& [level, bytes] : most) {
    if (bytes == UINT64_MAX) continue;
    text += fmt::format("{}L{}:{}K", text.empty() ? "most:" : ",", level, bytes >> 10);
  }
  return text;
}

}  // namespace roofmark
