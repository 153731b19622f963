// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark compare: what changed between two runs, region by region.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "command/commands.h"
#include "command/files.h"
#include "command/output.h"
#include "lib/model/derived.h"
#include "lib/report/rows.h"

namespace roofmark::cli {
namespace {

struct Options {
  std::string before, after;
};

struct Run {
  RooflineFile file;
  JobAnalysis analysis;
};

std::optional<Run> Load(const std::string& path) {
  std::optional<RooflineFile> file = LoadRoofline(path);
  if (!file) return std::nullopt;
  Run run{std::move(*file), {}};
  const FoundMachines found = FindMachines({}, run.file, path);
  if (found.failed) return std::nullopt;
  run.analysis = Analyze(run.file.job, found.machines);
  return run;
}

std::string Number(const Value& value) { return value ? fmt::format("{:.4g}", *value) : "-"; }

// after / before.
std::string Change(const Value& before, const Value& after) {
  if (!before || !after || *before == 0) return "-";
  return fmt::format("x{:.3g}", *after / *before);
}

void PrintRow(std::string_view name, std::string_view unit, std::string_view before,
              std::string_view after, std::string_view change) {
  Print("  {:<18} {:<9} {:>12} {:>12} {:>9}\n", name, unit, before, after, change);
}

void PrintPath(const std::string& path, const Run& first, const Run& second) {
  Print("{}\n", path);
  const int at = first.file.job.FindPath(path), now_at = second.file.job.FindPath(path);
  if (at < 0 || now_at < 0) {
    Print("  only in the {} run\n", at < 0 ? "second" : "first");
    return;
  }
  const auto of = [](const Run& run, int index) {
    const auto p = static_cast<size_t>(index);
    return Derivation{run.file.job, p, run.analysis.paths[p]};
  };
  for (const DerivedInfo& info : TableValues()) {
    if (info.value == nullptr) continue;
    const Value before = info.value(of(first, at)), after = info.value(of(second, now_at));
    if (!before && !after) continue;
    PrintRow(info.name, info.unit, Number(before), Number(after), Change(before, after));
  }
}

int Compare(const Options& options) {
  const std::optional<Run> before = Load(options.before), after = Load(options.after);
  if (!before || !after) return kFailure;
  std::set<std::string> paths;
  for (const Run* run : {&*before, &*after}) {
    for (const PathInfo& info : run->file.job.paths) paths.insert(info.path);
  }
  PrintRow("", "", "first", "second", "change");
  for (const std::string& path : paths) PrintPath(path, *before, *after);
  return 0;
}

}  // namespace

void AddCompareCommand(CommandLine& line) {
  auto options = std::make_shared<Options>();
  const Command command = line.Add("compare", "What changed between two runs, region by region");
  command.Value("FIRST", options->before, "Roofline file").Required();
  command.Value("SECOND", options->after, "Roofline file").Required();
  command.Runs([options] { return Compare(*options); });
}

}  // namespace roofmark::cli
