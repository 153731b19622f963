// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark run: executes the command once for time and once for work, joins both, reports.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "command/commands.h"
#include "command/compilation.h"
#include "command/files.h"
#include "command/installation.h"
#include "command/machine_first.h"
#include "command/output.h"
#include "command/passes.h"
#include "command/report_command.h"
#include "command/reservation.h"
#include "lib/core/collector_names.h"
#include "lib/core/limits.h"
#include "lib/model/latencies.h"
#include "lib/model/machine_files.h"
#include "lib/profile/join.h"
#include "lib/profile/repeats.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> command;
  std::string output, collector = "auto", count, cache, visits, work_directory;
  std::vector<std::string> machines;
  uint32_t sample = 0, repeat = 1;
  bool force = false, no_report = false, preload = false, quiet_work = false;
  bool no_mpi_wait = false, no_openmp_wait = false, ignore_status = false, no_machine = false;
};

bool IsProgram(const std::string& word) {
  struct stat info;
  return word.find('/') != std::string::npos && stat(word.c_str(), &info) == 0 &&
         S_ISREG(info.st_mode) && access(word.c_str(), X_OK) == 0;
}

// "app.roofline.json", after the program that a launcher starts where that can be told.
std::string DefaultOutput(const std::vector<std::string>& command) {
  auto program = std::find_if(command.begin() + 1, command.end(), IsProgram);
  const std::string& word = program == command.end() ? command[0] : *program;
  return fs::path(word).filename().string() + ".roofline.json";
}

Child TimeChild(const Options& options) {
  Child child;
  child.command = options.command;
  // Every visit is timed, whatever is sampled for work.
  if (!options.visits.empty()) child.environment["ROOFMARK_VISITS"] = std::nullopt;
  return child;
}

// What the work pass holds dependences against: as the report finds its machine. Who set the
// variable knows better, and a job on other nodes has other latencies.
void GiveLatencies(const Options& options, Child& work_child) {
  if (std::getenv("ROOFMARK_LATENCIES") != nullptr || options.no_machine) return;
  const auto variable = [](const char* name) { return std::getenv(name); };
  if (options.machines.empty() && !MayRunElsewhere(options.command, variable).empty()) return;
  std::vector<Machine> machines = ReadMachines(options.machines).value_or(std::vector<Machine>());
  if (options.machines.empty()) {
    if (Result<KeptMachine> kept = LoadMachineFile()) machines = {std::move(kept->machine)};
  }
  const std::string latencies = LatenciesOf(machines);
  if (!latencies.empty()) work_child.environment["ROOFMARK_LATENCIES"] = latencies;
}

Child WorkChild(const Options& options) {
  Child child;
  child.command = options.command;
  child.directory = options.work_directory;
  child.discard_output = options.quiet_work;
  if (!options.count.empty()) child.environment["ROOFMARK_COUNT"] = options.count;
  if (!options.cache.empty()) child.environment["ROOFMARK_CACHE"] = options.cache;
  if (!options.visits.empty()) child.environment["ROOFMARK_VISITS"] = options.visits;
  if (options.sample > 0) child.environment["ROOFMARK_SAMPLE"] = std::to_string(options.sample);
  return child;
}

void Preload(Child& child, const std::string& library) {
  std::optional<std::string>& list = child.environment["LD_PRELOAD"];
  const char* inherited = std::getenv("LD_PRELOAD");
  if (!list && inherited != nullptr) list = inherited;
  list = !list || list->empty() ? library : library + ":" + *list;
}

// A program with GCC's AddressSanitizer refuses to start behind a library that is preloaded.
void AdmitPreloaded(Child& child) {
  const char* inherited = std::getenv("ASAN_OPTIONS");
  const std::string given = inherited == nullptr ? "" : inherited;
  child.environment["ASAN_OPTIONS"] =
      given + (given.empty() ? "" : ":") + "verify_asan_link_order=0";
}

// The libraries that the command asks for are put before the program's own. False if one is
// missing that was asked for by name.
bool PreloadAll(const Options& options, Child& time_child, Child& work_child) {
  if (options.preload) {
    const std::string library = LibraryPath();
    if (library.empty()) {
      Say("libroofmark.so is not beside this command; install both into one prefix");
      return false;
    }
    Preload(time_child, library);
    Preload(work_child, library);
  }
  // Built without MPI there is none, and the file says that time inside MPI was not measured.
  const std::string mpi_wait = options.no_mpi_wait ? "" : LibraryBeside("mpi_wait");
  if (!mpi_wait.empty()) Preload(time_child, mpi_wait);
  const std::string openmp_wait = options.no_openmp_wait ? "" : LibraryBeside("openmp_wait");
  if (!openmp_wait.empty()) Preload(time_child, openmp_wait);
  if (!mpi_wait.empty() || !openmp_wait.empty()) AdmitPreloaded(time_child);
  return true;
}

