// SPDX-License-Identifier: BSD-3-Clause
//
// Which processes of the job carry roofmark, found without any MPI communication: a collective
// that a process without roofmark never joins would hang, and nothing sent on the application's
// communicators is safe from its own receives.
//
// Each carrier binds two abstract Unix sockets whose names hold the job and its rank, on the node
// and in the job; at the end each looks for the names of all its node's ranks, and before a merge
// over some ranks for the names of those. Nothing is sent, nothing is left in the file system, and
// names vanish with their processes. Nodes cannot see each other this way: see docs/mpi.md for what
// follows.
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
    std::optional<uint32_t> rank, local_rank, local_ranks;
  };
  static Place PlaceFromLauncher();

  explicit Rendezvous(Place place) : place_(std::move(place)) {}
  ~Rendezvous();
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  // Makes this process known. Costs two descriptors.
  void Announce();

  // True if the launcher says that all processes of the world are on this node.
  bool OneNode(uint32_t world_ranks) const { return place_.local_ranks == world_ranks; }

  // Empty if every process of the world is known to carry roofmark; else a sentence with the cure.
  std::string WhyIncomplete(uint32_t world_ranks) const;
  // Empty if this process of the world is known to carry roofmark; else as above. Every process of
  // a node says the same of the same rank.
  std::string WhyNot(uint32_t world_rank) const;

 private:
  int Bind(const std::string& who) const;
  bool Connects(const std::string& who) const;
  Place place_;
  int local_socket_ = -1, socket_ = -1;
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_RENDEZVOUS_H_
