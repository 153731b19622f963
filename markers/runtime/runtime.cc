// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/runtime.h"

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <new>
#include <utility>

#include "collectors/counting/counting.h"
#include "collectors/hardware/threads/main_end.h"
#include "collectors/hardware/threads/thread_hook.h"
#include "lib/core/clock.h"
#include "lib/core/collector_names.h"
#include "lib/core/file.h"
#include "lib/core/inside.h"
#include "lib/core/launcher.h"
#include "lib/core/log.h"
#include "lib/core/messages/mpi.h"
#include "lib/core/messages/recording.h"
#include "lib/core/own_stack.h"
#include "lib/core/privilege.h"
#include "lib/core/region_choice.h"
#include "lib/core/settings.h"
#include "markers/adapted.h"
#include "markers/missed.h"
#include "markers/recorder.h"
#include "markers/runtime/collectors.h"
#include "markers/runtime/exit_room.h"
#include "markers/runtime/late_regions.h"
#include "markers/runtime/output.h"
#include "markers/runtime/process.h"
#include "markers/runtime/restriction.h"
#include "markers/runtime/samples_output.h"
#include "markers/runtime/warnings.h"

extern char** environ;

namespace roofmark::runtime {
namespace {

using markers::Recorder;

// Leaked on purpose: used by the last destructor. A forked process has one of its own.
Process*& SelfPointer() {
  static Process* process = new Process;
  return process;
}

}  // namespace

Process& Self() { return *SelfPointer(); }

namespace {

std::string LibraryPath() {
  Dl_info info;
  static const char anchor = 0;
  if (dladdr(&anchor, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

// One process of a job speaks. Before MPI is up the launcher's environment is all there is.
void ChooseSpeaker(const Process& self) {
  SetSpeaker(self.launcher.rank.value_or(0) == 0, self.settings.quiet);
}

// Of sampled visits they would have to be scaled by path, but what is kept of a path has the
// regions inside it included.
void KeepCounts(Process& self) {
  counts::CountStore* store = self.spooling.count_store();
  const bool all = self.settings.visits.AreAll();
  if (self.choice.counter != nullptr && store != nullptr && all)
    self.choice.counter->KeepIn(*store);
}

RegionChoice Regions(const Process& self) {
  if (self.settings.regions.empty()) return {};
  Result<RegionChoice> choice = RegionChoice::Parse(self.settings.regions);
  return choice ? std::move(*choice) : RegionChoice();  // the settings have complained
}

// With the settings and the launcher of the process.
void Record(Process& self, std::string why_not) {
  FollowThreads(
      {&threads::ThreadsOnTheWay, [](int thread) { return threads::IsUncounted(thread) ? 1 : 0; }});
  self.choice = ChooseCollectors(self.settings);
  if (RunsUnderEngine(self.settings.collector) && EngineIsInProcess()) {
    static constexpr threads::ThreadEvents kTold = {&ThreadBegan, &ThreadEnded};
    SetThreadEvents(threads::ThreadListener::kEngine, &kTold);
  }
  if (why_not.empty()) why_not = self.choice.error;
  if (!why_not.empty()) Complain(message::kCollectorRefused, self.settings.collector, why_not);
  const bool turns = self.settings.visits.kind == VisitPolicy::Kind::kInTurns;
  if (turns && (self.choice.counter == nullptr || !self.choice.counter->TakesTurns())) {
    Complain(message::kTurnsNeedNativeEngine);
  }
  Note(self.choice.line);
  self.pid = getpid();
  self.start_time = UtcNow();
  self.start_ns = NowNs();
  self.kernel_at_start = ReadKernelCounts(KernelCountsOf::kProcess);
  self.run_queue_at_start = ReadRunQueueWaits();
  self.output_place.Keep(OutputPattern(self));
  self.spooling.Open(self.settings, self.launcher);
  self.spooling.Describe(DescribeProcess(self));
  KeepCounts(self);
  markers::WantAdapters(self.settings.adapters);
  Recorder::Get().Start(self.settings.visits, Regions(self), self.choice.counter.get(),
                        self.spooling.writer());
  StartSampling(self);
  const uint32_t rank = self.launcher.rank.value_or(0);
  self.spooling.StartSnapshots(self.settings.snapshot_s, self.output_place,
                               SnapshotName(OutputName(self, rank), rank));
}

void StartInChild() noexcept;

// True if recording begins; false if the process is to be left alone.
bool StartLocked(Process& self) {
  ParsedSettings parsed = ParseSettings(environ);
  self.settings = std::move(parsed.settings);
  if (!self.settings.on || IsLauncherOrShell()) return false;
  self.launcher = ReadLauncher();
  OpenLog();
  ChooseSpeaker(self);
  std::string why_not;  // the collector that was asked for does not count
  if (RunsUnderEngine(self.settings.collector)) {
    why_not = StartEngine(self.settings, LibraryPath());
  }
  for (const std::string& problem : parsed.problems) PassOn(problem);
  if (self.settings.strict && !parsed.problems.empty()) {
    Complain(message::kStrictEnd);
    _exit(2);
  }
  if (self.settings.children) Recorder::RecordChildren(&StartInChild);
  Record(self, why_not);
  return true;
}

// An engine in the process counts the main thread from where it is told a path.
void BeginOutside(Collector* counter) noexcept {
  if (counter != nullptr && counter->CountsOutside()) counter->EnterTeam(0);
}

template <typename Body>  // true: the process records
void StartBy(Body start) noexcept {
  Process& self = Self();
  const std::lock_guard lock(self.mutex);
  bool records = false;
  const uint64_t since_ns = NowNs();
  try {
    records = start(self);
  } catch (...) {
    Complain(message::kStartFailed);
  }
  if (!records) Recorder::Decline();
  self.startup_ns += NowNs() - since_ns;
  if (records) BeginOutside(self.choice.counter.get());
}

void Start() noexcept { StartBy(&StartLocked); }

// What the parent has is left as it is: its locks may be held for ever. The child is no process of
// the parent's MPI job, and executed code and samples are the parent's alone.
bool StartForked(Process& self, const Process& parent) {
  self.settings = parent.settings;
  self.settings.executed = false;
  self.settings.samples = {};
  self.settings.places.clear();
  self.settings.detail = "off";
  self.launcher.job_id = parent.launcher.job_id;
  self.forked_from = parent.pid;
  Record(self, {});
  markers::Missed::NoteRecordedChild();
  // The parent may have been between roofmark_pause and roofmark_resume.
  if (self.choice.counter != nullptr) self.choice.counter->SetCounting(Extent::kAll);
  return true;
}

// Variables of a caller who has fewer rights than the program are not even looked at.
bool AnySetting() {
  if (HasMoreRightsThanItsCaller()) return false;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (std::string_view(*entry).substr(0, 8) == "ROOFMARK") return true;
  }
  return false;
}

// Signals come in: the counting engine executes the program anew.
template <typename Body>
bool WithEnoughStack(Body body) noexcept {
  if (OwnStack::ThreadHas(ExitRoom::kStack)) {
    body();
    return true;
  }
  OwnStack stack(ExitRoom::kStack, OwnStack::Signals::kCome);
  if (stack.Exists()) stack.CallHere(body);
  return stack.Exists();
}

ExitRoom* g_exit_room = nullptr;  // where recording began

template <typename Body>
bool WithRoomAtExit(Body body) noexcept {
  if (g_exit_room != nullptr) g_exit_room->Open();
  if (g_exit_room == nullptr || !g_exit_room->HasStack()) return WithEnoughStack(body);
  g_exit_room->stack().CallHere(body);
  return true;
}

void StartInChild() noexcept {
  const Process& parent = Self();
  auto* own = new (std::nothrow) Process;
  const auto start = [&parent] {
    StartBy([&parent](Process& self) { return StartForked(self, parent); });
  };
  if (own == nullptr) return Recorder::Decline();
  SelfPointer() = own;
  if (!WithEnoughStack(start)) Recorder::Decline();
}

// Off means off: without a ROOFMARK variable nothing is allocated, opened or registered. It is
// decided here once and for all, so that no marker needs the stack and the time to do it.
__attribute__((constructor)) void OnLoad() {
  if (!AnySetting()) return Recorder::Decline();
  const Inside inside;
  if (!WithEnoughStack(&Start)) Recorder::Decline();
  if (!Recorder::recording()) return;
  threads::EndWithTheProgram();
  g_exit_room = new (std::nothrow) ExitRoom;
}

// `why_part`: why the ranks of a job are not merged, where that is known.
void WriteFiles(const std::string& why_part) noexcept try {
  const std::optional<JobProfile> profile = TakeProfile(EndOf::kProcess);
  if (!profile) return;
  bool written;
  if (profile->run.ranks > 1) {
    written = WritePart(*profile, !why_part.empty() ? why_part
                                  : Self().job      ? InWords(message::kFinalizeNotCalled)
                                                    : InWords(message::kInitNotSeen));
  } else {
    SayThereIsNoDetail();
    written = WriteRoofline(*profile);
  }
  written ? DiscardSpool() : KeepSpool(*profile);
} catch (...) {
  Complain(message::kProfileLostForMemory);
}

void SayWhatCameLate() noexcept {
  Process& self = Self();
  if (!self.ended_in_finalize || self.pid != getpid()) return;
  const Inside inside;
  const auto tell = [&self]() noexcept {
    try {
      TellLate(self);
    } catch (...) {  // then without the sentence
    }
  };
  if (inside) WithRoomAtExit(tell);
}

void WriteOutside() noexcept {
  const Inside inside;
  if (inside) return EndEarly({});
  ComplainInHandler(message::kHandlerEndedProgram);
}

// For processes without MPI, or whose MPI_Finalize never came. A signal handler that called exit()
// may have interrupted roofmark, so that waiting for its locks would never end.
__attribute__((destructor)) void OnExit() {
  if (IsRestricted()) return;
  if (!Recorder::recording()) return SayWhatCameLate();
  WriteOutside();
}

}  // namespace

bool IsRecordedFork() noexcept {
  if (!Recorder::recording()) return false;
  const Process& self = Self();
  return IsForked(self) && self.pid == getpid();
}

void ForkEnds() noexcept { WriteOutside(); }

void EndEarly(const std::string& why) noexcept {
  if (!WithRoomAtExit([&why] { WriteFiles(why); })) Complain(message::kNoMemoryAtExit);
}

}  // namespace roofmark::runtime
