// SPDX-License-Identifier: BSD-3-Clause
//
// The distribution of one metric of one path over the ranks that have it. Fixed layout: an array
// of cells is what ranks send one another, and Combine() is what they do with it.
#ifndef ROOFMARK_LIB_PROFILE_CELL_H_
#define ROOFMARK_LIB_PROFILE_CELL_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lib/core/status.h"

namespace roofmark {

__extension__ using Sum128 = unsigned __int128;

struct Cell {
  uint32_t ranks = 0;        // ranks that have a value; 0: everything below is meaningless
  uint32_t status_bits = 0;  // Bit(Status) of each of them, or-ed
  uint64_t min = 0;
  uint64_t max = 0;
  uint32_t min_rank = 0;  // the lowest rank that has `min`
  uint32_t max_rank = 0;  // the lowest rank that has `max`
  uint64_t sum_low = 0;   // 128-bit sum in two words, so that no alignment is demanded
  uint64_t sum_high = 0;
  double mean = 0;
  double m2 = 0;  // sum of squared differences from the mean

  bool operator==(const Cell&) const = default;

  static Cell Of(uint64_t value, uint32_t rank, Status status) {
    Cell cell;
    cell.ranks = 1;
    cell.status_bits = Bit(status);
    cell.min = cell.max = value;
    cell.min_rank = cell.max_rank = rank;
    cell.sum_low = value;
    cell.mean = static_cast<double>(value);
    return cell;
  }

  Sum128 Sum() const { return (static_cast<Sum128>(sum_high) << 64) | sum_low; }
  void SetSum(Sum128 sum) {
    sum_low = static_cast<uint64_t>(sum);
    sum_high = static_cast<uint64_t>(sum >> 64);
  }
  double SumAsDouble() const { return static_cast<double>(Sum()); }
  // Population standard deviation over the ranks present.
  double StdDev() const;
};
static_assert(sizeof(Cell) == 64 && std::is_trivially_copyable_v<Cell>);

// Associative and commutative: ranks, min, max, sums exact; mean and m2 by the pairwise update of
// Chan, Golub and LeVeque (1979), so they agree within rounding for any tree. A merge does nothing
// more often: inline.
inline Cell Combine(const Cell& a, const Cell& b) {
  if (a.ranks == 0) return b;
  if (b.ranks == 0) return a;
  Cell cell;
  cell.ranks = a.ranks + b.ranks;
  cell.status_bits = a.status_bits | b.status_bits;
  cell.min = a.min < b.min ? a.min : b.min;
  cell.max = a.max < b.max ? b.max : a.max;
  const uint32_t lower = a.min_rank < b.min_rank ? a.min_rank : b.min_rank;
  const uint32_t higher = a.max_rank < b.max_rank ? a.max_rank : b.max_rank;
  cell.min_rank = a.min == b.min ? lower : (a.min < b.min ? a.min_rank : b.min_rank);
  cell.max_rank = a.max == b.max ? higher : (a.max > b.max ? a.max_rank : b.max_rank);
  cell.SetSum(a.Sum() + b.Sum());
  // The mean comes from the exact sum, so it does not depend on the shape of the tree. The
  // conversion of 128 bits is a call that most sums can do without; it gives the same number.
  const double sum = cell.sum_high == 0 ? static_cast<double>(cell.sum_low) : cell.SumAsDouble();
  cell.mean = sum / cell.ranks;
  const double delta = b.mean - a.mean;
  cell.m2 = a.m2 + b.m2 + delta * delta * (static_cast<double>(a.ranks) * b.ranks / cell.ranks);
  return cell;
}

// Combine() element by element into `in_out`. Both hold `count` cells of any alignment, as
// messages do.
void CombineCells(const void* in, void* in_out, size_t count);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_CELL_H_
