// SPDX-License-Identifier: BSD-3-Clause
//
// Which processes of the job carry roofmark, found without any MPI communication: a collective
// that a process without roofmark never joins would hang, and nothing sent on the application's
// communicators is safe from its own receives.
//
// Each carrier binds an abstract Unix socket whose name holds the job and its rank on the node; at
// the end each looks for the names of all its node's ranks. Nothing is sent, nothing is left in the
// file system, and names vanish with their processes. Nodes cannot see each other this way: see
// docs/mpi.md for what follows.
#ifndef ROOFMARK_MPI_RENDEZVOUS_H_
#define ROOFMARK_MPI_RENDEZVOUS_H_

#include <cstdint>
#include <optional>
#include <string>

namespace roofmark::mpi {

class Rendezvous {
 public:
  // What the launcher told this process.
  struct Place {
    std::string job;  // unique among jobs on a node
    std::optional<uint32_t> local_rank, local_ranks;
  };
  static Place PlaceFromLauncher();

  explicit Rendezvous(Place place) : place_(std::move(place)) {}
  ~Rendezvous();
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  // Makes this process known. Costs one descriptor.
  void Announce();

  // Empty if every process of the world is known to carry roofmark; else a sentence with the cure.
  std::string WhyIncomplete(uint32_t world_ranks) const;

 private:
  bool Connects(uint32_t local_rank) const;
  Place place_;
  int socket_ = -1;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_RENDEZVOUS_H_
