// SPDX-License-Identifier: BSD-3-Clause
//
// The way of messages of different length to rank 0: along a binomial tree within each node, then
// along one across the nodes. What travels must not depend on the order in which it is merged.
#ifndef ROOFMARK_MPI_TREE_H_
#define ROOFMARK_MPI_TREE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mpi/comm.h"

namespace roofmark::mpi {

// A message of a length that only the sender knows. One above limits::kMessageBytes is not sent:
// both sides fail, as they do after AbandonBytes in place of the other function.
[[nodiscard]] bool SendBytes(Comm& comm, uint32_t to, const std::vector<char>& bytes);
[[nodiscard]] bool RecvBytes(Comm& comm, uint32_t from, std::vector<char>& bytes);
[[nodiscard]] bool BcastBytes(Comm& comm, std::vector<char>& bytes);
void AbandonBytes(Comm& comm, uint32_t to);
void AbandonBcast(Comm& comm);

// `merge(bytes)` takes in what a higher range of ranks sent and says whether it made sense;
// `pack()` gives what to send on. One send per rank; ceil(log P) steps to the base `radix`, in each
// of which a rank takes in radix - 1 messages. A rank that fails, or that brings nothing because
// `whole` is false, still receives and sends what others wait for: rank 0 fails, and none waits.
template <typename Merge, typename Pack>
[[nodiscard]] bool MergeUpTree(Comm& comm, Merge merge, Pack pack, uint32_t radix = 2,
                               bool whole = true) {
  std::vector<char> bytes;  // its memory serves all steps
  for (uint64_t step = 1; step < comm.Size(); step *= radix) {
    const uint64_t into = comm.Rank() - comm.Rank() % (step * radix);
    if (into != comm.Rank()) {
      if (whole) return SendBytes(comm, static_cast<uint32_t>(into), pack());
      AbandonBytes(comm, static_cast<uint32_t>(into));
      return false;
    }
    for (uint64_t i = 1; i < radix && into + i * step < comm.Size(); ++i) {
      const bool arrived = RecvBytes(comm, static_cast<uint32_t>(into + i * step), bytes);
      whole = whole && arrived && merge(bytes);
    }
  }
  return whole;
}

// What a rank has, and what it has taken in of others. Take() is commutative and associative.
class Merging {
 public:
  // Adds what another rank packed; false if that made no sense.
  [[nodiscard]] virtual bool Take(const std::vector<char>& bytes) = 0;
  virtual std::vector<char> Pack() = 0;
  // Forgets all, after it was sent on. Another rank's may still come by.
  virtual void Clear() = 0;

 protected:
  ~Merging() = default;
};

// A job's ranks, and those of this rank's node. No communicator of the nodes' leaders is made: that
// would cost a list of all ranks. Between nodes the other ranks hand on what comes by (the lowest
// rank of a range that holds a leader need not be one itself), and send nothing else.
class Levels {
 public:
  // Collective; nothing if the communicator failed. `one_node`, the same on all ranks: all of them
  // share memory, so that there is nothing to split. `job` must outlive this.
  static std::optional<Levels> Make(Comm& job, bool one_node);

  Comm& job() const { return *job_; }
  // Collective; rank 0 has all afterwards, the others what they had not sent, or nothing. Fails on
  // rank 0, and perhaps on others, if it fails on any rank, or `whole` is false on any.
  [[nodiscard]] bool MergeUp(Merging& merging, bool whole = true) const;

 private:
  Comm* job_ = nullptr;
  std::shared_ptr<Comm> node_;  // nullptr: one node
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_TREE_H_
