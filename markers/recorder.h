// SPDX-License-Identifier: BSD-3-Clause
//
// The process's recording: names, paths, thread records, and the collector that is told about
// boundaries. One per process, never destroyed. The markers' entry points call it; the runtime
// starts, stops and reads it.
#ifndef ROOFMARK_MARKERS_RECORDER_H_
#define ROOFMARK_MARKERS_RECORDER_H_

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/collector.h"
#include "lib/core/clock.h"
#include "lib/core/region_choice.h"
#include "lib/core/settings.h"
#include "markers/announcer.h"
#include "markers/kernel_watch.h"
#include "markers/mismatches.h"
#include "markers/names.h"
#include "markers/openmp_query.h"
#include "markers/path_table.h"
#include "markers/sampling.h"
#include "markers/selection.h"
#include "markers/thread_record.h"
#include "markers/thread_records.h"
#include "markers/turns.h"

namespace roofmark::markers {

// A visit under way on a thread, as if it ended now.
struct OpenVisit {
  uint32_t path;
  uint64_t ticks;  // 0 where an outer visit of the same recursion has them
  bool measured;
  std::string name;
};

class Recorder {
 public:
  static Recorder& Get();

  // `collector` and `spool` may be nullptr and must outlive the recorder.
  void Start(const VisitPolicy& visits, RegionChoice regions, Collector* collector,
             spool::Writer* spool);
  // Nothing will be recorded. No recorder is made for that.
  static void Decline() { state_.store(State::kOff, std::memory_order_release); }
  // What becomes of visits that begin after the end.
  enum class After : uint8_t {
    kCounts,  // they are counted (markers/late_visits.h)
    kIsOff,   // sites are off from their next visit on
  };
  // No visit is recorded from here on; regions open on the calling thread are closed as of now and
  // returned by name, outermost first.
  std::vector<std::string> Stop(After after);
  // Clock ticks of one begin and end on the calling thread, with what the collector does at both
  // (without the reads of memory controllers, and without rotation); 0 if memory is short. After
  // Stop() and the collector's Harvest(): a few us, or 60 boundaries of the collector. With
  // `waits_at_boundaries` only what it does for the thread alone is taken.
  double PairTicks(bool waits_at_boundaries) noexcept;
  static bool recording() { return state_.load(std::memory_order_acquire) == State::kOn; }

  // Gives the site its name's id; false if memory is short.
  bool Resolve(roofmark_site* site) noexcept;
  // The same for a region's site; false, too, if the region is left out: the site is off then.
  bool ResolveRegion(roofmark_site* site) noexcept;
  // The id of a name made at run time, which this thread remembers; 0 if memory is short.
  uint32_t Resolve(std::string_view name) noexcept;
  // The same for a region's name; 0, too, if the region is left out.
  uint32_t ResolveRegion(std::string_view name) noexcept;
  // False if no region is left out. No recorder is made for that.
  static bool leaves_out() noexcept { return leaves_out_.load(std::memory_order_relaxed); }
  // The slow, complete ways; `now` is the time of the END.
  void Begin(uint32_t name, const char* file, uint32_t line, int level) noexcept;
  void End(uint32_t name, const char* file, uint32_t line, uint64_t now) noexcept;
  // Makes what declared work of the calling thread is added to, in the region where it is; of
  // operations of this kind if it has none yet and `kind`, a resolved name, is not 0.
  bool PrepareWork(uint32_t kind) noexcept;
  // True if recording. Turns the site off where it never will be: no lock, no memory, no call.
  static bool Admits(roofmark_site* site) noexcept {
    if (recording()) return true;
    // A site seen while undecided (no runtime yet, or a child before its first region) stays so,
    // and one after an end where its visits are counted.
    const State state = state_.load(std::memory_order_relaxed);
    if (state == State::kOff || state == State::kInChild) {
      __atomic_store_n(&site->state, ROOFMARK_SITE_OFF, __ATOMIC_RELEASE);
    }
    return false;
  }

