// SPDX-License-Identifier: BSD-3-Clause
//
// How a region's time, FLOPs and bytes spread over the ranks: percentiles, and the ranks that lie
// farthest out by name. One value per rank and measure; merging is exact and the same for any order
// of ranks.
#ifndef ROOFMARK_LIB_PROFILE_SPREAD_H_
#define ROOFMARK_LIB_PROFILE_SPREAD_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/core/metric.h"
#include "lib/profile/cell_table.h"
#include "lib/profile/sketch.h"

namespace roofmark {

// What is drawn as a distribution: time; FLOPs of all classes; bytes to and from DRAM. Where nobody
// counted FLOPs or bytes, the declared ones.
enum class Drawn : uint8_t { kTime, kFlops, kDramBytes };
inline constexpr size_t kSpreads = 3;
struct DrawnInfo {
  Drawn id;
  std::string_view name, unit;  // as in files
};
const DrawnInfo& InfoOf(Drawn measure);

struct Ranked {
  uint64_t value = 0;
  uint32_t rank = 0;
};

inline constexpr uint32_t kOutliers = 4;  // named on either side

struct Spread {
  uint32_t ranks = 0;        // that have a value; 0: everything below is meaningless
  uint32_t status_bits = 0;  // Bit(Status) of each of them, or-ed
  // The first Named() of each: ascending, descending; of equal values the lower rank first.
  std::array<Ranked, kOutliers> lowest{}, highest{};
  // All values; empty while `lowest` and `highest` have all of them.
  Sketch sketch;

  static Spread Of(uint64_t value, uint32_t rank, uint32_t status_bits);
  uint32_t Named() const { return ranks < kOutliers ? ranks : kOutliers; }
  bool NamesAll() const { return ranks <= 2 * kOutliers; }
};

// Commutative and associative, exactly.
void Combine(Spread& into, const Spread& other);
// As Combine() with Spread::Of().
void Add(Spread& into, Ranked own, uint32_t status_bits);

// The value of rank ceil(n p / 100) in ascending order (nearest rank), `p` in (0, 100]: exact if
// it is one of the named, else within kBucketError. 0 if no rank has a value.
uint64_t Percentile(const Spread& spread, double p);
bool PercentileIsExact(const Spread& spread, double p);
inline constexpr std::array<double, 5> kPercentiles = {5, 25, 50, 75, 95};

// One rank's own values, from the kMetrics cells of one of its paths, totals
// included.
std::array<Spread, kSpreads> SpreadsOf(ConstCellRow cells, uint32_t rank);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_SPREAD_H_
