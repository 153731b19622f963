// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark scaling: time, speedup and efficiency of each region over runs with different numbers of
// ranks or threads, and where efficiency is lost.
#include <fmt/format.h>

#include "command/commands.h"
#include "command/compared.h"
#include "command/files.h"
#include "command/output.h"
#include "command/report_style.h"
#include "lib/report/scaling_report.h"

namespace roofmark::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string csv, markdown;
  ReportStyle style;
  bool strong = false, weak = false, force = false;
};

int RunScaling(const Options& options) {
  if (options.files.size() < 2) {
    Say("name two roofline files or more, of runs with different numbers of ranks or threads");
    return kUsage;
  }
  const auto jobs = LoadJobs(options.files);
  if (!jobs) return kFailure;
  std::vector<ComparedRun> runs;
  for (const ReportJob& job : *jobs) runs.push_back({job.profile, job.analysis});
  std::optional<ScalingKind> kind;
  if (options.strong) kind = ScalingKind::kStrong;
  if (options.weak) kind = ScalingKind::kWeak;
  const Scaling scaling = ScalingOf(runs, kind);
  if (scaling.runs.front().workers == scaling.runs.back().workers) {
    Say(
        fmt::format("all of these runs have {:g} workers (ranks x threads): `roofmark compare` "
                    "shows what changed",
                    scaling.runs.front().workers));
    return kUsage;
  }
  if (options.csv != "-" && options.markdown != "-") {
    Print(RenderScaling(scaling, options.files, Resolve(options.style)));
  }
  bool saved = true;
  if (!options.csv.empty()) {
    saved &= Save(options.csv, RenderScalingCsv(scaling, options.files), options.force);
  }
  if (!options.markdown.empty()) {
    saved &= Save(options.markdown, RenderScalingMarkdown(scaling, options.files), options.force);
  }
  return saved ? 0 : kFailure;
}

}  // namespace

void AddScalingCommand(CommandLine& line) {
  auto options = std::make_shared<Options>();
  const Command command =
      line.Add("scaling",
               "Speedup and efficiency of regions over runs with different numbers of workers\n"
               "  roofmark scaling n1.json n2.json n4.json");
  command.Value("FILE", options->files, "Roofline files, one for each number of ranks or threads")
      .Required();
  command.Flag("--strong", options->strong,
               "The work is the same in all runs (default: FLOPs tell, else this)");
  command.Flag("--weak", options->weak, "The work grows with the workers").Excludes("--strong");
  command.Value("--csv", options->csv, "CSV in long form for programs; - is standard output")
      .Shown("FILE");
  command
      .Value("--markdown", options->markdown,
             "Table for a pull request, as GitHub's Markdown; - is standard output")
      .Shown("FILE");
  DeclareStyle(command, options->style, "");
  command.Flag("--force", options->force, "Replace existing files");
  command.Runs([options] { return RunScaling(*options); });
}

}  // namespace roofmark::cli
