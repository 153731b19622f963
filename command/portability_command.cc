// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark portability: how well one code uses several machines, by the metric of the 2018
// empirical roofline paper (equation 1).
#include <deque>

#include "command/commands.h"
#include "command/compared.h"
#include "command/output.h"
#include "command/report_files.h"
#include "command/report_style.h"
#include "lib/core/messages/command.h"
#include "lib/model/portability.h"
#include "lib/report/portability_report.h"

namespace roofmark::cli {
namespace {

struct PortabilityOptions {
  std::vector<std::string> files;
  bool csv = false;
  ReportFiles out;
  ReportStyle style;
};

std::optional<ReportJob> Load(const std::string& path) {
  std::string why_none;
  std::optional<ReportJob> job = LoadJob(path, true, &why_none);
  if (job && !why_none.empty()) {
    Say(message::kNoEfficiencies, path, why_none);
  }
  return job;
}

int RunPortability(const PortabilityOptions& options) {
  std::deque<ReportJob> jobs;  // platforms point into it
  std::vector<Platform> platforms;
  for (const std::string& path : options.files) {
    std::optional<ReportJob> job = Load(path);
    if (!job) return kFailure;
    jobs.push_back(std::move(*job));
    platforms.push_back({&jobs.back().profile, &jobs.back().analysis});
  }
  const std::vector<RegionPortability> regions = PortabilityOf(platforms);
  if (options.csv) {
    Print(RenderPortabilityCsv(regions, options.files));
  } else if (!options.out.ForPrograms()) {
    Print(RenderPortability(regions, options.files, Resolve(options.style)));
  }
  const bool saved = SaveReports(
      options.out, {{},
                    {},
                    [&] { return RenderPortabilitySvg(regions, jobs, options.out.picture); },
                    [&] { return RenderPortabilityHtml(regions, jobs); }});
  return saved ? 0 : kFailure;
}

}  // namespace

void AddPortabilityCommand(CommandLine& line) {
  auto options = std::make_shared<PortabilityOptions>();
  const Command command = line.Add(
      "portability",
      "Performance portability over roofline files of one code on several machines: the harmonic "
      "mean of its efficiencies, 0 where one is missing");
  command.Value("FILE", options->files, "Roofline files, one per platform").Required();
  command.Flag("--csv", options->csv, "Long form for programs");
  DeclarePictures(command, options->out);
  DeclareStyle(command, options->style, options->out, "");
  DeclareForce(command, options->out);
  command.Runs([options] { return RunPortability(*options); });
}

}  // namespace roofmark::cli
