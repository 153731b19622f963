// SPDX-License-Identifier: BSD-3-Clause
//
// The profiles of a job of any size whose merged profile is known in closed form, rank by rank, so
// that no list of ranks is ever held.
#ifndef ROOFMARK_BENCHMARKS_OVERHEAD_MPI_SYNTHETIC_H_
#define ROOFMARK_BENCHMARKS_OVERHEAD_MPI_SYNTHETIC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/profile/profile.h"

namespace roofmark::mpi {

// Cells of one shape over a set of ranks: value(rank), and what Combine() of all must be.
struct Column {
  MetricId metric;
  uint64_t (*value)(uint64_t rank, uint64_t ranks);
  // m2 in long double, everything else exactly.
  Cell (*merged)(uint64_t ranks);
};

// Of the path that every rank has: a ramp, a constant, a ramp down from 2^64 - 1 whose sum needs
// 128 bits, a parabola with its minimum in the middle, a saw tooth whose extremes stand on many
// ranks, and one that is zero but for the last rank.
const std::vector<Column>& Columns();

class SyntheticJob {
 public:
  static constexpr uint16_t kMoreMetrics = 14;  // FLOP classes: 20 metrics per region in all
  // What regions have beside the columns: kMoreMetrics, and the totals as cells of their own, whose
  // values do not follow from the others.
  static const std::vector<MetricId>& OfRegions();

  // `ranks`: a power of two from 4096 on. Every rank has the path "all"; every third "all/third",
  // where only the upper half declared operations; one of them alone has "alone"; rank 0 "root".
  // With regions, all ranks have as many of them beside, each with all columns and OfRegions().
  SyntheticJob(uint32_t ranks, uint32_t ranks_per_node, uint32_t regions = 0);

  // Valid until the next call.
  const JobProfile& Part(uint32_t rank);
  uint32_t ThirdRanks() const { return (ranks_ + 1) / 3; }  // rank % 3 == 1
  std::string HostOf(uint32_t rank) const;
  uint32_t AloneRank() const { return ranks_ / 2 + 3; }

 private:
  JobProfile Prototype(bool third, bool operation, bool alone, bool root) const;

  uint32_t ranks_, ranks_per_node_, regions_;
  std::vector<JobProfile> prototypes_;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_BENCHMARKS_OVERHEAD_MPI_SYNTHETIC_H_
