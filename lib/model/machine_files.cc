// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_files.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "lib/core/directory.h"
#include "lib/core/file.h"
#include "lib/core/settings.h"
#include "lib/model/machine_identity.h"
#include "lib/model/machine_json.h"

namespace roofmark {

namespace {

std::string FileName(const std::string& kind) {
  return fmt::format("machine-{}.json", AsNamePart(kind));
}

Result<std::string> CacheFolder() {
  std::string folder = UserCacheFolder();
  if (!folder.empty()) return folder;
  return Error{
      "no place for the machine file: neither XDG_CACHE_HOME nor HOME is set; use -o FILE"};
}

// Beside a roofline file in /tmp anybody may have put a file, a link or a pipe; the other folders
// are the user's choice.
struct Folder {
  std::string path;
  bool is_chosen = true;
};

// Where a kind of node is looked for, in this order.
std::vector<Folder> Folders(const std::string& beside) {
  std::vector<Folder> folders;
  if (!beside.empty()) folders.push_back({beside, false});
  const char* chosen = std::getenv(VariableName("machine_dir").c_str());
  if (chosen != nullptr && *chosen != '\0') folders.push_back({chosen});
  if (Result<std::string> cache = CacheFolder()) folders.push_back({std::move(*cache)});
  return folders;
}

Result<std::string> Read(const Folder& folder, const std::string& path) {
  if (folder.is_chosen) return ReadFile(path, limits::kMachineBytes);
  Result<std::string> text = ReadFound(path, limits::kMachineBytes);
  return text ? text : Error{text.error() + "; give it with --machine if it is the right one"};
}

}  // namespace

Result<std::string> MachineFilePath(const Machine& machine) {
  const Result<std::string> folder = CacheFolder();
  if (!folder) return folder;
  return fmt::format("{}/{}", *folder, FileName(KindOf(machine)));
}

Result<std::optional<KeptMachine>> FindMachineFile(const std::string& kind,
                                                   const std::string& beside) {
  std::string refused;  // the first file that is not believed
  for (const Folder& folder : Folders(beside)) {
    const std::string path = fmt::format("{}/{}", folder.path, FileName(kind));
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    const Result<std::string> text = Read(folder, path);
    if (!text && !folder.is_chosen) {
      refused = text.error();
      continue;
    }
    if (!text) return Error{text.error()};
    auto machine = MachineFromJson(*text, path);
    if (!machine) return Error{machine.error()};
    if (KindOf(*machine) != kind) {
      return Error{
          fmt::format("{} was measured on another kind of node than its name says: remove "
                      "it, or give the right one with --machine",
                      path)};
    }
    return std::optional(KeptMachine{std::move(*machine), path, {}});
  }
  if (!refused.empty()) return Error{refused};
  return std::optional<KeptMachine>();
}

Result<KeptMachine> LoadMachineFile() {
  Machine now;
  FillIdentity(now);
  auto found = FindMachineFile(KindOf(now), "");
  if (!found) return Error{found.error()};
  if (!*found) {
    if (const auto cache = CacheFolder(); !cache) return Error{cache.error()};
    return Error{"this machine has not been measured; run `roofmark machine --quick` once"};
  }
  KeptMachine kept = std::move(**found);
  kept.stale = StaleReasons(kept.machine, now);
  return kept;
}

Result<std::string> StoreMachineFile(const Machine& machine) {
  Result<std::string> path = MachineFilePath(machine);
  if (!path) return path;
  std::error_code error;
  const auto folder = std::filesystem::path(*path).parent_path();
  std::filesystem::create_directories(folder, error);
  if (error) return Error{fmt::format("cannot make {}: {}", folder.string(), error.message())};
  return WriteFile(*path, MachineToJson(machine), IfExists::kReplace);
}

}  // namespace roofmark
