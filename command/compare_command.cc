// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark compare: what changed between two runs, region by region.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "command/commands.h"
#include "command/files.h"
#include "lib/model/analysis.h"

namespace roofmark::cli {
namespace {

struct Options {
  std::string before, after;
};

struct Run {
  RooflineFile file;
  JobAnalysis analysis;

  const PathAnalysis* Find(const std::string& path) const {
    const int index = file.job.FindPath(path);
    return index < 0 ? nullptr : &analysis.paths[static_cast<size_t>(index)];
  }
};

std::optional<Run> Load(const std::string& path) {
  std::optional<RooflineFile> file = LoadRoofline(path);
  if (!file) return std::nullopt;
  Run run{std::move(*file), {}};
  const FoundMachine machine = FindMachine("", &run.file);
  if (machine.failed) return std::nullopt;
  run.analysis = Analyze(run.file.job, machine.machine ? &*machine.machine : nullptr);
  return run;
}

std::string Number(const Value& value) { return value ? fmt::format("{:.4g}", *value) : "-"; }

// after / before.
std::string Change(const Value& before, const Value& after) {
  if (!before || !after || *before == 0) return "-";
  return fmt::format("x{:.3g}", *after / *before);
}

void PrintRow(const char* what, const Value& before, const Value& after) {
  if (!before && !after) return;
  fmt::print("  {:<22} {:>12} {:>12} {:>9}\n", what, Number(before), Number(after),
             Change(before, after));
}

void PrintPath(const std::string& path, const PathAnalysis* before, const PathAnalysis* after) {
  fmt::print("{}\n", path);
  if (before == nullptr || after == nullptr) {
    fmt::print("  only in the {} run\n", before == nullptr ? "second" : "first");
    return;
  }
  constexpr auto kDram = static_cast<size_t>(MemoryLevel::kDram);
  PrintRow("calls", before->visits, after->visits);
  PrintRow("time, s", before->time_s, after->time_s);
  PrintRow("GFLOP/s", before->gflops, after->gflops);
  PrintRow("FLOPs", before->total_flops, after->total_flops);
  PrintRow("DRAM bytes", before->traffic_bytes[kDram], after->traffic_bytes[kDram]);
  PrintRow("intensity, FLOP/byte", before->roof_intensity, after->roof_intensity);
  PrintRow("attainable, GFLOP/s", before->bound.attainable_gflops, after->bound.attainable_gflops);
  PrintRow("efficiency", before->efficiency, after->efficiency);
}

int Compare(const Options& options) {
  const std::optional<Run> before = Load(options.before), after = Load(options.after);
  if (!before || !after) return kFailure;
  std::set<std::string> paths;
  for (const Run* run : {&*before, &*after}) {
    for (const PathInfo& info : run->file.job.paths) paths.insert(info.path);
  }
  fmt::print("  {:<22} {:>12} {:>12} {:>9}\n", "", "first", "second", "change");
  for (const std::string& path : paths) PrintPath(path, before->Find(path), after->Find(path));
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