  // A region begins, and nothing is recorded. Of forked processes, and after the end, it is noted.
  // True if it is recorded now: the first region of a forked process that is to be recorded.
  static bool Miss(std::string_view region) noexcept {
    const State state = state_.load(std::memory_order_relaxed);
    if (__builtin_expect(state == State::kAwaitsRegion, 0)) return StartInChild();
    if (__builtin_expect(state == State::kInChild || state == State::kStopped, 0))
      NoteMissed(region);
    return false;
  }

  // Before Start: forked processes are recorded from their first region on. `start` is called
  // there, with a recorder that is new.
  static void RecordChildren(void (*start)() noexcept) noexcept { start_in_child_ = start; }

  // What the calling thread does from here on is roofmark's own: no region gets it, neither its
  // counts nor its time, until TakeBack, which is told how long that was. Costs a boundary of the
  // collector.
  void SetAside() noexcept;
  void TakeBack(uint64_t ticks) noexcept;

  // Nothing is recorded between both, on any thread; they nest. Visits that are open keep their
  // time, get no counts, and are marked. Takes locks, and what switching the collector costs.
  void Pause() noexcept;
  void Unpause() noexcept;

  // Of the calling thread, outermost first.
  std::vector<OpenVisit> OpenVisits(uint64_t now);

  // Somebody will report time inside MPI; before that nobody knows whether there was none.
  static void ExpectMpiTime() noexcept { times_mpi_.store(true, std::memory_order_relaxed); }
  static bool TimesMpi() noexcept { return times_mpi_.load(std::memory_order_relaxed); }

  // Who wants to know of each of its calls, when it ends: see roofmark_mpi_time. Set once.
  using MpiListener = void (*)(uint64_t ticks, const void* frame, const void* caller) noexcept;
  static void ListenToMpi(MpiListener listener) noexcept { mpi_listener_.store(listener); }
  static void TellOfMpi(uint64_t ticks, const void* frame, const void* caller) noexcept {
    const MpiListener listener = mpi_listener_.load(std::memory_order_acquire);
    if (__builtin_expect(listener != nullptr, 0)) listener(ticks, frame, caller);
  }

  // Likewise: a parallel region was measured.
  static void ExpectOpenMpTime() noexcept { times_openmp_.store(true, std::memory_order_relaxed); }
  static bool TimesOpenMp() noexcept { return times_openmp_.load(std::memory_order_relaxed); }

  // Who wants to know in which layer the calling thread goes on; nullptr: nobody.
  static Collector* LayerFollower() noexcept {
    return recording() ? layer_follower_.load(std::memory_order_acquire) : nullptr;
  }

  Names& names() { return names_; }
  PathTable& paths() { return paths_; }
  const Selection& selection() const { return selection_; }
  const ClockPair& started() const { return started_; }
  const ThreadRecords& records() const { return records_; }
  const Mismatches& mismatches() const { return mismatches_; }
  const Turns& turns() const { return turns_; }
  // Visits that ended before they began, by the CPUs' counters: their length is 0.
  uint64_t went_back() const { return went_back_.load(std::memory_order_relaxed); }
  // Visits that were not recorded, by the reason.
  uint64_t refused(Refusal why) const {
    return refused_[static_cast<size_t>(why)].load(std::memory_order_relaxed);
  }
  // Nothing tells when a thread ends: the process has no thread-specific key left, or no memory.
  bool misses_ends() const { return misses_ends_.load(std::memory_order_relaxed); }

  // Where workers without a region of their own are.
  std::atomic<Place> team_place{Place{}};
  // Where a thread is; `record` is nullptr if it has none.
  Place PlaceHere(const ThreadRecord* record) const {
    return record != nullptr && record->depth() > 0 ? record->top->place
                                                    : team_place.load(std::memory_order_relaxed);
  }
  uint32_t PathHere(const ThreadRecord* record) const { return PlaceHere(record).path; }
  bool paused() const { return paused_.load(std::memory_order_relaxed); }

  const OpenMpQuery& openmp() const { return openmp_; }

 private:
  enum class State { kUndecided, kOff, kOn, kStopped, kInChild, kAwaitsRegion };

