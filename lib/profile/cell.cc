// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/cell.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace roofmark {

Cell Cell::Of(uint64_t value, uint32_t rank, Status status) {
  Cell cell;
  cell.ranks = 1;
  cell.status_bits = Bit(status);
  cell.min = cell.max = value;
  cell.min_rank = cell.max_rank = rank;
  cell.SetSum(value);
  cell.mean = static_cast<double>(value);
  return cell;
}

double Cell::StdDev() const { return ranks == 0 ? 0.0 : std::sqrt(std::max(m2, 0.0) / ranks); }

namespace {

// The same number as SumAsDouble(): a conversion of 128 bits is a call that most sums can do
// without.
double ToDouble(const Cell& cell) {
  return cell.sum_high == 0 ? static_cast<double>(cell.sum_low) : cell.SumAsDouble();
}

}  // namespace

Cell Combine(const Cell& a, const Cell& b) {
  if (a.ranks == 0) return b;
  if (b.ranks == 0) return a;
  Cell cell;
  cell.ranks = a.ranks + b.ranks;
  cell.status_bits = a.status_bits | b.status_bits;
  cell.min = std::min(a.min, b.min);
  cell.max = std::max(a.max, b.max);
  cell.min_rank =
      a.min == b.min ? std::min(a.min_rank, b.min_rank) : (a.min < b.min ? a.min_rank : b.min_rank);
  cell.max_rank =
      a.max == b.max ? std::min(a.max_rank, b.max_rank) : (a.max > b.max ? a.max_rank : b.max_rank);
  cell.SetSum(a.Sum() + b.Sum());
  // The mean comes from the exact sum, so it does not depend on the shape of the tree.
  cell.mean = ToDouble(cell) / cell.ranks;
  const double delta = b.mean - a.mean;
  cell.m2 = a.m2 + b.m2 + delta * delta * (static_cast<double>(a.ranks) * b.ranks / cell.ranks);
  return cell;
}

void CombineCells(const void* in, void* in_out, size_t count) {
  const char* from = static_cast<const char*>(in);
  char* to = static_cast<char*>(in_out);
  for (size_t i = 0; i < count; ++i, from += sizeof(Cell), to += sizeof(Cell)) {
    Cell a, b;
    std::memcpy(static_cast<void*>(&a), from, sizeof a);
    std::memcpy(static_cast<void*>(&b), to, sizeof b);
    b = Combine(a, b);
    std::memcpy(to, &b, sizeof b);
  }
}

}  // namespace roofmark
