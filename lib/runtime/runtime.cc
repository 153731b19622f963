// SPDX-License-Identifier: BSD-3-Clause
#include "lib/runtime/runtime.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "collectors/counting/reexec.h"
#include "lib/core/clock.h"
#include "lib/core/file.h"
#include "lib/core/launcher.h"
#include "lib/core/log.h"
#include "lib/core/settings.h"
#include "lib/profile/roofline_json.h"
#include "lib/runtime/collectors.h"
#include "lib/runtime/fold.h"
#include "lib/runtime/output.h"
#include "markers/recorder.h"

extern char** environ;

namespace roofmark::runtime {
namespace {

using markers::Recorder;

// Everything the process knows of itself. Leaked on purpose: used by the last destructor.
struct Process {
  std::mutex mutex;
  bool decided = false;
  bool taken = false;
  bool written = false;
  pid_t pid = 0;
  Settings settings;
  Launcher launcher;
  Choice choice;
  std::optional<Job> job;
  std::string start_time;
  uint64_t start_ns = 0;
};

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

// True if recording begins; false if the process is to be left alone.
bool StartLocked(Process& self) {
  ParsedSettings parsed = ParseSettings(environ);
  self.settings = std::move(parsed.settings);
  if (!self.settings.on || IsLauncherOrShell()) return false;
  self.launcher = ReadLauncher();
  ChooseSpeaker(self);
  if (self.settings.collector == "counting") {
    const ReExecOutcome outcome = ReExecuteUnderEngine(self.settings, LibraryPath());
    if (outcome.result == ReExec::kFailed) {
      Complain(fmt::format("ROOFMARK_COLLECTOR=counting: {}", outcome.reason));
    }
  }
  for (const std::string& problem : parsed.problems) Complain(problem);
  if (self.settings.strict && !parsed.problems.empty()) {
    Complain("ROOFMARK_STRICT=1: the program ends here");
    _exit(2);
  }
  self.choice = ChooseCollectors(self.settings);
  if (!self.choice.error.empty() && ComplaintsAsLines().empty()) {
    Complain(fmt::format("ROOFMARK_COLLECTOR={}: {}", self.settings.collector, self.choice.error));
  }
  Note(self.choice.line);
  self.pid = getpid();
  self.start_time = UtcNow();
  self.start_ns = NowNs();
  Recorder::Get().Start(self.settings.visits, self.choice.counter.get());
  return true;
}

void Start() noexcept {
  Process& self = Self();
  const std::lock_guard lock(self.mutex);
  if (self.decided) return;
  self.decided = true;
  bool records = false;
  try {
    records = StartLocked(self);
  } catch (...) {
    Complain("start-up failed for lack of memory; nothing is recorded");
  }
  if (!records) Recorder::Get().Decline();
}

// --- the profile --------------------------------------------------------------------------------

class WorkerSums final : public HarvestSink {
 public:
  WorkerSums(FoldInput& input) : input_(input) {}
  void Add(uint32_t worker, uint32_t path, MetricId id, uint64_t value) override {
    if (path >= input_.nodes.size()) return;
    auto& rows = input_.workers[worker];
    if (rows.empty()) rows.resize(input_.nodes.size());
    rows[path][id] += value;
  }

