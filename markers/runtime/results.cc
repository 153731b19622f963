// SPDX-License-Identifier: BSD-3-Clause
//
// What the process tells whoever merges ranks, and what becomes of its profile.
#include <algorithm>
#include <functional>
#include <mutex>

#include "collectors/hardware/threads/thread_hook.h"
#include "lib/core/clock.h"
#include "lib/core/collector_names.h"
#include "lib/core/file.h"
#include "lib/core/log.h"
#include "lib/core/messages/mpi.h"
#include "lib/core/messages/recording.h"
#include "lib/core/shell_word.h"
#include "lib/found/found_json.h"
#include "lib/profile/roofline_json.h"
#include "markers/declare.h"
#include "markers/missed.h"
#include "markers/recorder.h"
#include "markers/runtime/output.h"
#include "markers/runtime/process.h"
#include "markers/runtime/runtime.h"
#include "markers/runtime/samples_output.h"
#include "markers/runtime/warnings.h"

namespace roofmark::runtime {

namespace {

using markers::Recorder;

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

// The same of the file that has everything.
bool WriteLast(const std::string& name, const JobProfile& profile) {
  Process& self = Self();
  const std::string text = RooflineToJson({profile, {}});
  self.last_file = {WriteSomewhere(self.output_place, name, text), std::hash<std::string>()(text)};
  return !self.last_file.name.empty();
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

std::optional<JobProfile> TakeProfile(EndOf end) noexcept {
  Process& self = Self();
  const std::lock_guard lock(self.mutex);
  if (self.taken || self.pid != getpid() || !Recorder::recording()) {
    return std::nullopt;
  }
  self.taken = true;
  self.ended_in_finalize = end == EndOf::kMpi;
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

void SayThereIsNoDetail() {
  if (WantedDetail() == Detail::kOff) return;
  Complain(message::kNoDetailWithoutMerge);
}

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
  if (job.paths.empty() && !looks && !markers::Missed::ChildrenWereRecorded()) {
    const std::string unchosen = WhyNothingIsChosen(self);
    const std::string why = unchosen.empty() ? RegionsInChildren() : unchosen;
    PassOn(why.empty() ? InWords(message::kNoRegionEntered) : why);
  }
  return WriteLast(OutputName(self, job.run.first_rank), job);
} catch (...) {
  return false;
}

bool WritePart(const JobProfile& process, const std::string& reason,
               const std::string& infix) noexcept try {
  Process& self = Self();
  // `roofmark run` joins the parts itself.
  self.settings.of_run ? Complain(message::kParts, reason)
                       : Complain(message::kPartsToJoin, reason);
  const uint32_t rank = process.run.first_rank;
  const std::string name = PartName(BeforeExtension(OutputName(self, rank), infix), rank);
  if (!infix.empty()) return WriteProfile(name, process);
  SayThereIsNoDetail();
  return WriteLast(name, process);
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

}  // namespace roofmark::runtime
