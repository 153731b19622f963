// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/session.h"

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "lib/core/inside.h"
#include "lib/core/messages/mpi.h"
#include "markers/runtime/runtime.h"
#include "mpi/library.h"
#include "mpi/ranks_file/ranks_file.h"
#include "mpi/reduce.h"
#include "mpi/rendezvous.h"
#include "mpi/store/find_store.h"
#include "mpi/store/first_missing.h"

namespace roofmark::mpi {
namespace {

// Leaked on purpose: the rendezvous must be there until the process ends.
struct Session {
  const Plugin* plugin = nullptr;
  std::string why_no_plugin;
  std::string version;  // of the MPI library
  uint32_t rank = 0, ranks = 1;
  bool late = false;        // MPI was initialised unseen: it is unknown which processes record
  Stores stores;            // of the launcher: none is left when MPI is initialised
  bool all_record = false;  // as the launcher's store says
  std::optional<uint32_t> does_not_record;  // likewise: a rank
  // Where all record: their communicator for the merge. Made in MPI_Init, where they have just
  // found one another: in MPI_Finalize it would take as long as all else.
  Comm* comm = nullptr;
  uint32_t reduced = 0;  // explicit merges begun, with g_mutex
  Rendezvous rendezvous{Rendezvous::PlaceFromLauncher()};
};

std::atomic<Session*> g_session{nullptr};
std::atomic<Session*> g_announcer{nullptr};  // perhaps one that is not the process's session
std::atomic<bool> g_announced{false}, g_initialised{false}, g_finalized{false};
std::mutex g_mutex;

class OwnTime {
 public:
  explicit OwnTime(runtime::OwnTimeOf what) : what_(what) { runtime::StartOwnTime(); }
  ~OwnTime() { runtime::StopOwnTime(what_); }
  OwnTime(const OwnTime&) = delete;
  OwnTime& operator=(const OwnTime&) = delete;

 private:
  const runtime::OwnTimeOf what_;
};

void FinalizeCallback() {
  const Inside inside;
  if (inside) OnFinalizing();
}

// Before MPI_Init, so a process without a plug-in is not waited for by the others.
void Prepare(Session& session) {
  session.version = LibraryVersion();
  const Result<const Plugin*> plugin = LoadPlugin(session.version);
  if (plugin) {
    session.plugin = *plugin;
    if (runtime::WhenToMerge() == runtime::Merge::kNever) return;
    session.rendezvous.Announce();
    g_announcer = &session;
    if (!session.late) {
      session.stores = FindStore(FamilyOf(session.version), &runtime::StartOwnThread);
    }
  } else {
    session.why_no_plugin = plugin.error();
  }
}

class World final : public Neighbours {
 public:
  World(KeyStore& store, const Plugin& plugin) : store_(store), plugin_(plugin) {}
  bool IsThere(uint32_t rank) override { return store_.IsThere(rank); }
  void Tell(uint32_t to, uint64_t value) override { plugin_.tell(to, value); }
  uint64_t Hear(uint32_t from) override { return plugin_.hear(from); }