 private:
  FoldInput& input_;
};

FoldInput Gather(Process& self) {
  Recorder& recorder = Recorder::Get();
  FoldInput input;
  input.nodes = recorder.paths().Snapshot();
  for (const markers::PathNode& node : input.nodes) {
    input.names.push_back(recorder.names().Text(node.name));
  }
  recorder.ForEachLane([&](const markers::ThreadState& lane) {
    std::vector<LaneRecord> records(input.nodes.size());
    for (uint32_t p = 1; p < input.nodes.size(); ++p) {
      if (const markers::Slot* slot = lane.FindSlot(p)) {
        const markers::Totals totals = slot->Current();
        records[p].visits = totals.visits;
        records[p].measured = totals.measured;
        records[p].ticks = totals.ticks;
      }
      if (const markers::DeclaredWork* work = lane.FindWork(p)) {
        records[p].declared_flops = work->flops.load(std::memory_order_relaxed);
        records[p].declared_bytes = work->bytes.load(std::memory_order_relaxed);
      }
    }
    input.lanes.push_back(std::move(records));
  });
  if (self.choice.counter != nullptr) {
    WorkerSums sums(input);
    self.choice.counter->Harvest(sums);
  }
  input.ns_per_tick = NsPerTick(recorder.started());
  input.rank = self.job ? self.job->rank : self.launcher.rank.value_or(0);
  return input;
}

std::string Describe(const markers::Mismatch& mismatch) {
  const std::string open =
      mismatch.open.empty()
          ? std::string("no region was open")
          : fmt::format("region \"{}\", begun at {}, was open", mismatch.open, mismatch.open_where);
  return fmt::format("end of region \"{}\" at {} does not match: {} ({}; {} time{})",
                     mismatch.ended, mismatch.ended_where, open,
                     mismatch.closed ? "the regions above it were closed" : "it was ignored",
                     mismatch.times, mismatch.times == 1 ? "" : "s");
}

std::vector<std::string> Warnings(const std::vector<std::string>& still_open) {
  Recorder& recorder = Recorder::Get();
  std::vector<std::string> warnings;
  const std::string complaints = ComplaintsAsLines();
  for (size_t at = 0; at < complaints.size();) {
    const size_t end = complaints.find('\n', at);
    warnings.push_back(complaints.substr(at, end - at));
    at = end + 1;
  }
  for (const markers::Mismatch& mismatch : recorder.Mismatches()) {
    warnings.push_back(Describe(mismatch));
  }
  for (const std::string& name : still_open) {
    warnings.push_back(
        fmt::format("region \"{}\" was still open when the profile was taken; it was "
                    "closed there",
                    name));
  }
  if (recorder.dropped() > 0) {
    warnings.push_back(
        fmt::format("{} visits were not recorded: too many regions, too deep a "
                    "nesting, or no memory",
                    recorder.dropped()));
  }
  return warnings;
}

RunInfo DescribeRun(const Process& self, const FoldInput& input) {
  RunInfo run;
  run.roofmark_version = ROOFMARK_VERSION_TEXT;
  run.job_id = self.launcher.job_id;
  run.ranks = self.job ? self.job->ranks : self.launcher.ranks.value_or(1);
  run.first_rank = input.rank;
  run.mpi = self.job ? self.job->mpi : "";
  run.hosts = {ThisHost()};
  PassInfo pass;
  pass.collector = self.choice.name;
  pass.command = ThisCommand();
  pass.start_time = self.start_time;
  pass.wall_s = static_cast<double>(NowNs() - self.start_ns) * 1e-9;
  pass.settings = self.settings.given;
  pass.facts = DispatchFacts();
  if (self.choice.counter != nullptr) {
    pass.times_are_real = self.choice.counter->TimesAreReal();
    pass.facts.merge(self.choice.counter->Facts());
  }
  run.passes = {std::move(pass)};
  return run;
}

JobProfile BuildProfile(Process& self) {
  Recorder& recorder = Recorder::Get();
  const std::vector<std::string> still_open = recorder.Stop();
  const FoldInput input = Gather(self);
  JobProfile profile;
  profile.run = DescribeRun(self, input);
  profile.run.warnings = Warnings(still_open);
  profile.sources = self.choice.sources;
  Fold(input, profile);
  for (size_t p = 0; p < profile.paths.size(); ++p) {
    profile.run.threads_max = std::max<uint32_t>(
        profile.run.threads_max, static_cast<uint32_t>(profile.At(p, metric::kWorkers).max));
  }
  return profile;
}

std::string OutputName(const Process& self, uint32_t rank) {
  const std::string pattern =
      self.settings.output.empty() ? std::string("roofmark-%j.json") : self.settings.output;
  return ExpandName(pattern, rank, self.launcher.job_id);
}

// Nothing measured is lost: a place that cannot be written is replaced by the temporary directory.
void WriteSomewhere(const std::string& name, const JobProfile& profile) {
  const std::string text = RooflineToJson({profile, ""});
  Result<std::string> written = WriteFile(name, text, IfExists::kRename);
  if (!written) {
    Complain(
        fmt::format("{}; set ROOFMARK_OUTPUT to a place that can be written", written.error()));
    const size_t slash = name.rfind('/');
    const std::string base = slash == std::string::npos ? name : name.substr(slash + 1);
    written = WriteFile("/tmp/" + base, text, IfExists::kRename);
    if (!written) {
      Complain(fmt::format("{}; the profile is lost", written.error()));
      return;
    }
  } else if (*written != name) {
    Note(fmt::format("{} exists already and was kept", name));
  }
  Note(fmt::format("wrote {}", *written));
}

}  // namespace

bool Active() noexcept {
  Recorder& recorder = Recorder::Get();
  if (!recorder.recording()) Start();
  return recorder.recording();
}

void SetJob(const Job& job) noexcept {
  Process& self = Self();
  const std::lock_guard lock(self.mutex);
  self.job = job;
  SetSpeaker(job.rank == 0, self.settings.quiet);
}

bool MergeAlways() noexcept { return Self().settings.merge == "always"; }

namespace {
thread_local uint64_t t_own_since = 0;
}  // namespace

void StartOwnTime() noexcept { t_own_since = Ticks(); }

void StopOwnTime() noexcept {
  if (t_own_since != 0) Recorder::Get().ShiftOpenRegions(Ticks() - t_own_since);
  t_own_since = 0;
}

std::optional<JobProfile> TakeProfile() noexcept {
  Process& self = Self();
  const std::lock_guard lock(self.mutex);
  if (!self.decided || self.taken || self.pid != getpid() || !Recorder::Get().recording()) {
    return std::nullopt;
  }
  self.taken = true;
  try {
    return BuildProfile(self);
  } catch (...) {
    Complain("the profile could not be built for lack of memory");
    return std::nullopt;
  }
}

void WriteRoofline(const JobProfile& job) noexcept try {
  Process& self = Self();
  if (job.paths.empty()) {
    Complain(
        "the program ran, but no region was entered: put ROOF_REGION_BEGIN/END around its "
        "loop nests");
  }
  WriteSomewhere(OutputName(self, job.run.first_rank), job);
} catch (...) {
}

void WritePart(const JobProfile& process, const std::string& reason) noexcept try {
  Process& self = Self();
  Complain(
      fmt::format("{}; every process writes its part: join them with `roofmark merge`", reason));
  const uint32_t rank = process.run.first_rank;
  WriteSomewhere(PartName(OutputName(self, rank), rank), process);
} catch (...) {
}

namespace {

bool AnySetting() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    if (std::string_view(*entry).substr(0, 8) == "ROOFMARK") return true;
  }
  return false;
}

// Off means off: without a ROOFMARK variable nothing is allocated, opened or registered.
__attribute__((constructor)) void OnLoad() {
  Recorder::SetStarter(&Start);
  if (AnySetting()) Start();
}

// For processes without MPI, or whose MPI_Finalize never came.
__attribute__((destructor)) void OnExit() {
  if (!AnySetting() && !Self().decided) return;
  const std::optional<JobProfile> profile = TakeProfile();
  if (!profile) return;
  if (profile->run.ranks > 1) {
    WritePart(*profile, Self().job ? "MPI_Finalize was not called"
                                   : "MPI_Init was not seen (put -lroofmark before -lmpi on the "
                                     "link line)");
  } else {
    WriteRoofline(*profile);
  }
}

}  // namespace

}  // namespace roofmark::runtime
