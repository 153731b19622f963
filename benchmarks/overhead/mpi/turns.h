// SPDX-License-Identifier: BSD-3-Clause
//
// A job of a million ranks on one thread, for code written against mpi::Comm. The ranks take turns:
// in round k each runs from its start to its k-th collective and is stopped there by a failure;
// what the collectives before gave is known from the rounds before. Within a round the highest rank
// comes first, because messages go from higher to lower ranks only (mpi/tree.h): whoever receives
// finds its mail there. Memory is that of a few ranks, whatever their number.
//
// Each rank has a clock: its own CPU time, and LogGP's for messages (Alexandrov, Ionescu, Schauser
// and Scheiman, SPAA 1995: a message of s bytes takes o + (s - 1) G + L + o). Collectives are
// charged as binomial trees without pipelining, and all ranks leave one together: both on the slow
// side.
#ifndef ROOFMARK_BENCHMARKS_OVERHEAD_MPI_TURNS_H_
#define ROOFMARK_BENCHMARKS_OVERHEAD_MPI_TURNS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "mpi/comm.h"

namespace roofmark::mpi {

// In what order and grouping cells of all ranks are combined.
enum class TreeShape {
  kBinomial,
  kNodeFirst,  // the ranks of a node one after another, then the nodes
  kRandom      // any subsets, with either on the left
};

struct LogGp {
  double latency_s = 0, overhead_s = 0, gap_s_per_byte = 0;
  double Message(double bytes) const {
    return latency_s + 2 * overhead_s + (bytes > 1 ? bytes - 1 : 0) * gap_s_per_byte;
  }
};

struct TurnsOptions {
  uint32_t ranks = 1;
  TreeShape shape = TreeShape::kBinomial;
  uint32_t ranks_per_node = 64;
  bool timed = false;  // false: no clock is read
  LogGp network = {};
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

class Turns {
 public:
  explicit Turns(const TurnsOptions& options) : options_(options) {}

  // Runs `body` for all ranks until it has gone through on each. It must do the same in every
  // round, and return when the communicator fails. False if the ranks disagree about which
  // collective comes next, or leave messages unread.
  bool Run(const std::function<void(Comm&)>& body);

  size_t rounds() const { return done_.size() + 1; }
  uint64_t messages() const { return messages_; }
  // Of the job's slowest rank, and of cells per combination, if timed.
  double seconds() const { return seconds_; }
  double seconds_per_cell() const { return seconds_per_cell_; }

 private:
  friend class TurnsComm;
  enum class Kind { kAllreduce, kBcast, kReduceCells };
  struct Collective {
    Kind kind;
    std::vector<char> result;
    double left_s;  // when all ranks leave it
  };
  struct Mail {
    std::vector<char> bytes;
    double sent_s;
  };
  struct Contribution {
    explicit Contribution(const TurnsOptions& options)
        : tree(options.shape, options.ranks_per_node) {}
    Kind kind = Kind::kBcast;
    uint32_t ranks = 0;
    bool agreed = true;
    std::vector<char> bytes;
    CellTree tree;
    double arrived_s = 0;
  };

  Collective Close(Contribution& open);
  double CostOf(Kind kind, size_t bytes) const;

  const TurnsOptions options_;
  std::vector<Collective> done_;
  Contribution* open_ = nullptr;
  std::map<std::pair<uint32_t, uint32_t>, std::deque<Mail>> mail_;
  uint64_t messages_ = 0;
  double seconds_ = 0, seconds_per_cell_ = 0;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_BENCHMARKS_OVERHEAD_MPI_TURNS_H_
