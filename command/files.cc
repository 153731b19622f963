// SPDX-License-Identifier: BSD-3-Clause
#include "command/files.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

#include "command/output.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/model/machine_files.h"
#include "lib/model/machine_identity.h"
#include "lib/model/machine_json.h"
#include "lib/model/node_kinds.h"
#include "lib/report/launch_words.h"

namespace roofmark::cli {

Result<RooflineFile> ReadRoofline(const std::string& path, ComesFrom origin) {
  const Result<std::string> text = origin == ComesFrom::kUser
                                       ? ReadFile(path, limits::kRooflineBytes)
                                       : ReadFound(path, limits::kRooflineBytes);
  return text ? RooflineFromJson(*text, path) : Error{text.error()};
}

std::optional<RooflineFile> LoadRoofline(const std::string& path, ComesFrom origin) {
  Result<RooflineFile> file = ReadRoofline(path, origin);
  if (!file) {
    PassOn(file.error());
    return std::nullopt;
  }
  return std::move(*file);
}

std::optional<std::vector<RooflineFile>> LoadRooflines(const std::vector<std::string>& paths,
                                                       ComesFrom origin) {
  std::vector<RooflineFile> files;
  for (const std::string& path : paths) {
    std::optional<RooflineFile> file = LoadRoofline(path, origin);
    if (!file) return std::nullopt;
    files.push_back(std::move(*file));
  }
  return files;
}

bool Save(const std::string& path, std::string_view text, bool replace) {
  if (path == "-") {
    UseTones(false);  // a file, whatever its bytes are
    Print(text);
    return FlushOutput();
  }
  const Result<std::string> written =
      WriteFile(OfUser(path), text, replace ? IfExists::kReplace : IfExists::kRefuse);
  if (!written) PassOn(written.error());
  return static_cast<bool>(written);
}

void SayIfStale(const KeptMachine& kept) {
  for (const std::string& reason : kept.stale) {
    Say(message::kMachineFileIsOld, kept.path, reason);
  }
}

namespace {

// Adds a machine; false after saying why not.
bool Take(const std::string& text, const std::string& name, FoundMachines& found) {
  Result<Machine> machine = MachineFromJson(text, name);
  if (!machine) {
    PassOn(machine.error());
    found.failed = true;
    return false;
  }
  found.machines.push_back(std::move(*machine));
  found.json.push_back(text);
  return true;
}

void Take(KeptMachine kept, FoundMachines& found) {
  for (const std::string& reason : kept.stale) {
    Say(message::kMachineFileIsOld, kept.path, reason);
  }
  found.json.push_back(MachineToJson(kept.machine));
  found.machines.push_back(std::move(kept.machine));
}

void TakeGiven(const std::vector<std::string>& given, FoundMachines& found) {
  std::map<std::string, std::string> names;  // by kind
  for (const std::string& name : given) {
    const Result<std::string> text = ReadFile(name, limits::kMachineBytes);
    if (!text) {
      PassOn(text.error());
      found.failed = true;
    }
    if (!text || !Take(*text, name, found)) return;
    const auto [known, is_new] = names.emplace(KindOf(found.machines.back()), name);
    if (is_new) continue;
    Say(message::kSameKindOfNode, known->second, name);
    found.failed = true;
    return;
  }
}

const Machine& ThisMachine() {
  static const auto& machine = *[] {
    auto* now = new Machine;
    FillIdentity(*now);
    return now;
  }();
  return machine;
}

// A run that does not say what it ran on is taken for one of this machine.
bool IsOwn(const NodeKind& kind) {
  if (!kind.key.empty()) return kind.key == KindOf(ThisMachine());
  return kind.cpu.empty() || kind.cpu == ThisMachine().cpu_model;
}

// The kept file of a kind of node that has none yet. Returns why there is none.
std::string TakeKept(const NodeKind& kind, bool is_own, const std::string& beside,
                     FoundMachines& found) {
  Result<KeptMachine> own = LoadMachineFile();
  if (!kind.key.empty()) {
    auto kept = FindMachineFile(kind.key, beside);
    if (!kept) return kept.error();
    if (*kept) {
      if (is_own && own && own->path == (*kept)->path) (*kept)->stale = own->stale;
      Take(std::move(**kept), found);
      return {};
    }
  }
  if (!is_own) return "no machine file of this kind of node was found";
  if (!own) return own.error();
  Take(std::move(*own), found);
  return {};
}

std::string WhyNone(const RunInfo& run, const NodeKind& kind, bool is_own,
                    const std::string& reason) {
  if (is_own || kind.hosts.empty()) return reason;
  return fmt::format("{}: {}; {} measures {}", HostNames(run, kind.hosts), reason,
                     MeasureCommand(run, kind.hosts.front()),
                     kind.hosts.size() == 1 ? "it" : "one of them");
}

// Kinds without a machine, and of several those that have only one with the same CPU.
std::vector<NodeKind> Unsettled(std::vector<NodeKind> kinds) {
  const bool several = kinds.size() > 1;
  std::erase_if(kinds, [several](const NodeKind& kind) {
    if (kind.machine == nullptr) return false;
    return !several || kind.key.empty() || KindOf(*kind.machine) == kind.key;
  });
  return kinds;
}

}  // namespace

FoundMachines FindMachines(const std::vector<std::string>& given, const RooflineFile& run,
                           const std::string& name) {
  FoundMachines found;
  TakeGiven(given, found);
  if (given.empty()) {
    for (const std::string& json : run.machines) {
      if (!Take(json, "the machine in the roofline file", found)) break;
    }
  }
  if (found.failed) return found;
  std::vector<NodeKind> kinds = NodeKindsOf(run.job.run);
  AssignMachines(found.machines, kinds);
  const std::string folder = std::filesystem::path(name).parent_path();
  for (const NodeKind& kind : Unsettled(kinds)) {
    // One that does not say its kind was always held against this machine; health compares the
    // CPUs.
    const bool is_own = (kinds.size() == 1 && kind.key.empty()) || IsOwn(kind);
    const std::string why = TakeKept(kind, is_own, folder.empty() ? "." : folder, found);
    if (why.empty() || kind.machine != nullptr) continue;
    if (!found.why_none.empty()) found.why_none += "; ";
    found.why_none += WhyNone(run.job.run, kind, is_own, why);
  }
  return found;
}

std::optional<std::vector<Machine>> ReadMachines(const std::vector<std::string>& given) {
  FoundMachines found;
  TakeGiven(given, found);
  if (found.failed) return std::nullopt;
  return std::move(found.machines);
}

}  // namespace roofmark::cli
