// SPDX-License-Identifier: BSD-3-Clause
#include "command/report_command.h"

#include "command/commands.h"
#include "command/files.h"
#include "command/loops/view.h"
#include "command/output.h"
#include "lib/report/report.h"

namespace roofmark::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string csv, svg, html, json, markdown;
  std::vector<std::string> machines;
  ReportStyle style;
  ChartKind chart = ChartKind::kRoofline;
  double svg_width_mm = 0;  // 0: not given
  SvgTheme svg_theme = SvgTheme::kLight;
  bool force = false;
};

constexpr double kLeastSvgMm = 60, kMostSvgMm = 1000;

ReportJob MakeJob(const RooflineFile& file, const std::string& name,
                  const std::vector<Machine>& machines) {
  return {name, file.job, Analyze(file.job, machines), {}};
}

// One file's machines: given for all, or its own.
std::optional<ReportJob> JobWithMachines(const RooflineFile& file, const std::string& name,
                                         const std::vector<std::string>& given) {
  const FoundMachines found = FindMachines(given, file, name);
  if (found.failed) return std::nullopt;
  if (!found.why_none.empty()) Say(found.why_none);
  return MakeJob(file, name, found.machines);
}

void Show(const std::vector<ReportJob>& jobs, const TextStyle& style,
          ChartKind kind = ChartKind::kRoofline) {
  Print(RenderTable(jobs, style) + "\n" + RenderChart(jobs, style, kind));
}

bool SaveWanted(const Options& options, const std::vector<ReportJob>& jobs) {
  bool saved = true;
  if (!options.csv.empty()) saved &= Save(options.csv, RenderCsv(jobs[0]), options.force);
  if (!options.markdown.empty()) {
    saved &= Save(options.markdown, RenderMarkdown(jobs), options.force);
  }
  if (!options.json.empty()) saved &= Save(options.json, RenderJson(jobs), options.force);
  if (!options.svg.empty()) {
    const std::string svg = RenderSvg(jobs, options.chart, options.svg_width_mm, options.svg_theme);
    saved &= Save(options.svg, svg, options.force);
  }
  if (!options.html.empty()) saved &= Save(options.html, RenderHtml(jobs), options.force);
  return saved;
}

int Report(const Options& options) {
  if (!options.csv.empty() && options.files.size() > 1) {
    Say("--csv takes one file, because the paths of several files could not be distinguished");
    return kUsage;
  }
  const std::optional<std::vector<RooflineFile>> files = LoadRooflines(options.files);
  if (!files) return kFailure;
  std::vector<ReportJob> jobs;
  for (size_t i = 0; i < files->size(); ++i) {
    std::optional<ReportJob> job = JobWithMachines((*files)[i], options.files[i], options.machines);
    if (!job) return kFailure;
    if (!options.json.empty() || !options.html.empty()) {
      job->loops = MakeLoopsView((*files)[i].hot, *job, {}, /*ask_mca=*/true);
    }
    jobs.push_back(std::move(*job));
  }
  // What goes to stdout is for programs: nothing else goes there.
  const bool for_programs = options.csv == "-" || options.json == "-" || options.markdown == "-";
  if (!for_programs) Show(jobs, Resolve(options.style), options.chart);
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
  auto options = std::make_shared<Options>();
  const Command command = line.Add("report", "Show tables and rooflines of roofline files");
  command.Value("FILE", options->files, "Roofline files").Required();
  command.Value("--csv", options->csv, "CSV in long form for programs; - is standard output")
      .Shown("FILE");
  command.Value("--json", options->json, "The whole analysis as JSON; - is standard output")
      .Shown("FILE");
  command
      .Value("--markdown", options->markdown,
             "Table for a pull request, as GitHub's Markdown; - is standard output")
      .Shown("FILE");
  command.Value("--svg", options->svg, "A picture").Shown("FILE");
  command
      .Value("--svg-width", options->svg_width_mm,
             "Width of the picture in millimetres, for papers: 85 is one of two columns")
      .Shown("MM")
      .Within(kLeastSvgMm, kMostSvgMm);
  command.Choice<SvgTheme>("--svg-theme", options->svg_theme,
                           {{"light", SvgTheme::kLight}, {"dark", SvgTheme::kDark}},
                           "Colours of the picture: dark for slides and pages that are dark");
  command.Value("--html", options->html, "A self-contained HTML page").Shown("FILE");
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
  command.Flag("--force", options->force, "Replace existing files");
  command.Runs([options] { return Report(*options); });
}

}  // namespace roofmark::cli
