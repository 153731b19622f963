// SPDX-License-Identifier: BSD-3-Clause
//
// Do all ranks of the job carry roofmark? Along a binomial tree of all ranks each carrier looks up
// its neighbours, parent and children, in the launcher's store, and exchanges messages with those
// that are there: they wait for it as it waits for them. Between two carriers that come to a
// different answer there would be a path of carriers along the tree, along which the answer
// travels, or a rank without roofmark, which both sides see. So all carriers say the same of
// "somebody is missing", and no rank reads more than log2 P keys.
#ifndef ROOFMARK_MPI_STORE_FIRST_MISSING_H_
#define ROOFMARK_MPI_STORE_FIRST_MISSING_H_

#include <cstdint>
#include <optional>

namespace roofmark::mpi {

// The ranks as one of them sees them.
class Neighbours {
 public:
  virtual ~Neighbours() = default;
  virtual bool IsThere(uint32_t rank) = 0;
  // Messages between two ranks that are there; they block, and arrive in order.
  virtual void Tell(uint32_t to, uint64_t value) = 0;
  virtual uint64_t Hear(uint32_t from) = 0;
};

// A rank without roofmark, if there is one. Collective over those that are there. Either all of
// them get nothing, or each gets a rank, perhaps not the same: the lowest of which it was told.
std::optional<uint32_t> FirstMissing(Neighbours& neighbours, uint32_t rank, uint32_t ranks);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_STORE_FIRST_MISSING_H_
