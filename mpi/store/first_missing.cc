// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/store/first_missing.h"

#include <algorithm>
#include <vector>

namespace roofmark::mpi {

std::optional<uint32_t> FirstMissing(Neighbours& neighbours, uint32_t rank, uint32_t ranks) {
  constexpr uint64_t kNobody = UINT64_MAX;
  uint64_t missing = kNobody;
  // A rank's parent is the rank without its lowest bit that is set.
  const uint64_t lowest = rank & (~rank + 1);
  const uint64_t span = rank == 0 ? ranks : lowest;
  // All are looked up before the first message: who waits for an answer does not wait for these.
  std::vector<uint32_t> children;
  for (uint64_t step = 1; step < span && rank + step < ranks; step *= 2) {
    const auto child = static_cast<uint32_t>(rank + step);
    if (neighbours.IsThere(child)) {
      children.push_back(child);
    } else {
      missing = std::min<uint64_t>(missing, child);
    }
  }
  const auto parent = static_cast<uint32_t>(rank - lowest);
  const bool has_parent = rank != 0 && neighbours.IsThere(parent);
  if (rank != 0 && !has_parent) missing = std::min<uint64_t>(missing, parent);

  for (const uint32_t child : children) missing = std::min(missing, neighbours.Hear(child));
  if (has_parent) {
    neighbours.Tell(parent, missing);
    missing = std::min(missing, neighbours.Hear(parent));
  }
  for (const uint32_t child : children) neighbours.Tell(child, missing);
  return missing == kNobody ? std::nullopt : std::optional(static_cast<uint32_t>(missing));
}

}  // namespace roofmark::mpi
