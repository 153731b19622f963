// SPDX-License-Identifier: BSD-3-Clause
//
// Which processes of the job carry roofmark, found without any MPI communication: a collective
// that a process without roofmark never joins would hang, and nothing sent on the application's
// communicators is safe from its own receives.
//
// Each carrier holds two locks in a file in the job's directory (lib/spool/presence.h): of its rank
// on the node, and in the job. At the end each looks for the locks of all its node's ranks, and
// before a merge over some ranks for the locks of those. Other users cannot open the file, so what
// they do changes no answer: one that some processes see and others do not would hang the job.
// Nodes cannot see each other this way: see docs/mpi.md for what follows.
#ifndef ROOFMARK_MPI_RENDEZVOUS_H_
#define ROOFMARK_MPI_RENDEZVOUS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "lib/spool/presence.h"

namespace roofmark::mpi {

class Rendezvous {
 public:
  // What the launcher told this process.
  struct Place {
    std::string job;  // unique among jobs on a node
    std::optional<uint32_t> rank, local_rank, local_ranks;
  };
  static Place PlaceFromLauncher();

  explicit Rendezvous(Place place) : place_(std::move(place)) {}

  // Makes this process known. Costs one descriptor.
  void Announce();
  // Nothing of the job's name remains. For when no process of the node will announce itself any
  // more.
  void ForgetName() noexcept { presence_.ForgetName(); }
  // The same if all of the node are there: then nothing remains even of a job that is killed later.
  void ForgetNameIfComplete() noexcept;

  // Empty if every process of the world is known to carry roofmark; else a sentence with the cure.
  std::string WhyIncomplete(uint32_t world_ranks) const;
  // Empty if this process of the world is known to carry roofmark; else as above. Every process of
  // a node says the same of the same rank.
  std::string WhyNot(uint32_t world_rank) const;

 private:
  // The first process of the node that is not there; local_ranks if all are.
  uint32_t FirstMissing() const;

  Place place_;
  spool::Presence presence_;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_RENDEZVOUS_H_
