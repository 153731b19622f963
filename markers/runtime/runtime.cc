// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/runtime.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>

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
#include "lib/core/shell_word.h"
#include "lib/found/found_json.h"
#include "lib/profile/roofline_json.h"
#include "markers/adapted.h"
#include "markers/declare.h"
#include "markers/missed.h"
#include "markers/recorder.h"
#include "markers/runtime/collectors.h"
#include "markers/runtime/exit_room.h"
#include "markers/runtime/output.h"
#include "markers/runtime/process.h"
#include "markers/runtime/samples_output.h"
#include "markers/runtime/warnings.h"

extern char** environ;

namespace roofmark::runtime {
namespace {

using markers::Recorder;

// Leaked on purpose: used by the last destructor.
Process& Self() {
  static auto& process = *new Process;
  return process;
}

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
  return true;
}

// An engine in the process counts the main thread from where it is told a path.
void BeginOutside(Collector* counter) noexcept {
  if (counter != nullptr && counter->CountsOutside()) counter->EnterTeam(0);
}

void Start() noexcept {
  Process& self = Self();
  const std::lock_guard lock(self.mutex);
  bool records = false;
  const uint64_t since_ns = NowNs();
  try {
    records = StartLocked(self);
  } catch (...) {
    Complain(message::kStartFailed);
  }
  if (!records) Recorder::Decline();
  self.startup_ns += NowNs() - since_ns;
  if (records) BeginOutside(self.choice.counter.get());
}

// Which code was executed, where that is wanted.
void WriteExecuted(Process& self, uint32_t rank) {
  if (self.choice.counter == nullptr) return;
  std::optional<Executed> executed = self.choice.counter->TakeExecuted();
  if (!executed) return;
  executed->command = CommandLine();
  WriteSomewhere(self.output_place, ExecutedName(OutputName(self, rank), rank),
                 ExecutedToJson(*executed));
}

bool WriteProfile(const std::string& name, const JobProfile& profile) {
  return !WriteSomewhere(Self().output_place, name, RooflineToJson({profile, {}})).empty();
}

}  // namespace

bool Active() noexcept { return Recorder::recording(); }

void SetJob(const Job& job) noexcept {
  Process& self = Self();
  const std::lock_guard lock(self.mutex);
  self.job = job;
  SetSpeaker(job.rank == 0, self.settings.quiet);
  try {
    self.spooling.Describe(DescribeProcess(self));
    if (IsOfOtherMpi(self) && self.launcher.rank == 0u) {
      Complain(message::kOtherMpi, self.launcher.name, *self.launcher.ranks, job.mpi);
    }
  } catch (...) {
  }
}

Merge WhenToMerge() noexcept {
  const std::string& merge = Self().settings.merge;
  return merge == "always" ? Merge::kAlways : merge == "never" ? Merge::kNever : Merge::kAuto;
}

bool StartOwnThread(pthread_t* thread, void* (*body)(void*), void* argument) noexcept {
  return threads::CreateUncounted(thread, body, argument);
}

namespace {
thread_local ClockPair t_own_since;
}  // namespace

void StartOwnTime() noexcept {
  t_own_since = {Ticks(), NowNs()};
  Recorder::Get().SetAside();
}

void StopOwnTime(OwnTimeOf what) noexcept {
  if (t_own_since.ticks == 0) return;
  if (what == OwnTimeOf::kStartup) Self().startup_ns += NowNs() - t_own_since.ns;
  Recorder::Get().TakeBack(TicksBetween(t_own_since.ticks, Ticks()));
  t_own_since = {};
}

uint64_t UsersTicks() noexcept { return t_own_since.ticks != 0 ? t_own_since.ticks : Ticks(); }

void AddMpiTime(uint64_t ticks) noexcept {
  if (Recorder::TimesMpi()) markers::AddMpiTime(ticks);
}

uint64_t FinalizeNs() noexcept {
  const uint64_t since_ns = Self().finalize_since_ns;
  return since_ns == 0 ? 0 : NowNs() - since_ns;
}

std::optional<JobProfile> TakeProfile() noexcept {
  Process& self = Self();
  const std::lock_guard lock(self.mutex);
  if (self.taken || self.pid != getpid() || !Recorder::recording()) {
    return std::nullopt;
  }
  self.taken = true;
  self.finalize_since_ns = NowNs();
  self.spooling.StopSnapshots();
  try {
    WriteSamples(self);
    JobProfile profile = BuildProfile(self, Until::kEnd);
    WriteExecuted(self, profile.run.first_rank);
    return profile;
  } catch (...) {
    Complain(message::kProfileNotBuilt);
    return std::nullopt;
  }
}

