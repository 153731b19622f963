// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/rendezvous.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "lib/core/launcher.h"

namespace roofmark::mpi {
namespace {

constexpr char kCure[] = "set ROOFMARK_MERGE=always if all of them record";

// Two kinds of ranks.
std::string OnNode(uint32_t rank) { return std::to_string(rank); }
std::string InWorld(uint32_t rank) { return fmt::format("world{}", rank); }

socklen_t AddressOf(const std::string& job, const std::string& who, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  // Abstract: the name begins with a zero byte and lives in no file system.
  const std::string name = fmt::format("roofmark/{}/{}/{}", getuid(), job, who);
  const size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data() + (name.size() - length), length);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

}  // namespace

Rendezvous::Place Rendezvous::PlaceFromLauncher() {
  Place place;
  place.job = NodeJobKey();
  place.rank = ReadLauncher().rank;
  place.local_rank =
      LauncherNumber({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"});
  place.local_ranks = LauncherNumber({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"});
  return place;
}

Rendezvous::~Rendezvous() {
  if (local_socket_ >= 0) close(local_socket_);
  if (socket_ >= 0) close(socket_);
}

void Rendezvous::Announce() {
  if (place_.job.empty() || !place_.local_rank) return;
  local_socket_ = Bind(OnNode(*place_.local_rank));
  if (place_.rank) socket_ = Bind(InWorld(*place_.rank));
}

int Rendezvous::Bind(const std::string& who) const {
  const int bound = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (bound < 0) return -1;
  sockaddr_un address;
  const socklen_t size = AddressOf(place_.job, who, address);
  if (bind(bound, reinterpret_cast<sockaddr*>(&address), size) == 0) return bound;
  close(bound);
  return -1;
}

bool Rendezvous::Connects(const std::string& who) const {
  const int probe = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  sockaddr_un address;
  const socklen_t size = AddressOf(place_.job, who, address);
  const bool there = connect(probe, reinterpret_cast<sockaddr*>(&address), size) == 0;
  close(probe);
  return there;
}

std::string Rendezvous::WhyIncomplete(uint32_t world_ranks) const {
  if (place_.job.empty() || !place_.local_rank || !place_.local_ranks) {
    return fmt::format("this launcher does not say which processes belong together; {}", kCure);
  }
  for (uint32_t rank = 0; rank < *place_.local_ranks; ++rank) {
    if (!Connects(OnNode(rank))) {
      return fmt::format("process {} of {} on this node does not record with roofmark", rank,
                         *place_.local_ranks);
    }
  }
  if (world_ranks > *place_.local_ranks) {
    return fmt::format("processes of other nodes cannot be seen before the merge; {}", kCure);
  }
  return "";
}

std::string Rendezvous::WhyNot(uint32_t world_rank) const {
  if (place_.job.empty() || !place_.rank) {
    return fmt::format("this launcher does not say which processes belong together; {}", kCure);
  }
  if (Connects(InWorld(world_rank))) return "";
  return fmt::format("rank {} runs on another node or does not record with roofmark; {}",
                     world_rank, kCure);
}

}  // namespace roofmark::mpi
