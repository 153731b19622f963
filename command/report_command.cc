// SPDX-License-Identifier: BSD-3-Clause
#include "command/report_command.h"

#include "command/commands.h"
#include "command/files.h"
#include "command/loops/view.h"
#include "command/output.h"
#include "command/report_files.h"
#include "lib/core/messages/command.h"
#include "lib/report/report.h"

namespace roofmark::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  std::string json;
  std::vector<std::string> machines;
  ReportFiles out;
  ReportStyle style;
  ChartKind chart = ChartKind::kRoofline;
};

ReportJob MakeJob(const RooflineFile& file, const std::string& name,
                  const std::vector<Machine>& machines) {
  return {name, file.job, Analyze(file.job, machines), {}};
}

// One file's machines: given for all, or its own.
std::optional<ReportJob> JobWithMachines(const RooflineFile& file, const std::string& name,
                                         const std::vector<std::string>& given) {
  const FoundMachines found = FindMachines(given, file, name);
  if (found.failed) return std::nullopt;
  if (!found.why_none.empty()) PassOn(found.why_none);
  return MakeJob(file, name, found.machines);
}

void Show(const std::vector<ReportJob>& jobs, const TextStyle& style,
          ChartKind kind = ChartKind::kRoofline) {
  Print(RenderTable(jobs, style) + "\n" + RenderChart(jobs, style, kind));
}

bool SaveWanted(const ReportOptions& options, const std::vector<ReportJob>& jobs) {
  bool saved = true;
  if (!options.json.empty()) saved = Save(options.json, RenderJson(jobs), options.out.force);
  return SaveReports(options.out,
                     {[&] { return RenderCsv(jobs[0]); }, [&] { return RenderMarkdown(jobs); },
                      [&] { return RenderSvg(jobs, options.chart, options.out.picture); },
                      [&] { return RenderHtml(jobs); }}) &&
         saved;
}

int Report(const ReportOptions& options) {
  if (!options.out.csv.empty() && options.files.size() > 1) {
    Say(message::kCsvTakesOneFile);
    return kUsage;
  }
  const std::optional<std::vector<RooflineFile>> files = LoadRooflines(options.files);
  if (!files) return kFailure;
  std::vector<ReportJob> jobs;
  for (size_t i = 0; i < files->size(); ++i) {
    std::optional<ReportJob> job = JobWithMachines((*files)[i], options.files[i], options.machines);
    if (!job) return kFailure;
    if (!options.json.empty() || !options.out.html.empty()) {
      job->loops = MakeLoopsView((*files)[i].hot, *job, {}, /*ask_mca=*/true);
    }
    jobs.push_back(std::move(*job));
  }
  if (!options.out.ForPrograms() && options.json != "-")
    Show(jobs, Resolve(options.style), options.chart);
  return SaveWanted(options, jobs) ? 0 : kFailure;
}

}  // namespace

void ShowRoofs(const Machine& machine, const ReportStyle& style) {
  Print(RenderMachine(machine, Resolve(style)));
}

void ShowReport(const std::vector<RooflineFile>& files, const std::vector<std::string>& names,
                const std::vector<Machine>& machines, const ReportStyle& style) {
  std::vector<ReportJob> jobs;
  for (size_t i = 0; i < files.size(); ++i) jobs.push_back(MakeJob(files[i], names[i], machines));
  Show(jobs, Resolve(style));
}

void AddReportCommand(CommandLine& line) {
  auto options = std::make_shared<ReportOptions>();
  const Command command = line.Add("report", "Show tables and rooflines of roofline files");
  command.Value("FILE", options->files, "Roofline files").Required();
  DeclareTables(command, options->out);
  command.Output("--json", options->json, "The whole analysis as JSON; - is standard output",
                 {.extension = "json", .force = &options->out.force});
  DeclarePictures(command, options->out);
  command.Choice<ChartKind>("--chart", options->chart,
                            {{"roofline", ChartKind::kRoofline},
                             {"hierarchical", ChartKind::kHierarchical},
                             {"cache-aware", ChartKind::kCacheAware}},
                            "Drawing and --svg: hierarchical has a dot per memory level, "
                            "cache-aware the intensity of loads and stores");
  command
      .Value("--machine", options->machines,
             "Machine file, one for each kind of node (default: those in FILE, or kept ones)")
      .Shown("FILE")
      .OneEachTime();
  DeclareStyle(command, options->style,
               "Show all regions, columns and ceilings, also of what takes below 1 % of the run");
  DeclareForce(command, options->out);
  command.Runs([options] { return Report(*options); });
}

}  // namespace roofmark::cli
