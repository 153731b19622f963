// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/session.h"

#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <string>

#include "lib/runtime/runtime.h"
#include "mpi/library.h"
#include "mpi/reduce.h"
#include "mpi/rendezvous.h"

namespace roofmark::mpi {
namespace {

// Leaked on purpose: the rendezvous must be there until the process ends.
struct Session {
  const Plugin* plugin = nullptr;
  std::string why_no_plugin;
  std::string version;  // of the MPI library
  uint32_t rank = 0, ranks = 1;
  Rendezvous rendezvous{Rendezvous::PlaceFromLauncher()};
};

std::atomic<Session*> g_session{nullptr};
std::atomic<bool> g_announced{false}, g_initialised{false}, g_finalized{false};

class OwnTime {
 public:
  OwnTime() { runtime::StartOwnTime(); }
  ~OwnTime() { runtime::StopOwnTime(); }
  OwnTime(const OwnTime&) = delete;
  OwnTime& operator=(const OwnTime&) = delete;
};

void FinalizeCallback() { OnFinalizing(); }

// Before MPI_Init, so a process without a plug-in is not waited for by the others.
void Prepare(Session& session) {
  session.version = LibraryVersion();
  const Result<const Plugin*> plugin = LoadPlugin(session.version);
  if (plugin) {
    session.plugin = *plugin;
    session.rendezvous.Announce();
  } else {
    session.why_no_plugin = plugin.error();
  }
}

void Begin(Session& session) {
  if (session.plugin == nullptr) return;
  if (session.plugin->world(&session.rank, &session.ranks)) {
    runtime::SetJob({session.rank, session.ranks, session.version});
  }
  session.plugin->on_finalize(&FinalizeCallback);
}

// What a rank brings that has nothing: the others' collectives need it all the same.
JobProfile Nothing(const Session& session) {
  JobProfile profile;
  profile.run.ranks = session.ranks;
  profile.run.ranks_merged = 0;
  profile.run.first_rank = session.rank;
  return profile;
}

// Empty where the merge was done (or this rank's share of it).
std::string Merge(const Session& session, const JobProfile& local) {
  if (!runtime::MergeAlways()) {
    std::string incomplete = session.rendezvous.WhyIncomplete(session.ranks);
    if (!incomplete.empty()) return incomplete;
  }
  Comm* comm = session.plugin->open();
  if (comm == nullptr) return "MPI gave no communicator for the merge";
  Result<std::optional<JobProfile>> merged = ReduceProfiles(*comm, local);
  session.plugin->close(comm);
  if (!merged) return merged.error();
  if (*merged) runtime::WriteRoofline(**merged);
  return "";
}

void Finish(const Session& session) {
  const std::optional<JobProfile> profile = runtime::TakeProfile();
  std::string reason = session.why_no_plugin;
  if (session.plugin != nullptr && session.ranks > 1) {
    reason = Merge(session, profile ? *profile : Nothing(session));
  } else if (session.plugin != nullptr && profile) {
    runtime::WriteRoofline(*profile);
  }
  if (!reason.empty() && profile) runtime::WritePart(*profile, reason);
}

}  // namespace

void OnInitialising() noexcept try {
  if (!runtime::Active() || g_announced.exchange(true)) return;
  const OwnTime own;
  auto* session = new Session;
  Prepare(*session);
  g_session = session;
} catch (...) {
}

void OnInitialised() noexcept try {
  Session* session = g_session.load();
  if (session == nullptr || g_initialised.exchange(true)) return;
  const OwnTime own;
  Begin(*session);
} catch (...) {
}

void OnFinalizing() noexcept try {
  Session* session = g_session.load();
  if (session == nullptr || !g_initialised || g_finalized.exchange(true)) return;
  Finish(*session);
} catch (...) {
}

}  // namespace roofmark::mpi
