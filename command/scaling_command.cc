// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark scaling: time, speedup and efficiency of each region over runs with different numbers of
// ranks or threads, and where efficiency is lost.
#include "command/commands.h"
#include "command/compared.h"
#include "command/files.h"
#include "command/output.h"
#include "command/report_files.h"
#include "command/report_style.h"
#include "lib/core/messages/command.h"
#include "lib/report/scaling_report.h"

namespace roofmark::cli {
namespace {

struct ScalingOptions {
  std::vector<std::string> files;
  ReportFiles out;
  ReportStyle style;
  bool strong = false, weak = false;
};

int RunScaling(const ScalingOptions& options) {
  if (options.files.size() < 2) {
    Say(message::kNameTwoToScale);
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
    Say(message::kSameWorkers, scaling.runs.front().workers);
    return kUsage;
  }
  if (!options.out.ForPrograms()) {
    Print(RenderScaling(scaling, options.files, Resolve(options.style)));
  }
  const bool saved =
      SaveReports(options.out, {[&] { return RenderScalingCsv(scaling, options.files); },
                                [&] { return RenderScalingMarkdown(scaling, options.files); },
                                [&] { return RenderScalingSvg(scaling, options.out.picture); },
                                [&] { return RenderScalingHtml(scaling, *jobs); }});
  return saved ? 0 : kFailure;
}

}  // namespace

void AddScalingCommand(CommandLine& line) {
  auto options = std::make_shared<ScalingOptions>();
  const Command command =
      line.Add("scaling",
               "Speedup and efficiency of regions over runs with different numbers of workers\n"
               "  roofmark scaling n1.json n2.json n4.json");
  command.Value("FILE", options->files, "Roofline files, one for each number of ranks or threads")
      .Required();
  command.Flag("--strong", options->strong,
               "The work is the same in all runs (default: FLOPs tell, else this)");
  command.Flag("--weak", options->weak, "The work grows with the workers").Excludes("--strong");
  DeclareTables(command, options->out);
  DeclarePictures(command, options->out);
  DeclareNoTable(command, options->out);
  DeclareStyle(command, options->style, options->out, "");
  DeclareForce(command, options->out);
  command.Runs([options] { return RunScaling(*options); });
}

}  // namespace roofmark::cli
