// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/children.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "command/files.h"
#include "command/installation.h"
#include "command/machine_first.h"
#include "command/output.h"
#include "command/programs.h"
#include "command/work_folder.h"
#include "lib/core/adapter_names.h"
#include "lib/core/collector_names.h"
#include "lib/core/messages/command_run.h"
#include "lib/core/settings.h"
#include "lib/model/fast_caches.h"
#include "lib/model/latencies.h"
#include "lib/model/machine_files.h"

namespace roofmark::cli {
namespace {

constexpr char kLatencies[] = "ROOFMARK_LATENCIES";

Child TimeChild(const RunOptions& options, const SettingsPlan& plan) {
  Child child;
  child.command = options.command;
  child.environment = plan.first;
  return child;
}

Child WorkChild(const RunOptions& options, const SettingsPlan& plan) {
  Child child;
  child.command = options.command;
  child.directory = options.work_directory;
  child.discard_output = options.quiet_work || options.find;
  child.environment = plan.work;
  if (!options.engine.empty()) child.environment["ROOFMARK_ENGINE"] = options.engine;
  if (!options.count.empty()) child.environment["ROOFMARK_COUNT"] = options.count;
  if (!options.cache.empty()) child.environment["ROOFMARK_CACHE"] = options.cache;
  if (!options.visits.empty()) child.environment["ROOFMARK_VISITS"] = options.visits;
  if (options.find && !options.exact) {
    std::optional<std::string>& visits = child.environment["ROOFMARK_VISITS"];
    if (!visits) visits = std::string(kVisitsInBursts);
  }
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

// The library of the installation under the name that its folder has in lists of paths.
std::string In(const std::string& folder, const std::string& library) {
  return library.empty() ? "" : folder / std::filesystem::path(library).filename();
}

bool PreloadItself(const std::string& folder, Children& children) {
  const std::string library = In(folder, LibraryPath());
  if (library.empty()) {
    Say(message::kNoLibrary);
    return false;
  }
  Preload(children.time, library);
  Preload(children.work, library);
  return true;
}

// By any of its names: with or without a version.
bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(a, b, error);
}

void StaysSo(const AdapterName& adapter, std::string_view variable, const char* value) {
  Say(message::kAdapterVariableIsSet, variable, value, adapter.tool);
}

// The variable by which the tool loads a library. One that the user has set is another library's,
// and so is the one of earlier versions; that one is never set here, since later versions warn of
// it.
void NameLibrary(const AdapterName& adapter, const std::string& library, Children& children) {
  for (const auto& [name, value] : adapter.opposed) {
    const char* set = name.empty() ? nullptr : std::getenv(std::string(name).c_str());
    if (set == nullptr || *set == '\0' || (!value.empty() && value != set)) continue;
    return StaysSo(adapter, name, set);
  }
  for (const std::string_view name : adapter.variables) {
    const std::string variable(name);
    const char* set = name.empty() ? nullptr : std::getenv(variable.c_str());
    if (set == nullptr || *set == '\0') continue;
    if (IsSameFile(set, library)) return;
    return StaysSo(adapter, name, set);
  }
  if (adapter.variables[0].empty()) return;
  const std::string variable(adapter.variables[0]);
  children.time.environment[variable] = library;
  children.work.environment[variable] = library;
}

bool PreloadAdapters(const RunOptions& options, const std::string& folder, Children& children) {
  const std::string library = In(folder, LibraryBeside("adapters"));
  if (library.empty()) {
    Say(message::kNoAdaptersLibrary);
    return false;
  }
  const uint32_t wanted = ParseAdapters(options.adapters).value_or(0);
  const std::string constructs =
      (wanted & AdapterBit("ompt")) != 0 ? In(folder, LibraryBeside("constructs")) : "";
  for (Child* child : {&children.time, &children.work}) {
    if (!constructs.empty()) Preload(*child, constructs);
    Preload(*child, library);
    AdmitPreloaded(*child);
    child->environment[VariableName("adapters")] = options.adapters;
  }
  for (const AdapterName& adapter : kAdapterNames) {
    if ((wanted & AdapterBit(adapter.id)) != 0) NameLibrary(adapter, library, children);
  }
  return true;
}

bool ExecutesOnce(const RunOptions& options) {
  const bool several = options.repeat > 1 || options.find || options.CountsGpus() ||
                       !options.groups.empty() || !options.against.empty() ||
                       options.work != kWorkNever;
  return options.one_execution || RunsUnderEngine(options.collector) || !several;
}

// Of Valgrind's engine, which preloads files of its folder: the user's, else that of the
// installation. Where a list cannot hold its name it gets a link.
bool LinkToolFolder(Children& children) {
  std::optional<std::string>& chosen = children.work.environment[VariableName("tool_dir")];
  const std::string folder = chosen.value_or(ToolFolder());
  const Result<std::string> listed = children.links->To(folder);
  if (!listed) PassOn(listed.error());
  if (listed && *listed != folder) chosen = *listed;
  return static_cast<bool>(listed);
}

// The libraries that the command asks for are put before the program's own; libroofmark.so before
// that of the adapters, so that its hooks stand in front of MPI. False if one is missing that was
// asked for by name.
bool PreloadAll(const RunOptions& options, Children& children) {
  const std::string other_version = OtherVersionBeside();
  if (!other_version.empty()) PassOn(other_version);
  const std::string library = LibraryPath();
  const Result<std::string> folder =
      children.links->To(std::filesystem::path(library).parent_path());
  if (!folder) {
    PassOn(folder.error());
    return false;
  }
  const bool adapters = !options.adapters.empty();
  if (adapters && !PreloadAdapters(options, *folder, children)) return false;
  const bool itself = adapters || options.preload || options.find;
  if (itself && !PreloadItself(*folder, children)) return false;
  // Built without MPI there is none, and the file says that time inside MPI was not measured.
  const std::string mpi_wait = options.no_mpi_wait ? "" : In(*folder, LibraryBeside("mpi_wait"));
  if (!mpi_wait.empty()) Preload(children.time, mpi_wait);
  const std::string openmp_wait =
      options.no_openmp_wait ? "" : In(*folder, LibraryBeside("openmp_wait"));
  if (!openmp_wait.empty()) Preload(children.time, openmp_wait);
  if (!mpi_wait.empty() || !openmp_wait.empty()) AdmitPreloaded(children.time);
  return true;
}

}  // namespace

std::shared_ptr<KeptInput> InputOf(const RunOptions& options) {
  return ExecutesOnce(options) ? nullptr : KeptInput::OfThisProcess();
}

std::optional<Children> MakeChildren(const RunOptions& options, const SettingsPlan& plan,
                                     const std::shared_ptr<KeptInput>& input) {
  const auto variable = [](const char* name) { return std::getenv(name); };
  const bool on_this_node = MayRunElsewhere(options.command, variable).empty();
  Children children{TimeChild(options, plan), WorkChild(options, plan),
                    std::make_shared<FolderLinks>(on_this_node)};
  const auto programs = std::make_shared<ProgramChoice>(options.program);
  std::shared_ptr<WorkFolder> folder;
  if (!ExecutesOnce(options)) {
    Result<std::shared_ptr<WorkFolder>> made = WorkFolder::OfThisProcess(options.fresh_directory);
    if (!made) {
      PassOn(made.error());
      return std::nullopt;
    }
    folder = std::move(*made);
  }
  for (Child* child : {&children.time, &children.work}) {
    child->input = input;
    child->folder = folder;
    child->programs = programs;
    if (!options.regions.empty()) child->environment[VariableName("regions")] = options.regions;
    if (options.forked) child->environment[VariableName("children")] = "on";
    child->has_descendants = options.forked;
  }
  if (options.find || options.loops) children.time.environment[VariableName("samples")] = "on";
  if (options.loops) children.work.environment[VariableName("executed")] = "on";
  if (!PreloadAll(options, children) || !LinkToolFolder(children)) return std::nullopt;
  return children;
}

void GiveLatencies(const RunOptions& options, Child& work) {
  if (work.environment[kLatencies] || options.no_machine) return;
  const auto variable = [](const char* name) { return std::getenv(name); };
  if (options.machines.empty() && !MayRunElsewhere(options.command, variable).empty()) return;
  std::vector<Machine> machines = ReadMachines(options.machines).value_or(std::vector<Machine>());
  if (options.machines.empty()) {
    if (Result<KeptMachine> kept = LoadMachineFile()) machines = {std::move(kept->machine)};
  }
  const std::string latencies = LatenciesOf(machines);
  if (!latencies.empty()) work.environment[kLatencies] = latencies;
  const std::string caches = FastCachesOf(machines);
  if (options.cache.empty() && !caches.empty()) work.environment["ROOFMARK_CACHE"] = caches;
}

}  // namespace roofmark::cli