// How a pass that did not end well ended, in one sentence.
std::string DescribeEnd(const Options& options, const std::string& collector,
                        const PassResult& result) {
  if (!result.end.error.empty()) return result.end.error;
  std::string text = options.command[0];
  text += result.end.interrupted ? " was interrupted"
                                 : fmt::format(" ended with status {}", result.end.status);
  if (result.file) text += "; the measurements until then are kept";
  const bool work_was_due = collector == "timer" && options.collector == "auto";
  if (result.file && work_was_due && !result.end.interrupted && !options.ignore_status) {
    text += ". No work pass follows (--ignore-status: it does)";
  }
  return text;
}

// One pass, with its notes shown. False if nothing more should be tried.
bool Execute(const std::string& what, const Options& options, const Child& child,
             const std::string& collector, const std::string& directory, PassResult& result) {
  Say(what);
  result = RunPass(child, collector, directory);
  for (const std::string& note : result.notes) Say(note);
  const ChildEnd& end = result.end;
  if (end.status != 0 || end.interrupted) Say(DescribeEnd(options, collector, result));
  if (!result.file || !end.error.empty() || end.interrupted) return false;
  return end.status == 0 || options.ignore_status;
}

// Why a file of the time pass alone has no counts: not because nobody asked for them.
std::string WhyNoWork(const Options& options, const PassResult& time, const PassResult& work,
                      bool work_tried) {
  const auto how = [](const ChildEnd& end) {
    return end.interrupted ? std::string("was interrupted")
                           : fmt::format("ended with status {}", end.status);
  };
  if (work_tried) return fmt::format("the work pass left no counts (it {})", how(work.end));
  if (options.collector == "timer") return {};
  return fmt::format("no work pass was made, because the time pass {}", how(time.end));
}

void ExplainMissingWork(JobProfile& job, const std::string& why) {
  if (why.empty()) return;
  for (MetricSource& source : job.sources) {
    if (!HasValue(source.status)) source.reason = why;
  }
}

std::optional<RooflineFile> JoinResults(const Options& options, PassResult& time, PassResult& work,
                                        bool work_tried) {
  if (time.file && work.file) {
    RooflineFile joined;
    joined.job = JoinPasses(time.file->job, work.file->job);
    return joined;
  }
  if (!time.file) return std::move(work.file);
  ExplainMissingWork(time.file->job, WhyNoWork(options, time, work, work_tried));
  return std::move(time.file);
}

// The status; `saved` if the file was written.
int Finish(const Options& options, Reservation& output, RooflineFile& file, int status,
           bool& saved) {
  FoundMachines found;
  if (!options.no_machine) found = FindMachines(options.machines, file, output.path());
  if (found.failed) status = status == 0 ? kFailure : status;
  if (!found.why_none.empty()) Say(found.why_none);
  file.machines = found.json;
  NoteCompilation("", file.job.run);
  const Result<std::string> written = output.Write(RooflineToJson(file));
  if (!written) {
    Say(written.error());
    return status == 0 ? kFailure : status;
  }
  saved = true;
  Say(fmt::format("wrote {}", *written));
  if (!options.no_report) {
    ReportStyle style;
    ShowReport({file}, {*written}, found.machines, style);
  }
  return status;
}

// A launcher that refuses to start the program ends with a status, and so does a program that fails
// before its first marker.
std::string WhyNothing(const Options& options, int status) {
  if (status != 0) {
    return fmt::format(
        "{} recorded nothing: it failed before its first marker, or it is not "
        "linked with -lroofmark (see --preload)",
        options.command[0]);
  }
  return fmt::format(
      "{} ran, but recorded nothing: is it linked with -lroofmark (or run with "
      "--preload), and does it reach a marker?",
      options.command[0]);
}

// The time passes, each in a directory of its own, as one result: with what ended well, and how the
// last one ended. False if nothing more should be tried.
bool TimePasses(const Options& options, const Child& child, const PassDirectory& directory,
                PassResult& result) {
  std::vector<JobProfile> measured;
  bool unread = false, go_on = true;
  for (uint32_t number = 1; go_on && number <= options.repeat; ++number) {
    const std::string what = options.repeat == 1
                                 ? "time pass"
                                 : fmt::format("time pass {} of {}", number, options.repeat);
    Result<std::string> place = number == 1 ? directory.path() : directory.Inside(number);
    if (!place) {
      Say(place.error());
      return false;
    }
    PassResult one;
    go_on = Execute(what, options, child, "timer", *place, one);
    unread = unread || one.unread;
    const bool kept = one.file && (go_on || measured.empty());
    if (kept) measured.push_back(one.file->job);
    if (kept || measured.empty()) {
      result = std::move(one);
    } else {
      result.end = one.end;
    }
  }
  result.unread = unread;
  if (result.file) result.file->job = JoinRepeats(std::move(measured));
  return go_on;
}

