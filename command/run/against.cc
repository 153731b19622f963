// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/against.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "command/compared.h"
#include "command/files.h"
#include "command/output.h"
#include "command/passes.h"
#include "command/report_style.h"
#include "command/reservation.h"
#include "command/run/children.h"
#include "command/run/executions.h"
#include "command/run/finish.h"
#include "command/run/measure.h"
#include "command/run/words.h"
#include "lib/core/clock.h"
#include "lib/core/messages/command_run.h"

namespace roofmark::cli {
namespace {

// One of the two commands.
struct Side {
  std::string_view name;  // "before", "after"
  RunOptions options;
  Children children;
  Reservation output;
  PassDirectory directory;
};

// Nothing after saying why.
std::unique_ptr<Side> MakeSide(std::string_view name, RunOptions options, const SettingsPlan& plan,
                               const std::shared_ptr<KeptInput>& input, const std::string& output) {
  options.no_report = true;
  std::optional<Children> children = MakeChildren(options, plan, input);
  if (!children) return nullptr;
  std::optional<Reservation> reserved = ReserveOutput(options, output);
  if (!reserved) return nullptr;
  Result<PassDirectory> directory = PassDirectory::Beside(reserved->path());
  if (!directory) {
    PassOn(directory.error());
    return nullptr;
  }
  GiveLatencies(options, children->work);
  return std::make_unique<Side>(Side{name, std::move(options), std::move(*children),
                                     std::move(*reserved), std::move(*directory)});
}

// Directories of the passes have names of one length: the size of the environment moves the stack,
// and with it times.
constexpr uint32_t kFirstPlace = 1000;

bool ExecuteOnce(const Side& side, uint32_t number, TimePasses& passes) {
  const Result<std::string> place = side.directory.Inside(PassKind::kTime, kFirstPlace + number);
  if (!place) {
    PassOn(place.error());
    return false;
  }
  return passes.Execute(
      fmt::format("time pass {} of {}, {}", number, side.options.repeat, side.name), *place);
}

// In turns; who begins changes from round to round, so that neither always comes second.
bool ExecuteInTurns(const Side& before, const Side& after, TimePasses& first, TimePasses& second) {
  for (uint32_t number = 1; number <= after.options.repeat; ++number) {
    const bool swapped = number % 2 == 0;
    const bool went_on =
        swapped ? ExecuteOnce(after, number, second) && ExecuteOnce(before, number, first)
                : ExecuteOnce(before, number, first) && ExecuteOnce(after, number, second);
    if (!went_on) return false;
  }
  return true;
}

void NoteTurns(PassResult& passes, const std::string& turns) {
  if (!passes.file || passes.file->job.run.passes.empty()) return;
  passes.file->job.run.passes.front().facts[kAgainstFact] = turns;
}

// What follows the time passes of one command, and its file. Nothing if there is none.
struct Finished {
  std::string path;
  int status = 0;
};
Finished FinishSide(Side& side, PassResult time, bool ended_well) {
  Say(message::kCommandOfPair, side.name);
  Measured measured =
      MeasureRest(side.options, side.directory, side.children, std::move(time), ended_well);
  if (!measured.file) return {{}, measured.status == 0 ? kFailure : measured.status};
  bool saved = false;
  Finished finished;
  finished.status = Finish(side.options, side.output, measured, saved);
  if (saved) finished.path = side.output.path();
  if (saved && !measured.unread) side.directory.Discard();
  return finished;
}

int Show(const std::string& before, const std::string& after, bool with_machines) {
  const std::optional<ReportJob> first = LoadJob(before, with_machines);
  const std::optional<ReportJob> second = LoadJob(after, with_machines);
  if (!first || !second) return kFailure;
  const Comparison comparison =
      CompareRuns({first->profile, first->analysis}, {second->profile, second->analysis});
  ShowComparison({*first, *second, comparison}, Resolve(ReportStyle()));
  return 0;
}

}  // namespace

std::string OutputBefore(const std::string& output) {
  constexpr std::string_view kUsual = ".roofline.json";
  const std::filesystem::path path(output);
  const std::string name = path.filename().string();
  const size_t end =
      name.ends_with(kUsual) ? name.size() - kUsual.size() : path.stem().string().size();
  return path.parent_path() / (name.substr(0, end) + ".before" + name.substr(end));
}

int RunAgainst(const RunOptions& options, const SettingsPlan& plan, const std::string& output) {
  Result<std::vector<std::string>> words = SplitWords(options.against);
  if (!words) {
    Say(message::kBadAgainst, options.against, words.error());
    return kUsage;
  }
  if (output == "-") {
    Say(message::kAgainstWritesTwoFiles);
    return kUsage;
  }
  RunOptions other = options;
  other.command = std::move(*words);
  const std::shared_ptr<KeptInput> input = InputOf(options);
  const auto before = MakeSide("before", std::move(other), plan, input, OutputBefore(output));
  const auto after = before ? MakeSide("after", options, plan, input, output) : nullptr;
  if (!after) return kUsage;
  const HeldSignals held;
  TimePasses first(before->options, before->children.time);
  TimePasses second(after->options, after->children.time);
  const bool ended_well = ExecuteInTurns(*before, *after, first, second);
  PassResult old_times = first.Join(), new_times = second.Join();
  const std::string turns = fmt::format("{}.{}", getpid(), NowNs());
  NoteTurns(old_times, turns);
  NoteTurns(new_times, turns);
  const Finished old_file = FinishSide(*before, std::move(old_times), ended_well);
  const Finished new_file = FinishSide(*after, std::move(new_times), ended_well);
  const int status = new_file.status != 0 ? new_file.status : old_file.status;
  if (old_file.path.empty() || new_file.path.empty() || options.no_report) return status;
  const int shown = Show(old_file.path, new_file.path, !options.no_machine);
  return status != 0 ? status : shown;
}

}  // namespace roofmark::cli