std::optional<JobProfile> ProfileSoFar() noexcept {
  Process& self = Self();
  const std::lock_guard lock(self.mutex);
  if (self.taken || self.pid != getpid() || !Recorder::recording()) {
    return std::nullopt;
  }
  try {
    return BuildProfile(self, Until::kNow);
  } catch (...) {
    Complain(message::kIntermediateNotBuilt);
    return std::nullopt;
  }
}

bool WriteIntermediate(const JobProfile& job, const std::string& infix) noexcept try {
  return WriteProfile(BeforeExtension(OutputName(Self(), job.run.first_rank), infix), job);
} catch (...) {
  return false;
}

Detail WantedDetail() noexcept {
  const std::string& detail = Self().settings.detail;
  if (detail == "threads") return Detail::kThreads;
  return detail == "ranks" ? Detail::kRanks : Detail::kOff;
}

namespace {

// It is written while ranks are merged, or never.
void SayThereIsNoDetail() {
  if (WantedDetail() == Detail::kOff) return;
  Complain(message::kNoDetailWithoutMerge);
}

}  // namespace

std::string DetailName(uint32_t rank) {
  const Process& self = Self();
  return self.output_place.NameFor(DetailName(OutputName(self, rank), self.settings.detail));
}

size_t ThreadCount() noexcept { return Self().threads == nullptr ? 0 : Self().threads->size(); }
ThreadLabel LabelOf(size_t row) { return Self().threads->label(row); }
JobProfile ProfileOfThread(size_t row) { return Self().threads->Fold(row); }

bool WriteRoofline(const JobProfile& job) noexcept try {
  Process& self = Self();
  // Who looks for loops, or counts the program as a whole, needs no markers.
  const Collector* counter = self.choice.counter.get();
  const bool whole = self.settings.outside && counter != nullptr && counter->CountsOutside();
  const bool looks = self.sampler != nullptr || self.settings.executed || whole;
  if (job.paths.empty() && !looks) {
    const std::string unchosen = WhyNothingIsChosen(self);
    const std::string why = unchosen.empty() ? RegionsInChildren() : unchosen;
    PassOn(why.empty() ? InWords(message::kNoRegionEntered) : why);
  }
  return WriteProfile(OutputName(self, job.run.first_rank), job);
} catch (...) {
  return false;
}

bool WritePart(const JobProfile& process, const std::string& reason,
               const std::string& infix) noexcept try {
  Process& self = Self();
  // `roofmark run` is quiet, and joins the parts itself.
  self.settings.quiet ? Complain(message::kParts, reason) : Complain(message::kPartsToJoin, reason);
  if (infix.empty()) SayThereIsNoDetail();
  const uint32_t rank = process.run.first_rank;
  return WriteProfile(PartName(BeforeExtension(OutputName(self, rank), infix), rank), process);
} catch (...) {
  return false;
}

void DiscardSpool() noexcept { Self().spooling.Discard(); }

void KeepSpool(const JobProfile& process) noexcept try {
  const std::string directory = Self().spooling.Keep(process);
  directory.empty() ? Complain(message::kProfileLost)
                    : Complain(message::kProfileKept, directory, ShellWord(directory));
} catch (...) {
}

namespace {

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

void WriteAtExit() noexcept try {
  const std::optional<JobProfile> profile = TakeProfile();
  if (!profile) return;
  bool written;
  if (profile->run.ranks > 1) {
    written = WritePart(*profile, Self().job ? InWords(message::kFinalizeNotCalled)
                                             : InWords(message::kInitNotSeen));
  } else {
    SayThereIsNoDetail();
    written = WriteRoofline(*profile);
  }
  written ? DiscardSpool() : KeepSpool(*profile);
} catch (...) {
  Complain(message::kProfileLostForMemory);
}

// The file has been written, and nothing can be added to it.
void SayWhatCameLate() noexcept try {
  const std::optional<std::string> region = markers::Missed::Late();
  if (region && Self().job && Self().pid == getpid()) Complain(message::kRegionsAfterEnd, *region);
} catch (...) {  // then without the sentence
}

// For processes without MPI, or whose MPI_Finalize never came. A signal handler that called exit()
// may have interrupted roofmark, so that waiting for its locks would never end.
__attribute__((destructor)) void OnExit() {
  if (!Recorder::recording()) return SayWhatCameLate();
  const Inside inside;
  if (inside) {
    if (!WithRoomAtExit(&WriteAtExit)) Complain(message::kNoMemoryAtExit);
    return;
  }
  ComplainInHandler(message::kHandlerEndedProgram);
}

}  // namespace

}  // namespace roofmark::runtime
