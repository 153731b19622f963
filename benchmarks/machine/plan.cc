// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/plan.h"

#include <algorithm>
#include <cmath>

#include "lib/core/table.h"

namespace roofmark {
namespace {

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

constexpr Named<Effort> kEfforts[] = {
    {Effort::kQuick, "quick"}, {Effort::kDefault, "default"}, {Effort::kFull, "full"}};
static_assert(InOrder(kEfforts, Effort::kFull));

}  // namespace

std::string_view EffortName(Effort effort) { return RowOf(kEfforts, effort).name; }

EffortPlan PlanOf(Effort effort) {
  switch (effort) {
    case Effort::kQuick:
      return {9, 0.001, 3, 3, 60, 0.02, 256 * kMebibyte, 1024 * kMebibyte};
    case Effort::kDefault:
      return {45, 0.001, 5, 12, 200, 0.01, 1024 * kMebibyte, 4096 * kMebibyte};
    case Effort::kFull:
      return {240, 0.002, 8, 24, 800, 0.005, 1024 * kMebibyte, 16384 * kMebibyte};
  }
  return {};
}

std::vector<uint64_t> SweepSizes(uint64_t last) {
  std::vector<uint64_t> sizes;
  for (double size = 4096; size < static_cast<double>(last) * 1.01; size *= std::sqrt(2.0)) {
    sizes.push_back(static_cast<uint64_t>(std::llround(size)) / 512 * 512);
  }
  return sizes;
}

std::optional<uint64_t> LevelBytes(const std::vector<CacheLevel>& caches, size_t index,
                                   uint32_t cores) {
  CacheLevel effective = caches[index];
  // Half an octave less is the sweep's grain; more says that the rest belongs to others.
  if (effective.plateau_bytes != 0 && 2 * effective.plateau_bytes < effective.size_bytes) {
    effective.size_bytes = effective.plateau_bytes;
  }
  const uint64_t share = SharePerCore(effective, cores);
  if (index == 0) return share / 2;
  const uint64_t above = SharePerCore(caches[index - 1], cores);
  const uint64_t bytes =
      std::min(std::max(share * 3 / 8, std::min(4 * above, share * 3 / 4)), 8 * above);
  if (bytes < above * 3 / 2) return std::nullopt;
  return bytes;
}

}  // namespace roofmark
