// SPDX-License-Identifier: BSD-3-Clause
#include "markers/recorder.h"

#include <utility>

namespace roofmark::markers {

Recorder* g_recorder = nullptr;
__thread ThreadRecord* t_record = nullptr;

Recorder& Recorder::Get() {
  static auto& recorder = *new Recorder;  // leaked: markers run until the last destructor
  return recorder;
}

std::atomic<Recorder::Starter> Recorder::starter_{nullptr};

// --- start and stop ---------------------------------------------------------------------------

void Recorder::Start(const VisitPolicy& visits, Collector* collector, spool::Writer* spool) {
  spool_ = spool;
  collector_ = collector != nullptr && collector->WantsContexts() ? collector : nullptr;
  announcer_.Start(collector_, spool);
  sampling_.Start(visits, collector_);
  simple_ = collector_ == nullptr && visits.kind == VisitPolicy::Kind::kAll;
  pthread_key_create(&key_, &Recorder::ReleaseRecord);
  pthread_atfork(nullptr, nullptr, &Recorder::DetachChild);
  started_ = ReadClocks();
  openmp_.Find();
  g_recorder = this;
  state_.store(State::kOn, std::memory_order_release);
}

void Recorder::Decline() { state_.store(State::kOff, std::memory_order_release); }

std::vector<std::string> Recorder::Stop() {
  std::vector<std::string> still_open;
  const uint64_t now = Ticks();
  State expected = State::kOn;
  if (!state_.compare_exchange_strong(expected, State::kStopped)) return still_open;
  // Sites turn themselves off at their next visit, which from here on is a slow one.
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

bool Recorder::Admit() noexcept {
  if (state_.load(std::memory_order_acquire) == State::kUndecided) {
    const Starter starter = starter_.load();
    if (starter != nullptr) starter();
  }
  return recording();
}

bool Recorder::Admit(roofmark_site* site) noexcept try {
  if (!Admit()) {
    // A site seen while undecided (no runtime yet) stays undecided.
    if (state_.load() != State::kUndecided) {
      __atomic_store_n(&site->state, ROOFMARK_SITE_OFF, __ATOMIC_RELEASE);
    }
    return false;
  }
  if (__atomic_load_n(&site->id, __ATOMIC_ACQUIRE) == 0) names_.Resolve(site);
  return true;
} catch (...) {
  return false;
}

// --- thread records ---------------------------------------------------------------------------

ThreadRecord* Recorder::OwnRecord() noexcept {
  if (t_record == nullptr) t_record = AcquireRecord();
  return t_record;
}

ThreadRecord* Recorder::AcquireRecord() noexcept {
  ThreadRecord* record = records_.Acquire(spool_);
  if (record == nullptr) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  record->pauses_seen = pauses_begun_.load();
  OpenFastPath(record);
  pthread_setspecific(key_, record);
  return record;
}

void Recorder::ReleaseRecord(void* record) noexcept {
  Get().ThreadEnded(static_cast<ThreadRecord*>(record));
  t_record = nullptr;
}

void Recorder::ThreadEnded(ThreadRecord* record) noexcept {
  const uint64_t now = Ticks();
  if (recording()) {
    NotePauses(record);
    while (record->depth() > 0) Pop(record, now);
  }
  records_.Release(record);
}

// A forked child is not the process that was asked to record: it goes on without roofmark, and
// nothing it does reaches the parent's data.
void Recorder::DetachChild() noexcept {
  Recorder& recorder = Get();
  if (recorder.state_.load() == State::kOn) recorder.state_.store(State::kOff);
  t_record = nullptr;
  if (recorder.spool_ != nullptr) recorder.spool_->DetachInChild();
}

// --- boundaries -------------------------------------------------------------------------------

// Tells the collector where work goes while `top` is the innermost frame: a visit that is not
// measured goes nowhere, rather than to the region around it.
void Recorder::TellCollector(const ThreadRecord* record, const Frame* top, bool team) noexcept {
  if (collector_ == nullptr) return;
  const bool inside = top > record->frames && top->team == team;
  const uint32_t path = inside ? top->path : 0;
  const bool measured = !inside || top->measured;
  if (team) {
    collector_->EnterTeam(path, measured);
  } else {
    collector_->EnterOwn(path, measured);
  }
}

void Recorder::Push(ThreadRecord* record, const ThreadRecord::Lookup& found, bool team) noexcept {
  Frame* frame = ++record->top;
  frame->accumulator = found.accumulator;
  frame->path = found.path;
  frame->name = found.name;
  frame->team = team;
  // An inner visit of a recursion belongs to the outer one: measured if that is.
  const bool outermost = found.accumulator->active++ == 0;
  frame->measured = sampling_.Begin(found.accumulator) || !outermost;
  if (team) team_path.store(found.path, std::memory_order_relaxed);
  TellCollector(record, frame, team);
  frame->start = Ticks();
}

void Recorder::Pop(ThreadRecord* record, uint64_t now) noexcept {
  if (!record->top->recorded()) {
    --record->top;
    --record->unrecorded;
    return;
  }
  // First, so that as little of this as possible is charged to the region.
  TellCollector(record, record->top - 1, record->top->team);
  const Frame frame = *record->top--;
  const uint32_t active = frame.accumulator->active - 1;
  frame.accumulator->Commit(frame.measured, active == 0 && frame.measured ? now - frame.start : 0);
  frame.accumulator->active = active;
  if (frame.team) {
    team_path.store(record->depth() > 0 ? record->top->path : 0, std::memory_order_relaxed);
  }
  if (frame.measured) sampling_.End(frame.accumulator);
}

void Recorder::Begin(uint32_t name, const char* file, uint32_t line, int level) noexcept try {
  ThreadRecord* record = OwnRecord();
  if (record == nullptr) return;
  NotePauses(record);
  if (record->depth() == ThreadRecord::kMaxDepth) {
    ++record->overflow;
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (level < 0) level = openmp_.Level();
  const bool inside_own = record->depth() > 0 && !record->top->team;
  const bool team = record->is_main && level == 0 && !inside_own;
  const uint32_t parent =
      record->depth() > 0 ? record->top->path : team_path.load(std::memory_order_relaxed);
  if (paused_) return PushUnrecorded(record, name, parent, team);
  ThreadRecord::Lookup& lookup = record->LookupFor(parent, name);
  if (lookup.parent != parent || lookup.name != name) {
    const uint32_t path =
        paths_.Resolve({parent, name, team ? RegionKind::kTeam : RegionKind::kThread,
                        file == nullptr ? "" : file, line, team ? openmp_.Threads() : 0});
    if (path != kNoPath) announcer_.Path(path);
    Accumulator* accumulator = path == kNoPath ? nullptr : record->AccumulatorFor(path);
    if (accumulator == nullptr) {
      ++record->overflow;
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    lookup = {parent, name, path, accumulator};
  }
  Push(record, lookup, team);
  OpenFastPath(record);
} catch (...) {
  dropped_.fetch_add(1, std::memory_order_relaxed);
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
  dropped_.fetch_add(1, std::memory_order_relaxed);
}

namespace {

// One writer: the thread whose record it is.
void Raise(std::atomic<uint64_t>& sum, uint64_t by) {
  sum.store(sum.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace

DeclaredWork* Recorder::WorkHere() noexcept {
  if (paused_) return nullptr;
  ThreadRecord* record = OwnRecord();
  if (record == nullptr) return nullptr;
  const uint32_t path =
      record->depth() > 0 ? record->top->path : team_path.load(std::memory_order_relaxed);
  return record->WorkFor(path);
}

void Recorder::Work(uint64_t flops, uint64_t bytes) noexcept {
  DeclaredWork* work = WorkHere();
  if (work == nullptr) return;
  Raise(work->flops, flops);
  Raise(work->bytes, bytes);
}

void Recorder::Operations(uint32_t kind, uint64_t count) noexcept try {
  DeclaredWork* work = WorkHere();
  if (work == nullptr) return;
  const uint32_t known = work->kind.load(std::memory_order_relaxed);
  if (known == 0) announcer_.Kind(kind);
  if (known == 0) work->kind.store(kind, std::memory_order_relaxed);
  Raise(known == 0 || known == kind ? work->operations : work->dropped, count);
} catch (...) {
  dropped_.fetch_add(1, std::memory_order_relaxed);
}

// --- mismatches -------------------------------------------------------------------------------

void Recorder::RecordMismatch(const ThreadRecord* record, uint32_t name, const char* file,
                              uint32_t line, bool closed) noexcept try {
  Mismatch mismatch;
  mismatch.ended = names_.Text(name);
  mismatch.ended_where = Where(file, line);
  mismatch.closed = closed;
  if (record->depth() > 0) {
    const PathNode node = paths_.Get(record->top->path);
    mismatch.open = names_.Text(node.name);
    mismatch.open_where = Where(node.file.empty() ? nullptr : node.file.c_str(), node.line);
  }
  mismatches_.Add(std::move(mismatch));
} catch (...) {
}

}  // namespace roofmark::markers
