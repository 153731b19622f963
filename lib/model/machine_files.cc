// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_files.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "lib/core/file.h"
#include "lib/model/machine_identity.h"
#include "lib/model/machine_json.h"

namespace roofmark {

Result<std::string> MachineFilePath(const Machine& machine) {
  std::string folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    folder = cache;  // the specification wants relative ones ignored
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    folder = std::string(home) + "/.cache";
  } else {
    return Error{
        "no place for the machine file: neither XDG_CACHE_HOME nor HOME is set; use -o FILE"};
  }
  return fmt::format("{}/roofmark/machine-{}.json", folder, MachineKey(machine));
}

Result<KeptMachine> LoadMachineFile() {
  Machine now;
  FillIdentity(now);
  const auto path = MachineFilePath(now);
  if (!path) return Error{path.error()};
  std::error_code ignored;
  if (!std::filesystem::exists(*path, ignored)) {
    return Error{"this machine has not been measured; run `roofmark machine --quick` once"};
  }
  const auto text = ReadFile(*path, limits::kMachineBytes);
  if (!text) return Error{text.error()};
  auto machine = MachineFromJson(*text, *path);
  if (!machine) return Error{machine.error()};
  KeptMachine kept{std::move(*machine), *path, {}};
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
