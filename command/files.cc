// SPDX-License-Identifier: BSD-3-Clause
#include "command/files.h"

#include <fmt/format.h>

#include "command/output.h"
#include "lib/core/file.h"
#include "lib/model/machine_files.h"
#include "lib/model/machine_json.h"

namespace roofmark::cli {

std::optional<RooflineFile> LoadRoofline(const std::string& path) {
  const Result<std::string> text = ReadFile(path, limits::kRooflineBytes);
  if (!text) {
    Say(text.error());
    return std::nullopt;
  }
  Result<RooflineFile> file = RooflineFromJson(*text, path);
  if (!file) {
    Say(file.error());
    return std::nullopt;
  }
  return std::move(*file);
}

std::optional<std::vector<RooflineFile>> LoadRooflines(const std::vector<std::string>& paths) {
  std::vector<RooflineFile> files;
  for (const std::string& path : paths) {
    std::optional<RooflineFile> file = LoadRoofline(path);
    if (!file) return std::nullopt;
    files.push_back(std::move(*file));
  }
  return files;
}

bool Save(const std::string& path, std::string_view text, bool replace) {
  if (path == "-") {
    Print(text);
    return FlushOutput();
  }
  const Result<std::string> written =
      WriteFile(path, text, replace ? IfExists::kReplace : IfExists::kRefuse);
  if (!written) Say(written.error());
  return static_cast<bool>(written);
}

namespace {

FoundMachine Parsed(const std::string& text, const std::string& name) {
  FoundMachine found;
  Result<Machine> machine = MachineFromJson(text, name);
  if (!machine) {
    Say(machine.error());
    found.failed = true;
    return found;
  }
  found.machine = std::move(*machine);
  found.json = text;
  return found;
}

}  // namespace

FoundMachine FindMachine(const std::string& given, const RooflineFile* run) {
  FoundMachine found;
  if (!given.empty()) {
    const Result<std::string> text = ReadFile(given, limits::kMachineBytes);
    if (text) return Parsed(*text, given);
    Say(text.error());
    found.failed = true;
    return found;
  }
  if (run != nullptr && !run->machine_json.empty()) {
    return Parsed(run->machine_json, "the machine in the roofline file");
  }
  Result<KeptMachine> kept = LoadMachineFile();
  if (!kept) {
    found.why_none = kept.error();
    return found;
  }
  for (const std::string& reason : kept->stale) {
    Say(fmt::format("the machine file {} may be out of date ({}); run `roofmark machine`",
                    kept->path, reason));
  }
  found.json = MachineToJson(kept->machine);
  found.machine = std::move(kept->machine);
  return found;
}

}  // namespace roofmark::cli