 private:
  KeyStore& store_;
  const Plugin& plugin_;
};

// Who has announced itself takes part, for the others wait for it.
void LookForOthers(Session& session, bool has_world) {
  KeyStore* store = session.stores.Any();
  if (store == nullptr) return;
  store->Initialised();
  if (has_world && store->Announced()) {
    World world(*store, *session.plugin);
    session.does_not_record = FirstMissing(world, session.rank, session.ranks);
    session.all_record = !session.does_not_record;
    if (session.all_record && session.ranks > 1) session.comm = session.plugin->open();
  }
  session.stores = {};
}

void Begin(Session& session) {
  if (session.plugin == nullptr) return;
  session.rendezvous.ForgetNameIfComplete();
  const bool has_world = session.plugin->world(&session.rank, &session.ranks);
  if (has_world) runtime::SetJob({session.rank, session.ranks, session.version});
  LookForOthers(session, has_world);
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

// What rank 0 says to all after a merge.
enum class Outcome : uint64_t { kNotWritten, kWritten, kNotMerged };

void Settle(bool written, const JobProfile& profile) {
  written ? runtime::DiscardSpool() : runtime::KeepSpool(profile);
}

// Empty if all processes of the world are known to record. All that do come to the same answer:
// what the store says is the same for all of them, and what the locks say on one node, too.
std::string WhyIncomplete(const Session& session) {
  if (session.all_record) return "";
  if (session.late) return InWords(message::kInitNotSeenByMerge);
  std::string why = session.rendezvous.WhyIncomplete(session.ranks);
  if (why.empty() || !session.does_not_record) return why;
  return InWords(message::kRankDoesNotRecord, *session.does_not_record);
}

// Empty where the merge was done (or this rank's share of it).
std::string Merge(const Session& session, const JobProfile& local,
                  const std::function<uint64_t()>& finalize_ns) {
  if (session.ranks > 1 && runtime::WhenToMerge() != runtime::Merge::kAlways) {
    if (runtime::WhenToMerge() == runtime::Merge::kNever) return InWords(message::kNeverMerged);
    std::string incomplete = WhyIncomplete(session);
    if (!incomplete.empty()) return incomplete;
  }
  Comm* comm = session.comm != nullptr ? session.comm : session.plugin->open();
  if (comm == nullptr) return InWords(message::kNoCommunicatorForMerge);
  Result<std::optional<JobProfile>> merged = ReduceProfiles(*comm, local, {finalize_ns});
  // Ranks that do not know that the merge failed wait for all others there.
  const JobProfile* whole = merged && *merged ? &**merged : nullptr;
  const std::string detail = WriteDetail(*comm, *session.plugin, session.version, local, whole);
  auto outcome = static_cast<uint64_t>(merged ? Outcome::kNotWritten : Outcome::kNotMerged);
  if (merged && *merged) {
    if (!detail.empty() && !(*merged)->run.passes.empty()) {
      (*merged)->run.passes.front().facts["detail"] = detail;
    }
    if (runtime::WriteRoofline(**merged)) outcome = static_cast<uint64_t>(Outcome::kWritten);
  }
  // No rank removes its data before the file is written.
  const bool said = comm->Bcast(&outcome, sizeof outcome);
  session.plugin->close(comm);
  if (!merged) return merged.error();
  if (said && outcome == static_cast<uint64_t>(Outcome::kNotMerged)) {
    return InWords(message::kMergeFailedOnFirst);
  }
  Settle(said && outcome == static_cast<uint64_t>(Outcome::kWritten), local);
  return "";
}

void Finish(const Session& session) {
  const std::optional<JobProfile> profile = runtime::TakeProfile(runtime::EndOf::kMpi);
  std::string reason = session.why_no_plugin;
  if (session.plugin != nullptr && session.ranks > 1) {
    reason = profile ? Merge(session, *profile, &runtime::FinalizeNs)
                     : Merge(session, Nothing(session), {});
  } else if (session.plugin != nullptr && profile) {
    if (runtime::WantedDetail() == runtime::Detail::kOff) {
      return Settle(runtime::WriteRoofline(*profile), *profile);
    }
    reason = Merge(session, *profile, &runtime::FinalizeNs);
  }
  if (!reason.empty() && profile) Settle(runtime::WritePart(*profile, reason), *profile);
}

// --- explicit merges --------------------------------------------------------------------------

// Who takes part: all of them, or why not.
struct Members {
  const Session& session;
  std::string why_not;
  uint32_t count = 0;
};

// Empty if this process of the world is known to record.
std::string WhyNot(const Session& session, uint32_t world_rank) {
  return session.all_record ? "" : session.rendezvous.WhyNot(world_rank);
}

bool VisitMember(void* context, uint32_t world_rank) {
  auto& members = *static_cast<Members*>(context);
  ++members.count;
  const bool always = runtime::WhenToMerge() == runtime::Merge::kAlways;
  if (always || world_rank == members.session.rank) return true;
  members.why_not = world_rank == UINT32_MAX ? InWords(message::kOtherWorld)
                                             : WhyNot(members.session, world_rank);
  return members.why_not.empty();
}

// The session, made now if MPI was initialised unseen (libmpi stands before roofmark on the link
// line) or the program has MPI sessions only. Those may end and begin again: the late session holds
// nothing of MPI's, and MPI_Init may still come.
Session* SessionOrLate() {
  static Session* late = nullptr;
  const std::lock_guard lock(g_mutex);
  if (Session* session = g_session.load()) return session;
  if (late != nullptr || g_announced) return late;
  late = new Session;
  late->late = true;
  Prepare(*late);
  uint32_t rank, ranks;
  if (late->plugin != nullptr && late->plugin->world(&rank, &ranks)) {
    g_announced = g_initialised = true;
    Begin(*late);
    g_session = late;
  }
  return late;
}

// Empty where the merge was done (or this rank's share of it).
std::string MergeOver(const Session& session, int comm, const JobProfile& local,
                      std::string& infix) {
  if (session.plugin == nullptr) return session.why_no_plugin;
  Members members{session, ""};
  uint32_t rank, ranks;
  const bool has_world = session.plugin->world(&rank, &ranks);
  const runtime::Merge when = runtime::WhenToMerge();
  if (when == runtime::Merge::kNever) return InWords(message::kNeverMerged);
  if (session.late && when != runtime::Merge::kAlways) return InWords(message::kInitNotSeenByMerge);
  if (has_world && !session.plugin->members(comm, &VisitMember, &members)) {
    return InWords(message::kBadCommunicator);
  }
  if (!members.why_not.empty()) return members.why_not;
  // Merges over other communicators may be under way at the same time.
  if (has_world && members.count < ranks) infix += fmt::format(".rank{}", rank);
  Comm* over = session.plugin->open_over(comm);
  if (over == nullptr) return InWords(message::kNoCommunicatorForMerge);
  Result<std::optional<JobProfile>> merged = ReduceProfiles(*over, local);
  session.plugin->close(over);
  if (!merged) return merged.error();
  if (*merged && !runtime::WriteIntermediate(**merged, infix))
    return InWords(message::kMergedNotWritten);
  return "";
}

Reduced ReduceNow(int comm) {
  if (g_finalized || !runtime::Active()) return Reduced::kOff;
  const OwnTime own(runtime::OwnTimeOf::kMerge);
  Session* session = SessionOrLate();
  if (session == nullptr) return Reduced::kOff;
  uint32_t number;
  {
    const std::lock_guard lock(g_mutex);
    number = ++session->reduced;
  }
  std::string infix = fmt::format(".reduce{}", number);
  const std::optional<JobProfile> profile = runtime::ProfileSoFar();
  const std::string reason =
      MergeOver(*session, comm, profile ? *profile : Nothing(*session), infix);
  if (reason.empty()) return Reduced::kDone;
  if (!profile) return Reduced::kFailed;
  runtime::WritePart(*profile, reason, infix);
  return Reduced::kParts;
}

// For processes that never call MPI_Finalize, or have MPI sessions only.
__attribute__((destructor)) void OnExit() {
  if (Session* session = g_announcer.load()) session->rendezvous.ForgetName();
}

}  // namespace

Reduced ReduceOver(int comm) noexcept try { return ReduceNow(comm); } catch (...) {
  return Reduced::kFailed;
}

void OnInitialising() noexcept try {
  if (!runtime::Active() || g_announced.exchange(true)) return;
  const OwnTime own(runtime::OwnTimeOf::kStartup);
  auto* session = new Session;
  Prepare(*session);
  g_session = session;
} catch (...) {
}

int OnCommitting(const PmixCalls& calls) noexcept try {
  Session* session = g_session.load();
  const bool ours = session != nullptr && !g_initialised && session->stores.pmix;
  return ours ? session->stores.pmix->Commit(calls) : CommitOnly(calls);
} catch (...) {
  return pmix::kNotThere;
}

void OnNotInitialised() noexcept try {
  Session* session = g_session.load();
  if (session == nullptr || g_initialised) return;
  LookForOthers(*session, /*has_world=*/false);
} catch (...) {
}

void OnInitialised() noexcept try {
  Session* session = g_session.load();
  if (session == nullptr || g_initialised.exchange(true)) return;
  const OwnTime own(runtime::OwnTimeOf::kStartup);
  Begin(*session);
} catch (...) {
}

void OnFinalizing() noexcept try {
  Session* session = g_session.load();
  if (session == nullptr || !g_initialised || g_finalized.exchange(true)) return;
  Finish(*session);
  session->rendezvous.ForgetName();
} catch (...) {
}

}  // namespace roofmark::mpi
