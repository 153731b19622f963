// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_keeper.h"

#include <filesystem>
#include <utility>

#include "command/files.h"
#include "command/output.h"
#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "lib/model/machine_files.h"
#include "lib/model/machine_json.h"

namespace roofmark::cli {
namespace {

// What the cache has of this kind of node.
Result<Machine> InCache(const Machine& machine) {
  const auto path = MachineFilePath(machine);
  if (!path) return Error{path.error()};
  const auto text = ReadFile(*path, limits::kMachineBytes);
  return text ? MachineFromJson(*text, *path) : Result<Machine>(Error{text.error()});
}

// Is there a complete measurement of this kind of node, without contradictions? Its path.
std::optional<std::string> TrustedInCache(const Machine& machine) {
  const auto kept = InCache(machine);
  if (!kept || kept->partial || !kept->contradictions.empty()) return std::nullopt;
  return *MachineFilePath(machine);
}

// Of a measurement without GPUs: those that were measured before stay.
Machine WithKeptGpus(Machine machine) {
  if (!machine.gpus.empty()) return machine;
  if (auto kept = InCache(machine)) machine.gpus = std::move(kept->gpus);
  return machine;
}

// What is written to it once cannot be replaced.
bool IsStream(const std::string& output) {
  if (output == "-" || DescriptorNamed(output)) return true;
  std::error_code error;
  const auto status = std::filesystem::status(output, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

void MachineKeeper::KeepSoFar(const Machine& machine) {
  if (IsStream(output_)) return;
  if (output_.empty()) {
    if (!TrustedInCache(machine)) (void)StoreMachineFile(WithKeptGpus(machine));
    return;
  }
  const IfExists policy = force_ || ours_ ? IfExists::kReplace : IfExists::kRefuse;
  if (WriteFile(OfUser(output_), MachineToJson(machine), policy)) ours_ = true;
}

std::optional<std::string> MachineKeeper::Keep(const Machine& machine) {
  return output_.empty() ? KeepInCache(machine) : KeepInFile(machine);
}

std::optional<std::string> MachineKeeper::KeepInFile(const Machine& machine) {
  const std::string text = MachineToJson(machine);
  if (output_ == "-") return Save(output_, text, force_) ? std::optional(output_) : std::nullopt;
  const auto written =
      WriteFile(OfUser(output_), text, force_ || ours_ ? IfExists::kReplace : IfExists::kRename);
  if (written) return *written;
  PassOn(written.error());
  return std::nullopt;
}

std::optional<std::string> MachineKeeper::KeepInCache(const Machine& machine) {
  if (machine.partial || !machine.contradictions.empty()) {
    if (const auto older = TrustedInCache(machine)) {
      if (machine.partial) {
        Say(message::kOlderIsComplete, *older);
      } else {
        Say(message::kOlderIsTrusted, machine.contradictions.front(), *older);
      }
      return std::nullopt;
    }
  }
  const auto stored = StoreMachineFile(WithKeptGpus(machine));
  if (stored) return *stored;
  PassOn(stored.error());
  return std::nullopt;
}

}  // namespace roofmark::cli
