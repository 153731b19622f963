// SPDX-License-Identifier: BSD-3-Clause
#include "markers/recorder.h"

#include <utility>

#include "markers/missed.h"

namespace roofmark::markers {

Recorder* g_recorder = nullptr;
__thread ThreadRecord* t_record = nullptr;

Recorder& Recorder::Get() {
  static auto& first = *new Recorder(*new Names);  // leaked: markers run until the last destructor
  return g_recorder == nullptr ? first : *g_recorder;
}

std::atomic<Recorder::State> Recorder::state_{State::kUndecided};

// --- start and stop ---------------------------------------------------------------------------

void Recorder::Start(const VisitPolicy& visits, RegionChoice regions, Collector* collector,
                     spool::Writer* spool) {
  spool_ = spool;
  leaves_out_ = !regions.ChoosesAll();
  selection_.Start(std::move(regions));
  collector_ = collector != nullptr && collector->WantsContexts() ? collector : nullptr;
  layer_follower_ = collector_ != nullptr && collector_->FollowsLayers() ? collector_ : nullptr;
  announcer_.Start(collector_, spool);
  sampling_.Start(visits, collector_);
  turns_.Start(visits, collector_);
  times_are_real_ = collector == nullptr || collector->TimesAreReal();
  simple_ = collector_ == nullptr && visits.AreAll();
  if (pthread_key_t key; pthread_key_create(&key, &Recorder::ReleaseRecord) == 0) key_ = key;
  Missed::Share();
  static const int at_fork =
      pthread_atfork(&Recorder::PrepareFork, &Recorder::Forked, &Recorder::DetachChild);
  static_cast<void>(at_fork);
  started_ = ReadClocks();
  openmp_.Find();
  g_recorder = this;
  state_.store(State::kOn, std::memory_order_release);
}

std::vector<std::string> Recorder::Stop(After after) {
  std::vector<std::string> still_open;
  const uint64_t now = Ticks();
  if (recording() && misses_ends()) EndRecordsOfGoneThreads();
  State expected = State::kOn;
  const State ended = after == After::kCounts ? State::kStopped : State::kOff;
  if (!state_.compare_exchange_strong(expected, ended)) return still_open;
  // From here on every visit takes the slow way, where it is counted, or its site turned off.
  records_.CloseFastPath();
  ThreadRecord* record = t_record;
  if (record == nullptr) return still_open;
  NotePauses(record);
  for (const Frame* frame = record->frames + 1; frame <= record->top; ++frame) {
    if (frame->recorded()) still_open.push_back(names_.Text(frame->name));
  }
  while (record->depth() > 0) Pop(record, now);
  return still_open;
}

bool Recorder::Resolve(roofmark_site* site) noexcept try {
  if (__atomic_load_n(&site->id, __ATOMIC_ACQUIRE) == 0) names_.Resolve(site);
  return true;
} catch (...) {
  Count(Refusal::kMemory);
  return false;
}

bool Recorder::ResolveRegion(roofmark_site* site) noexcept try {
  if (__atomic_load_n(&site->id, __ATOMIC_ACQUIRE) != 0) return true;
  if (leaves_out() &&
      selection_.LeavesOut(names_.Intern(site->name == nullptr ? "" : site->name))) {
    __atomic_store_n(&site->state, ROOFMARK_SITE_OFF, __ATOMIC_RELEASE);
    return false;
  }
  names_.Resolve(site);
  return true;
} catch (...) {
  Count(Refusal::kMemory);
  return false;
}

uint32_t Recorder::Resolve(std::string_view name) noexcept try {
  const uint32_t id = names_.Intern(name);
  if (t_record != nullptr && name.size() <= KnownName::kText) {
    t_record->KnownNameAt(name.data()).Set(name, id, RegionsOf::kUnknown);
  }
  return id;
} catch (...) {
  Count(Refusal::kMemory);
  return 0;
}

uint32_t Recorder::ResolveRegion(std::string_view name) noexcept try {
  const uint32_t id = names_.Intern(name);
  const bool left_out = leaves_out() && selection_.LeavesOut(id);
  // A thread that only comes to regions that are left out remembers them, too.
  const ThreadRecord* record = left_out ? OwnRecord() : t_record;
  if (record != nullptr && name.size() <= KnownName::kText) {
    const RegionsOf regions = left_out ? RegionsOf::kLeftOut : RegionsOf::kIn;
    t_record->KnownNameAt(name.data()).Set(name, id, regions);
  }
  return left_out ? 0 : id;
} catch (...) {
  Count(Refusal::kMemory);
  return 0;
}

void Recorder::Count(Refusal why) noexcept {
  refused_[static_cast<size_t>(why)].fetch_add(1, std::memory_order_relaxed);
}

// --- thread records ---------------------------------------------------------------------------

ThreadRecord* Recorder::OwnRecord() noexcept {
  if (t_record == nullptr) t_record = AcquireRecord();
  return t_record;
}

ThreadRecord* Recorder::AcquireRecord() noexcept {
  if (misses_ends()) EndRecordsOfGoneThreads();
  ThreadRecord* record = records_.Acquire(spool_);
  if (record == nullptr) {
    Count(Refusal::kMemory);
    return nullptr;
  }
  record->pauses_seen = pauses_begun_.load();
  if (times_are_real_) record->kernel.Start();
  OpenFastPath(record);
  AwaitEnd(record);
  return record;
}

// --- boundaries -------------------------------------------------------------------------------

// Tells the collector where work goes while `top` is the innermost frame: a visit that is not
// measured goes nowhere, rather than to the region around it.
void Recorder::TellCollector(const ThreadRecord* record, const Frame* top, bool team,
                             const counts::FinishedVisit* finished) noexcept {
  if (collector_ == nullptr) return;
  const bool inside = top > record->frames && (team ? top->team : top->own);
  const uint32_t path = inside ? top->place.path : 0;
  const bool counted =
      inside && (turns_.on() ? top->turn.counted != 0 : sampling_.Counts(top->measured));
  const bool measured = !inside || counted;
  if (team && turns_.on()) {
    // What is timed is left as it is, boundaries included.
    if (!counted && !team_is_counted_) return;
    team_is_counted_ = counted;
  }
  if (team) {
    collector_->EnterTeam(path, measured, finished);
  } else {
    collector_->EnterOwn(path, measured, finished);
  }
}

void Recorder::Push(ThreadRecord* record, const ThreadRecord::Lookup& found, bool team) noexcept {
  Frame* frame = ++record->top;
  frame->accumulator = found.accumulator;
  frame->place = found.place;
  frame->name = found.name;
  frame->around = found.around;
  frame->team = team;
  frame->own = !team;
  // An inner visit of a recursion belongs to the outer one: measured if that is.
  const uint32_t active = found.accumulator->active;
  const bool outermost = active == 0;
  spool::Put(found.accumulator->active, active + 1);
  const uint64_t visit = found.accumulator->begun;
  frame->measured = sampling_.Begin(found.accumulator) || !outermost;
  if (turns_.on()) TakeTurn(record, frame, visit, outermost);
  frame->watched = frame->measured && outermost && Watch(record, found, team);
  if (team) team_place.store(found.place, std::memory_order_relaxed);
  TellCollector(record, frame, team);
  frame->start = Ticks();
}

void Recorder::TakeTurn(const ThreadRecord* record, Frame* frame, uint64_t visit,
                        bool outermost) noexcept {
  const Turn turn =
      turns_.Begin({frame->place.path, visit, record->is_main, frame->team, outermost});
  frame->turn = turn;
  frame->measured = turn.timed != 0;
  if (turn.decided && turn.counted) sampling_.SetStratum(turn.stratum);
}

void Recorder::Pop(ThreadRecord* record, uint64_t now) noexcept {
  if (!record->top->recorded()) {
    const bool of_team = record->top->team;
    --record->top;
    if (of_team) team_place.store(record->top->place, std::memory_order_relaxed);
    return;
  }
  // First, so that as little of this as possible is charged to the region. Counts are kept before
  // the visit is: a process that is killed in between leaves none of it (lib/counts/read_row.h).
  const uint32_t active = record->top->accumulator->active - 1;
  const counts::FinishedVisit finished = {record->top->place.path, record->top->around,
                                          record->number(),
                                          record->top->accumulator->Current().visits + 1};
  TellCollector(record, record->top - 1, record->top->team, active == 0 ? &finished : nullptr);
  const Frame frame = *record->top--;
  const uint64_t ticks = active == 0 && frame.measured ? TicksBetween(frame.start, now) : 0;
  if (now < frame.start) went_back_.fetch_add(1, std::memory_order_relaxed);
  if (frame.watched) EndWatch(record, frame);
  frame.accumulator->Commit(frame.measured, ticks);
  spool::Put(frame.accumulator->active, active);
  // What stands for the empty stack is nowhere.
  if (frame.team) team_place.store(record->top->place, std::memory_order_relaxed);
  if (frame.measured) sampling_.End();
  if (turns_.on()) {
    turns_.End(frame.place.path, frame.turn, active == 0 ? TicksBetween(frame.start, now) : 0);
    const DeclaredWork* work = record->FindWork(frame.place.path);
    if (work != nullptr) turns_.KeepFirst(frame.place.path, frame.turn, *work);
  }
  // One that was not measured tells nothing of the next one, which may be.
  if (active == 0 && frame.measured) NoteLength(record, frame, ticks);
}

// After the visit was taken off the stack.
void Recorder::NoteLength(ThreadRecord* record, const Frame& frame, uint64_t ticks) noexcept {
  const bool is_long = ticks >= record->kernel.long_visit();
  ThreadRecord::Lookup& lookup = record->LookupFor(PlaceHere(record), frame.name);
  if (lookup.place.path == frame.place.path) lookup.is_long = is_long;
  DeclaredWork* work = is_long ? record->FindWork(frame.place.path) : nullptr;
  if (work == nullptr || work->longest_ticks.load(std::memory_order_relaxed) >= ticks) return;
  work->longest_ticks.store(ticks, std::memory_order_relaxed);
}

// --- what the kernel does ---------------------------------------------------------------------

bool Recorder::Watch(ThreadRecord* record, const ThreadRecord::Lookup& found, bool team) noexcept {
  if (!found.is_long && found.accumulator->Current().visits > 0) return false;
  return record->kernel.Begin(team ? KernelCountsOf::kProcess : KernelCountsOf::kThread,
                              kernel_of_threads_);
}

// Before the visit is committed: a process that is killed in between has not finished it.
void Recorder::EndWatch(ThreadRecord* record, const Frame& frame) noexcept {
  if (record != t_record) return record->kernel.Drop();
  const KernelCounts counts = record->kernel.End(kernel_of_threads_);
  if (counts.page_faults == 0 && counts.system_ns == 0 && counts.preemptions == 0) return;
  DeclaredWork* work = record->FindWork(frame.place.path);
  if (work == nullptr) return;
  spool::Raise(work->page_faults, counts.page_faults);
  spool::Raise(work->system_ns, counts.system_ns);
  spool::Raise(work->preemptions, counts.preemptions);
}

void Recorder::Refuse(ThreadRecord* record, Refusal why) noexcept {
  record->refused_because = why;
  ++record->overflow;
  Count(why);
}

uint32_t Recorder::PathIn(PathTable& table, uint32_t parent, const Begun& begun) {
  const uint32_t known = table.Find(parent, begun.name);
  if (known != kNoPath) return known;
  return table.Resolve(
      {parent, begun.name, begun.team ? RegionKind::kTeam : RegionKind::kThread,
       begun.file == nullptr ? "" : begun.file, begun.line, begun.team ? openmp_.Threads() : 0},
      EscapeRegionName(names_.Text(begun.name)).size());
}

std::optional<Refusal> Recorder::LookUp(ThreadRecord* record, const Begun& begun,
                                        ThreadRecord::Lookup& found) {
  const bool by_place = selection_.NeedsPlaces();
  if (by_place) {
    const uint32_t node = PathIn(selection_.places(), found.parent.node, begun);
    if (node == kNoPath) return Refusal::kPaths;
    if (node == kTooDeep) return Refusal::kNesting;
    found.place = {node, found.parent.path};
    if (!selection_.Chooses(node)) return std::nullopt;
  }
  const uint32_t path = PathIn(paths_, found.parent.path, begun);
  if (path == kNoPath) return Refusal::kPaths;
  if (path == kTooDeep) return Refusal::kNesting;
  announcer_.Path(path);
  Accumulator* accumulator = record->AccumulatorFor(path);
  if (accumulator == nullptr) return Refusal::kMemory;
  if (times_are_real_) record->WorkFor(path);  // later visits take no memory
  found.place = {by_place ? found.place.node : path, path};
  found.around = paths_.ParentOf(path);
  found.accumulator = accumulator;
  return std::nullopt;
}

void Recorder::Begin(uint32_t name, const char* file, uint32_t line, int level) noexcept try {
  ThreadRecord* record = OwnRecord();
  if (record == nullptr) return;
  NotePauses(record);
  if (record->overflow > 0) return Refuse(record, record->refused_because);
  if (record->is_full()) return Refuse(record, Refusal::kNesting);
  if (level < 0) level = openmp_.Level();
  const bool inside_own = record->depth() > 0 && !record->top->team;
  const bool team = record->is_main && level == 0 && !inside_own;
  const Place around = PlaceHere(record);
  if (paused_) {
    // Who pauses may not have come to this record yet.
    record->simple = false;
    return PushUnrecorded(record, name, around, team);
  }
  ThreadRecord::Lookup& lookup = record->LookupFor(around, name);
  if (!lookup.Is(around, name)) {
    ThreadRecord::Lookup found;
    found.parent = around;
    found.name = name;
    const std::optional<Refusal> why = LookUp(record, {name, file, line, team}, found);
    if (why) return Refuse(record, *why);
    lookup = found;
  }
  if (lookup.accumulator == nullptr) {
    PushUnrecorded(record, name, lookup.place, team);
  } else {
    Push(record, lookup, team);
  }
  OpenFastPath(record);
} catch (...) {
  if (t_record != nullptr) Refuse(t_record, Refusal::kMemory);
}

void Recorder::End(uint32_t name, const char* file, uint32_t line, uint64_t now) noexcept try {
  ThreadRecord* record = OwnRecord();
  if (record == nullptr) return;
  NotePauses(record);
  if (record->overflow > 0) {
    --record->overflow;
    return;
  }
  if (record->depth() > 0 && record->top->name == name) {
    Pop(record, now);
    OpenFastPath(record);
    return;
  }
  const Frame* match = record->top;
  while (match > record->frames && match->name != name) --match;
  const bool found = match > record->frames;
  RecordMismatch(record, name, file, line, found);
  if (!found) return;
  const auto depth_after = static_cast<uint32_t>(match - record->frames) - 1;
  while (record->depth() > depth_after) Pop(record, now);
} catch (...) {
  Count(Refusal::kMemory);
}

bool Recorder::PrepareWork(uint32_t kind) noexcept try {
  ThreadRecord* record = OwnRecord();
  DeclaredWork* work = record == nullptr ? nullptr : record->WorkFor(PathHere(record));
  if (work == nullptr) return false;
  if (kind != 0 && work->kind.load(std::memory_order_relaxed) == 0) {
    announcer_.Kind(kind);
    work->kind.store(kind, std::memory_order_relaxed);
  }
  return true;
} catch (...) {
  Count(Refusal::kMemory);
  return false;
}

// --- mismatches -------------------------------------------------------------------------------

void Recorder::RecordMismatch(const ThreadRecord* record, uint32_t name, const char* file,
                              uint32_t line, bool closed) noexcept try {
  Mismatch mismatch;
  mismatch.ended = names_.Text(name);
  mismatch.ended_where = Where(file, line);
  mismatch.closed = closed;
  if (record->depth() > 0) {
    const Frame& open = *record->top;
    const PathTable& places = selection_.NeedsPlaces() ? selection_.places() : paths_;
    const PathNode node = places.Get(open.place.node);
    mismatch.open = names_.Text(open.name);
    // Of what began in a pause no place is kept.
    mismatch.open_where = node.name == open.name
                              ? Where(node.file.empty() ? nullptr : node.file.c_str(), node.line)
                              : "a place that was not kept";
  }
  mismatches_.Add(std::move(mismatch));
} catch (...) {
}

}  // namespace roofmark::markers
