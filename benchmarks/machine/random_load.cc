// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/random_load.h"

namespace roofmark {
namespace {

constexpr uint64_t kLinesPerRepeat = 256;
constexpr size_t kElements = LineOrder::kLineBytes / sizeof(double);

// Sum of the first element of each line: one access brings the line, the rest of it would cost
// arithmetic only. Four sums, so that no addition waits for the one before.
double Visit(const LineOrder& order, const double* data, uint64_t lines, uint64_t* state) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  uint64_t at = *state;
  const auto next = [&] {
    at = order.Next(at);
    return data[order.Line(at) * kElements];
  };
  for (uint64_t i = 0; i < lines; i += 4) {
    s0 += next();
    s1 += next();
    s2 += next();
    s3 += next();
  }
  *state = at;
  return (s0 + s1) + (s2 + s3);
}

}  // namespace

RandomLoad::RandomLoad(uint64_t bytes, const std::vector<Buffer>* slabs,
                       const std::vector<uint32_t>& workers)
    : order_(bytes), slabs_(slabs), workers_(workers), ranks_(workers.size()) {
  for (size_t rank = 0; rank < ranks_.size(); ++rank) ranks_[rank].state = rank;
}

const double* RandomLoad::DataOf(uint32_t rank) const {
  return reinterpret_cast<const double*>((*slabs_)[workers_[rank]].data());
}

bool RandomLoad::Prepare(uint32_t rank) {
  return workers_[rank] < slabs_->size() && (*slabs_)[workers_[rank]].data() != nullptr;
}

void RandomLoad::Run(uint32_t rank, uint64_t repeats) {
  Rank& mine = ranks_[rank];
  mine.last_state = mine.state;
  mine.last_lines = repeats * kLinesPerRepeat;
  mine.last_sum = Visit(order_, DataOf(rank), mine.last_lines, &mine.state);
}

bool RandomLoad::Check(uint32_t rank) {
  const Rank& mine = ranks_[rank];
  uint64_t state = mine.last_state;
  double sum = 0;
  for (uint64_t i = 0; i < mine.last_lines; ++i) {
    state = order_.Next(state);
    sum += DataOf(rank)[order_.Line(state) * kElements];
  }
  return sum == mine.last_sum;
}

uint64_t RandomLoad::MostRepeats() const { return order_.lines() / 4 / kLinesPerRepeat + 1; }

double RandomLoad::WorkPerRepeat() const {
  return static_cast<double>(kLinesPerRepeat * LineOrder::kLineBytes);
}

}  // namespace roofmark
