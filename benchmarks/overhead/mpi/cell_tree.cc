// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/overhead/mpi/cell_tree.h"

#include <ctime>
#include <utility>

namespace roofmark::mpi {
namespace {

constexpr size_t kRandomParts = 64;

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

uint64_t NextRandom(uint64_t& state) {  // xorshift64 (Marsaglia 2003)
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

}  // namespace

std::vector<Cell> CellTree::Join(std::vector<Cell> a, std::vector<Cell> b) {
  const double begin = CpuSeconds();
  CombineCells(a.data(), b.data(), b.size());
  seconds_ += CpuSeconds() - begin;
  combined_ += b.size();
  return b;
}

// Parts of equal weight become one, as in a binary counter: never more than log2 P are kept.
void CellTree::Push(Part part) {
  while (!parts_.empty() && parts_.back().weight == part.weight) {
    part = {Join(std::move(parts_.back().cells), std::move(part.cells)), 2 * part.weight};
    parts_.pop_back();
  }
  parts_.push_back(std::move(part));
}

void CellTree::Add(uint32_t rank, const std::vector<Cell>& cells) {
  switch (shape_) {
    case TreeShape::kBinomial:
      return Push({cells, 1});
    case TreeShape::kNodeFirst:
      if (!node_cells_.empty() && rank / node_ == open_node_) {
        node_cells_ = Join(std::move(node_cells_), cells);
        return;
      }
      if (!node_cells_.empty()) Push({std::exchange(node_cells_, {}), 1});
      node_cells_ = cells;
      open_node_ = rank / node_;
      return;
    case TreeShape::kRandom:
      break;
  }
  if (parts_.size() < kRandomParts) return parts_.push_back({cells, 1});
  const uint64_t random = NextRandom(random_);
  std::vector<Cell>& into = parts_[(random >> 1) % kRandomParts].cells;
  into = random & 1 ? Join(std::move(into), cells) : Join(cells, std::move(into));
}

std::vector<Cell> CellTree::Finish() {
  if (!node_cells_.empty()) Push({std::exchange(node_cells_, {}), 1});
  std::vector<Cell> all;
  while (!parts_.empty()) {
    std::vector<Cell> next = std::move(parts_.back().cells);
    parts_.pop_back();
    all = all.empty() ? std::move(next) : Join(std::move(next), std::move(all));
  }
  return all;
}

}  // namespace roofmark::mpi