  explicit Recorder(Names& names) : names_(names) {}
  ThreadRecord* OwnRecord() noexcept;
  ThreadRecord* AcquireRecord() noexcept;
  static void ReleaseRecord(void* record);
  static void PrepareFork() noexcept;
  static void Forked() noexcept;
  static void DetachChild() noexcept;
  static bool StartInChild() noexcept;
  static void NoteMissed(std::string_view region) noexcept;
  void ThreadEnded(ThreadRecord* record) noexcept;
  void AwaitEnd(ThreadRecord* record) noexcept;
  void EndRecordsOfGoneThreads() noexcept;
  // The visit that begins, and all that begin in it, are not recorded.
  void Refuse(ThreadRecord* record, Refusal why) noexcept;
  void Count(Refusal why) noexcept;
  // What a BEGIN says.
  struct Begun {
    uint32_t name;
    const char* file;
    uint32_t line;
    bool team;
  };
  // May throw. `found` has the place and the name. Returns why the region is not recorded, where
  // that is not the user's choice.
  std::optional<Refusal> LookUp(ThreadRecord* record, const Begun& begun,
                                ThreadRecord::Lookup& found);
  // The path in `table`; kNoPath or kTooDeep.
  uint32_t PathIn(PathTable& table, uint32_t parent, const Begun& begun);
  void Push(ThreadRecord* record, const ThreadRecord::Lookup& found, bool team) noexcept;
  void PushUnrecorded(ThreadRecord* record, uint32_t name, Place place, bool team) noexcept;
  void Pop(ThreadRecord* record, uint64_t now) noexcept;
  void TakeTurn(const ThreadRecord* record, Frame* frame, uint64_t visit, bool outermost) noexcept;
  bool Watch(ThreadRecord* record, const ThreadRecord::Lookup& found, bool team) noexcept;
  void EndWatch(ThreadRecord* record, const Frame& frame) noexcept;
  void NoteLength(ThreadRecord* record, const Frame& frame, uint64_t ticks) noexcept;
  void NotePauses(ThreadRecord* record) noexcept;
  void OpenFastPath(ThreadRecord* record) noexcept;
  void TellCollector(const ThreadRecord* record, const Frame* top, bool team,
                     const counts::FinishedVisit* finished = nullptr) noexcept;
  void RecordMismatch(const ThreadRecord* record, uint32_t name, const char* file, uint32_t line,
                      bool closed) noexcept;

  // Known before, or without, a recorder.
  static std::atomic<State> state_;
  static std::atomic<bool> times_mpi_, times_openmp_, leaves_out_;
  static std::atomic<MpiListener> mpi_listener_;
  static std::atomic<Collector*> layer_follower_;
  static void (*start_in_child_)() noexcept;
  static bool holds_names_;         // during a fork
  Collector* collector_ = nullptr;  // only if it wants contexts
  spool::Writer* spool_ = nullptr;
  bool simple_ = true;
  bool times_are_real_ = true;
  SharedKernelCounts kernel_of_threads_;  // of visits that are no team's
  ClockPair started_;
  Names& names_;  // of the process, and of those that it was forked from: sites keep their ids
  PathTable paths_;
  std::optional<pthread_key_t> key_;
  std::atomic<bool> misses_ends_{false};
  std::mutex ends_mutex_;
  ThreadRecords records_;
  Mismatches mismatches_;
  Announcer announcer_{names_, paths_};
  Sampling sampling_;
  Turns turns_;
  bool team_is_counted_ = false;  // as the collector was told; the main thread's, with turns
  Selection selection_{names_};
  OpenMpQuery openmp_;
  std::atomic<uint64_t> refused_[kRefusals] = {};
  std::atomic<uint64_t> went_back_{0};
  std::mutex pause_mutex_;
  uint32_t pauses_open_ = 0;               // with pause_mutex_
  std::atomic<uint32_t> pauses_begun_{0};  // outermost ones, until now
  std::atomic<bool> paused_{false};
};

// The recorder without the guard of a function-local static; set before the first record exists.
extern Recorder* g_recorder;

// The calling thread's record, nullptr before its first recorded marker. Initial-exec: one load;
// the eight bytes fit the reserve that glibc keeps for libraries opened later.
extern __thread ThreadRecord* t_record __attribute__((tls_model("initial-exec")));

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_RECORDER_H_
