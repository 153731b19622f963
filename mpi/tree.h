// SPDX-License-Identifier: BSD-3-Clause
//
// The way of messages of different length to rank 0: along a tree over all ranks.
#ifndef ROOFMARK_MPI_TREE_H_
#define ROOFMARK_MPI_TREE_H_

#include <cstdint>
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

// What a rank has, and what it has taken in of others.
class Merging {
 public:
  // Adds what another rank packed: of higher ranks alone than those that are in this. False if it
  // made no sense.
  [[nodiscard]] virtual bool Take(const std::vector<char>& bytes) = 0;
  virtual std::vector<char> Pack() = 0;

 protected:
  ~Merging() = default;
};

// One send per rank; ceil(log P) steps to the base 16, in each of which a rank takes in what up to
// 15 others sent, in the order of their ranks: waking the next rank costs more than taking in a
// message. Neighbours in rank merge first, and most launchers put them on one node. No rank asks
// which ranks share a node: splitting a communicator costs more than all messages of the tree.
// Collective; rank 0 has all afterwards. A rank that fails still receives and sends what others
// wait for: rank 0 fails, and none waits.
[[nodiscard]] bool MergeUp(Comm& comm, Merging& merging);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_TREE_H_
