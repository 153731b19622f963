// SPDX-License-Identifier: BSD-3-Clause
#include "command/report_command.h"

#include "command/commands.h"
#include "command/files.h"
#include "command/loops/view.h"
#include "command/output.h"
#include "command/report_files.h"
#include "lib/core/messages/command.h"
#include "lib/report/drawn_regions.h"
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
  std::optional<DrawnRegions> drawn;
};

using Jobs = std::vector<ReportJob>;

ReportJob MakeJob(const RooflineFile& file, const std::string& name,
                  const std::vector<Machine>& machines) {
  return {name, file.job, Analyze(file.job, machines), {}, !file.hot.loops.empty()};
}

// One file's machines: given for all, or its own.
std::optional<ReportJob> JobWithMachines(const RooflineFile& file, const std::string& name,
                                         const std::vector<std::string>& given) {
  const FoundMachines found = FindMachines(given, file, name);
  if (found.failed) return std::nullopt;
  if (!found.why_none.empty()) PassOn(found.why_none);
  return MakeJob(file, name, found.machines);
}

// `drawings`: the jobs with what is drawn of them.
void Show(const Jobs& jobs, const Jobs& drawings, const TextStyle& style,
          ChartKind kind = ChartKind::kRoofline) {
  Print(RenderTable(jobs, style) + "\n" + RenderChart(drawings, style, kind));
}

// Nothing after saying why.
std::optional<Jobs> DrawingsOf(const Jobs& jobs, const DrawnRegions& regions) {
  if (const std::string why = regions.WhyUnknown(jobs); !why.empty()) {
    Say(message::kUnknownDrawnRegion, why);
    return std::nullopt;
  }
  Jobs drawings = jobs;
  for (ReportJob& job : drawings) job.drawn = regions.In(job.profile);
  return drawings;
}

bool SaveWanted(const ReportOptions& options, const Jobs& jobs, const Jobs& drawings) {
  bool saved = true;
  if (!options.json.empty()) saved = Save(options.json, RenderJson(jobs), options.out.force);
  return SaveReports(options.out,
                     {[&] { return RenderCsv(jobs[0]); }, [&] { return RenderMarkdown(jobs); },
                      [&] { return RenderSvg(drawings, options.chart, options.out.picture); },
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
  Jobs jobs;
  for (size_t i = 0; i < files->size(); ++i) {
    std::optional<ReportJob> job = JobWithMachines((*files)[i], options.files[i], options.machines);
    if (!job) return kFailure;
    if (!options.json.empty() || !options.out.html.empty()) {
      job->loops = MakeLoopsView((*files)[i].hot, *job, {}, /*ask_mca=*/true);
    }
    jobs.push_back(std::move(*job));
  }
  std::optional<Jobs> some;
  if (options.drawn && !(some = DrawingsOf(jobs, *options.drawn))) return kUsage;
  const Jobs& drawings = some ? *some : jobs;
  if (!options.out.ForPrograms() && options.json != "-")
    Show(jobs, drawings, Resolve(options.style), options.chart);
  return SaveWanted(options, jobs, drawings) ? 0 : kFailure;
}

}  // namespace

void ShowRoofs(const Machine& machine, const ReportStyle& style) {
  Print(RenderMachine(machine, Resolve(style)));
}

void ShowReport(const std::vector<RooflineFile>& files, const std::vector<std::string>& names,
                const std::vector<Machine>& machines, const ReportStyle& style) {
  Jobs jobs;
  for (size_t i = 0; i < files.size(); ++i) jobs.push_back(MakeJob(files[i], names[i], machines));
  Show(jobs, jobs, Resolve(style));
}

void AddReportCommand(CommandLine& line) {
  auto options = std::make_shared<ReportOptions>();
  const Command command = line.Add("report", "Show tables and rooflines of roofline files");
  command.Value("FILE", options->files, "Roofline files").Required();
  DeclareTables(command, options->out);
  command.Output("--json", options->json, "The whole analysis as JSON; - is standard output",
                 {.extension = "json", .force = &options->out.force});
  DeclarePictures(command, options->out);
  DeclareAspect(command, options->out);
  DeclareNoTable(command, options->out);
  command.Choice<ChartKind>("--chart", options->chart,
                            {{"roofline", ChartKind::kRoofline},
                             {"hierarchical", ChartKind::kHierarchical},
                             {"cache-aware", ChartKind::kCacheAware}},
                            "Drawing and pictures: hierarchical has a dot per memory level, "
                            "cache-aware the intensity of loads and stores");
  command
      .Read("--regions",
            "Drawing and pictures show these regions alone, in this order; patterns with commas: "
            "'solve/*,halo'",
            [options](const std::string& given) {
              Result<DrawnRegions> drawn = DrawnRegions::Parse(given);
              if (!drawn) return drawn.error();
              options->drawn = std::move(*drawn);
              return std::string();
            })
      .Shown("LIST");
  command
      .Value("--machine", options->machines,
             "Machine file, one for each kind of node (default: those in FILE, or kept ones)")
      .Shown("FILE")
      .OneEachTime();
  DeclareStyle(command, options->style, options->out,
               "Show all regions, columns and ceilings, also of what takes below 1 % of the run");
  DeclareForce(command, options->out);
  command.Runs([options] { return Report(*options); });
}

}  // namespace roofmark::cli
