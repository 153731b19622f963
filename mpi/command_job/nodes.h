// SPDX-License-Identifier: BSD-3-Clause
//
// Work that is done once per node of a job: which ranks share a node, who works for it, and how the
// others wait without disturbing. Written against Comm, so it is tested without MPI.
#ifndef ROOFMARK_MPI_COMMAND_JOB_NODES_H_
#define ROOFMARK_MPI_COMMAND_JOB_NODES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mpi/comm.h"

namespace roofmark::mpi {

// What one rank tells of where it runs.
struct Member {
  std::string node;  // equal for the ranks that share one
  std::string host;  // for people
  std::string cpus;  // it may use, list form
  std::string kind;  // nodes of one kind are alike
};

// This process; `kind` is the caller's. Containers that share a kernel are one node, whatever they
// call themselves: they share its cores.
Member ThisMember(std::string kind);

struct Node {
  uint32_t leader = 0;  // the lowest rank
  uint32_t ranks = 0;
  std::string host, kind;  // the leader's
  std::string cpus;        // of all its ranks together
};

// `members[r]` is rank r. In the order of their leaders, so rank 0's comes first.
std::vector<Node> GroupByNode(const std::vector<Member>& members);

// Collective. Every rank gets the nodes, or none if `may_begin`, asked on rank 0, refuses them.
// std::nullopt if the communicator failed.
std::optional<std::vector<Node>> AgreeOnNodes(
    Comm& comm, const Member& mine, const std::function<bool(const std::vector<Node>&)>& may_begin);

// A text of any length from one rank to another.
[[nodiscard]] bool SendText(Comm& comm, uint32_t to, const std::string& text);
[[nodiscard]] bool ReceiveText(Comm& comm, uint32_t from, std::string& text);

enum class Awaited { kArrived, kGaveUp, kFailed };

// Sleeps until a message from `from` can be received or `give_up` (may be empty) says so. Looks
// every `interval_ms` at the same moments in all processes of a node, so that many that wait
// disturb one that measures no more often than a single one does.
Awaited Await(Comm& comm, uint32_t from, uint32_t interval_ms,
              const std::function<bool()>& give_up = {});

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_COMMAND_JOB_NODES_H_