// Both passes, as far as they go, as one file. `status` is that of the first one that failed.
// `unread`: the directory has more.
std::optional<RooflineFile> Measure(const Options& options, const PassDirectory& directory,
                                    const Child& time_child, const Child& work_child, int& status,
                                    bool& unread) {
  PassResult time, work;
  bool go_on = true;
  if (!RunsUnderEngine(options.collector)) {
    go_on = TimePasses(options, time_child, directory, time);
    status = time.end.status;
  }
  const bool work_tried = go_on && options.collector != "timer";
  if (work_tried) {
    Execute("work pass under the counting engine: slower; its times are not used", options,
            work_child, std::string(EngineCollector()), directory.path(), work);
    if (status == 0) status = work.end.status;
  }
  unread = time.unread || work.unread;
  std::optional<RooflineFile> file = JoinResults(options, time, work, work_tried);
  const bool ran = time.end.error.empty() && work.end.error.empty();
  if (!file && ran && !time.end.interrupted && !work.end.interrupted) {
    Say(WhyNothing(options, status));
  }
  return file;
}

// Before a long job, not after it: is there a machine to compare with?
int Prepare(const Options& options) {
  if (!options.machines.empty()) return ReadMachines(options.machines) ? 0 : kUsage;
  // Times alone are compared with no ceiling.
  if (options.no_machine || options.collector == "timer") return 0;
  return MeasureMachineFirst(options.command);
}

// Before a long job, not after it: a name for its file that is no other's.
Result<Reservation> ReserveOutput(const Options& options) {
  const std::string wanted =
      options.output.empty() ? DefaultOutput(options.command) : options.output;
  Result<Reservation> output = Reservation::Of(wanted, options.force);
  if (output && output->path() != wanted) {
    Say(fmt::format("{} exists already: this run goes to {} (--force replaces the file)", wanted,
                    output->path()));
  }
  return output;
}

int Run(const Options& options) {
  if (options.repeat > 1 && RunsUnderEngine(options.collector)) {
    Say(fmt::format(
        "--repeat repeats the time pass, and --collector {} has none: leave one of them out",
        options.collector));
    return kUsage;
  }
  Child time_child = TimeChild(options), work_child = WorkChild(options);
  if (!PreloadAll(options, time_child, work_child)) return kFailure;
  Result<Reservation> output = ReserveOutput(options);
  if (!output) {
    Say(output.error() + "; choose another place with -o");
    return kUsage;
  }
  Result<PassDirectory> directory = PassDirectory::Beside(output->path());
  if (!directory) {
    Say(directory.error());
    return kUsage;
  }
  int status = Prepare(options);
  if (status != 0) return status;
  GiveLatencies(options, work_child);
  bool saved = false, unread = false;
  std::optional<RooflineFile> file =
      Measure(options, *directory, time_child, work_child, status, unread);
  if (!file) return status == 0 ? kFailure : status;
  status = Finish(options, *output, *file, status, saved);
  if (saved && !unread) directory->Discard();
  return status;
}

}  // namespace

void AddRunCommand(CommandLine& line) {
  auto options = std::make_shared<Options>();
  const Command command =
      line.Add("run",
               "Run a marked program twice (time, then work), join both, show the report\n"
               "  roofmark run -o run.json -- mpirun -n 4 ./app input.nml");
  command.Value("-o,--output", options->output, "Roofline file (default: APP.roofline.json)")
      .Shown("FILE");
  command.Flag("--force", options->force, "Replace an existing output");
  command.Value("--collector", options->collector, "auto (time, then work), timer or counting")
      .OneOf(CollectorWords({CollectorKind::kAlways, CollectorKind::kEngine}));
  command
      .Value("--repeat", options->repeat, "Executions for time: how much times spread between them")
      .Shown("N")
      .Within(1, limits::kRepeats);
  command.Value("--count", options->count, "What the work pass counts: flops, cache or threec")
      .OneOf({"flops", "cache", "threec"});
  command.Value("--cache", options->cache, "Caches to model, as L1:48K:12,L2:2M:16,L3:32M:16")
      .Shown("LEVELS");
  command
      .Value("--visits", options->visits,
             "first:K: the work pass models the memory traffic of K visits of each region")
      .Shown("WHICH");
  command.Value("--sample", options->sample, "Simulate one cache line in N").Shown("N");
  command.Value("--workdir", options->work_directory, "Directory in which the work pass runs")
      .ExistingDirectory();
  command.Flag("--no-machine", options->no_machine,
               "Use no machine file, and do not measure the machine");
  command
      .Value("--machine", options->machines,
             "Machine file, one for each kind of node (default: kept ones)")
      .Shown("FILE")
      .OneEachTime()
      .Excludes("--no-machine");
  command.Flag("--ignore-status", options->ignore_status,
               "Make the work pass even if the program ended with another status than 0");
  command.Flag("--preload", options->preload, "Preload libroofmark.so into the program");
  command.Flag("--no-mpi-wait", options->no_mpi_wait,
               "Do not measure the time inside MPI: preload nothing for it in the time pass");
  command.Flag("--no-openmp-wait", options->no_openmp_wait,
               "Do not measure threads' time in parallel regions: preload nothing for it");
  command.Flag("--quiet-work-pass", options->quiet_work,
               "Discard the program's output in the work pass");
  command.Flag("--no-report", options->no_report, "Write the file, show no report");
  command.Value("CMD", options->command, "The command, after --").Required();
  command.PositionalsAtEnd();
  command.Runs([options] { return Run(*options); });
}

}  // namespace roofmark::cli
