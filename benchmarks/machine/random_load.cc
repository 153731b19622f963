// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/random_load.h"

#include <algorithm>

#include "benchmarks/machine/sweep.h"

namespace roofmark {
namespace {

constexpr uint64_t kLinesPerRepeat = 256;
constexpr uint64_t kElements = LineOrder::kLineBytes / sizeof(double);
// So that 32 bits hold the index of an element.
constexpr uint64_t kMostBytes = (uint64_t{1} << 32) * sizeof(double);

// Sum of the first element of each line: one access brings the line, the rest of it would cost
// arithmetic only. Four sums, so that no addition waits for the one before. The lines are listed
// and not computed here, which takes seven registers for each of them: a core has no more lines
// under way than it has registers for, half of what its memory allows (Zen 5).
double Visit(const double* data, const uint32_t* first, uint64_t lines) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (uint64_t i = 0; i < lines; i += 4) {
    s0 += data[first[i]];
    s1 += data[first[i + 1]];
    s2 += data[first[i + 2]];
    s3 += data[first[i + 3]];
  }
  return (s0 + s1) + (s2 + s3);
}

}  // namespace

RandomLoad::RandomLoad(uint64_t bytes, const std::vector<Buffer>* slabs,
                       const std::vector<uint32_t>& workers)
    : order_(std::min(bytes, kMostBytes)),
      slabs_(slabs),
      workers_(workers),
      ranks_(workers.size()) {
  for (size_t rank = 0; rank < ranks_.size(); ++rank) ranks_[rank].state = rank;
}

RandomLoad::RandomLoad(uint64_t bytes) : RandomLoad(bytes, nullptr, {0}) {}

const double* RandomLoad::DataOf(uint32_t rank) const {
  const std::vector<Buffer>& slabs = slabs_ != nullptr ? *slabs_ : own_;
  return reinterpret_cast<const double*>(slabs[workers_[rank]].data());
}

bool RandomLoad::Prepare(uint32_t rank) {
  if (slabs_ != nullptr) {
    return workers_[rank] < slabs_->size() && (*slabs_)[workers_[rank]].data() != nullptr;
  }
  own_.clear();
  own_.emplace_back(bytes());
  if (own_.front().data() == nullptr) return false;
  FillSlab(own_.front());
  return true;
}

void RandomLoad::List(Rank& rank, uint64_t lines) const {
  rank.elements.resize(lines);
  for (uint32_t& element : rank.elements) {
    rank.state = order_.Next(rank.state);
    element = static_cast<uint32_t>(order_.Line(rank.state) * kElements);
  }
}

void RandomLoad::Warm(uint32_t rank, uint64_t repeats) {
  Rank& mine = ranks_[rank];
  if (slabs_ != nullptr) return List(mine, repeats * kLinesPerRepeat);
  if (mine.elements.empty()) List(mine, order_.lines());
  mine.last_sum = Visit(DataOf(rank), mine.elements.data(), mine.elements.size());
}

void RandomLoad::Run(uint32_t rank, uint64_t repeats) {
  Rank& mine = ranks_[rank];
  mine.last_lines = std::min(repeats * kLinesPerRepeat, uint64_t{mine.elements.size()});
  mine.last_sum = Visit(DataOf(rank), mine.elements.data(), mine.last_lines);
}

bool RandomLoad::Check(uint32_t rank) {
  const Rank& mine = ranks_[rank];
  double sum = 0;
  for (uint64_t i = 0; i < mine.last_lines; ++i) sum += DataOf(rank)[mine.elements[i]];
  return sum == mine.last_sum;
}

void RandomLoad::Finish(uint32_t rank) {
  ranks_[rank].elements = {};
  own_.clear();
}

uint64_t RandomLoad::MostRepeats() const { return order_.lines() / 4 / kLinesPerRepeat + 1; }

double RandomLoad::WorkPerRepeat() const {
  return static_cast<double>(kLinesPerRepeat * LineOrder::kLineBytes);
}

}  // namespace roofmark
