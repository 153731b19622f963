// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/rendezvous.h"

#include "lib/core/launcher.h"
#include "lib/core/messages/mpi.h"
#include "lib/spool/place.h"

namespace roofmark::mpi {
namespace {

// Two kinds of ranks: bytes of the file.
off_t OnNode(uint32_t rank) { return rank; }
off_t InWorld(uint32_t rank) { return (off_t{1} << 32) + rank; }

}  // namespace

Rendezvous::Place Rendezvous::PlaceFromLauncher() {
  Place place;
  place.job = NodeJobKey();
  const Launcher launcher = ReadLauncher();
  place.rank = launcher.rank;
  place.local_rank = launcher.local_rank;
  if (!launcher.local_ranks_are_asked) place.local_ranks = launcher.local_ranks;
  return place;
}

void Rendezvous::Announce() {
  if (place_.job.empty() || !place_.local_rank) return;
  if (!presence_.Open(spool::DefaultDirectory(place_.job))) return;
  presence_.Hold(OnNode(*place_.local_rank));
  if (place_.rank) presence_.Hold(InWorld(*place_.rank));
}

void Rendezvous::ForgetNameIfComplete() noexcept {
  if (place_.local_ranks && FirstMissing() == *place_.local_ranks) ForgetName();
}

uint32_t Rendezvous::FirstMissing() const {
  uint32_t rank = 0;
  while (rank < *place_.local_ranks && presence_.IsHeld(OnNode(rank))) ++rank;
  return rank;
}

std::string Rendezvous::WhyIncomplete(uint32_t world_ranks) const {
  if (place_.job.empty() || !place_.local_rank || !place_.local_ranks) {
    return InWords(message::kLauncherDoesNotSay);
  }
  const uint32_t missing = FirstMissing();
  if (missing < *place_.local_ranks) {
    return InWords(message::kProcessDoesNotRecord, missing, *place_.local_ranks);
  }
  if (world_ranks > *place_.local_ranks) return InWords(message::kOtherNodesNotSeen);
  return "";
}

std::string Rendezvous::WhyNot(uint32_t world_rank) const {
  if (place_.job.empty() || !place_.rank) {
    return InWords(message::kLauncherDoesNotSay);
  }
  if (presence_.IsHeld(InWorld(world_rank))) return "";
  return InWords(message::kRankNotSeen, world_rank);
}

}  // namespace roofmark::mpi
