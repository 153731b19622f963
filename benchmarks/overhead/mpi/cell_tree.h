// SPDX-License-Identifier: BSD-3-Clause
//
// The operator alone, over any number of ranks and in any grouping.
#ifndef ROOFMARK_BENCHMARKS_OVERHEAD_MPI_CELL_TREE_H_
#define ROOFMARK_BENCHMARKS_OVERHEAD_MPI_CELL_TREE_H_

#include <cstdint>
#include <vector>

#include "lib/profile/cell.h"

namespace roofmark::mpi {

// In what order and grouping cells of all ranks are combined.
enum class TreeShape {
  kBinomial,
  kNodeFirst,  // the ranks of a node one after another, then the nodes
  kRandom      // any subsets, with either on the left
};

// Takes one rank's cells after another, in any order, in memory that grows with log P.
class CellTree {
 public:
  CellTree(TreeShape shape, uint32_t ranks_per_node) : shape_(shape), node_(ranks_per_node) {}

  void Add(uint32_t rank, const std::vector<Cell>& cells);
  std::vector<Cell> Finish();

  double seconds() const { return seconds_; }  // CPU time within the operator
  uint64_t combined() const { return combined_; }

 private:
  struct Part {
    std::vector<Cell> cells;
    uint64_t weight;
  };
  void Push(Part part);
  std::vector<Cell> Join(std::vector<Cell> a, std::vector<Cell> b);

  TreeShape shape_;
  uint32_t node_;
  std::vector<Part> parts_;
  std::vector<Cell> node_cells_;
  uint32_t open_node_ = 0;
  uint64_t random_ = 0x9e3779b97f4a7c15u;
  double seconds_ = 0;
  uint64_t combined_ = 0;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_BENCHMARKS_OVERHEAD_MPI_CELL_TREE_H_
