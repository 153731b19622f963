// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark portability: how well one code uses several machines, by the metric of the 2018
// empirical roofline paper (equation 1).
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "command/commands.h"
#include "command/files.h"
#include "command/output.h"
#include "command/report_style.h"
#include "lib/model/derived.h"
#include "lib/model/portability.h"
#include "lib/report/bars.h"
#include "lib/report/csv_field.h"
#include "lib/report/display_width.h"
#include "lib/report/format.h"

namespace roofmark::cli {
namespace {

constexpr size_t kColumn = 9;

struct Options {
  std::vector<std::string> files;
  bool csv = false;
  ReportStyle style;
};

struct Loaded {
  RooflineFile file;
  JobAnalysis analysis;
};

std::optional<Loaded> Load(const std::string& path) {
  std::optional<RooflineFile> file = LoadRoofline(path);
  if (!file) return std::nullopt;
  Loaded loaded{std::move(*file), {}};
  const FoundMachines found = FindMachines({}, loaded.file, path);
  if (found.failed) return std::nullopt;
  if (!found.why_none.empty()) {
    Say(fmt::format("{}: {}: this platform has no efficiencies", path, found.why_none));
  }
  loaded.analysis = Analyze(loaded.file.job, found.machines);
  return loaded;
}

std::string Share(const std::optional<double>& efficiency) {
  return efficiency ? fmt::format("{:.2f}%", *efficiency * 100) : "-";
}

std::string Name(const RegionPortability& region) {
  return region.path.empty() ? "whole run" : Printable(region.path);
}

void PrintTable(const std::vector<RegionPortability>& regions, const Options& options) {
  size_t width = 9;
  for (const RegionPortability& region : regions) {
    width = std::max(width, DisplayWidth(Name(region)));
  }
  width = std::min<size_t>(width, 40);
  for (size_t i = 0; i < options.files.size(); ++i) {
    Print("{}: {}\n", i + 1, Printable(options.files[i]));
  }
  for (size_t k = 0; k < kPairings; ++k) {
    Print("\n{}: {}\n{}", kEfficiencies[k], FindDerived(kEfficiencies[k])->doc,
          PadRight("", width));
    for (size_t i = 0; i < options.files.size(); ++i) {
      Print(" {}", PadLeft(std::to_string(i + 1), kColumn));
    }
    Print(" {}\n", PadLeft("PP", kColumn));
    for (const RegionPortability& region : regions) {
      Print(PadRight(Shorten(Name(region), width, ".."), width));
      for (const auto& efficiency : region.efficiency[k]) {
        Print(" {}", PadLeft(Share(efficiency), kColumn));
      }
      Print(" {}\n", PadLeft(Share(region.portability[k]), kColumn));
    }
  }
}

// The first of the efficiencies on each platform, and what they make together.
void PrintChart(const std::vector<RegionPortability>& regions, const Options& options) {
  std::vector<Bar> bars;
  for (const RegionPortability& region : regions) {
    for (size_t i = 0; i < options.files.size(); ++i) {
      bars.push_back({i == 0 ? (region.path.empty() ? "whole run" : region.path) : "",
                      std::to_string(i + 1), region.efficiency[0][i]});
    }
    bars.push_back({"", "PP", region.portability[0]});
  }
  Print("\n{}\n{}", kEfficiencies[0], RenderBars(bars, Resolve(options.style)));
}

// Long form: one line per region, efficiency and platform, then one for the metric (file empty).
void PrintCsv(const std::vector<RegionPortability>& regions, const Options& options) {
  Print("path,metric,file,value\n");
  for (const RegionPortability& region : regions) {
    for (size_t k = 0; k < kPairings; ++k) {
      for (size_t i = 0; i < options.files.size(); ++i) {
        const auto& efficiency = region.efficiency[k][i];
        Print("{},{},{},{}\n", CsvField(region.path), kEfficiencies[k], CsvField(options.files[i]),
              efficiency ? fmt::format("{}", *efficiency) : "");
      }
      Print("{},{},,{}\n", CsvField(region.path), kEfficiencies[k], region.portability[k]);
    }
  }
}

int RunPortability(const Options& options) {
  std::deque<Loaded> loaded;  // platforms point into it
  std::vector<Platform> platforms;
  for (const std::string& path : options.files) {
    std::optional<Loaded> one = Load(path);
    if (!one) return kFailure;
    loaded.push_back(std::move(*one));
    platforms.push_back({&loaded.back().file.job, &loaded.back().analysis});
  }
  const std::vector<RegionPortability> regions = PortabilityOf(platforms);
  if (options.csv) {
    PrintCsv(regions, options);
  } else {
    PrintTable(regions, options);
    PrintChart(regions, options);
  }
  return 0;
}

}  // namespace

void AddPortabilityCommand(CommandLine& line) {
  auto options = std::make_shared<Options>();
  const Command command = line.Add(
      "portability",
      "Performance portability over roofline files of one code on several machines: the harmonic "
      "mean of its efficiencies, 0 where one is missing");
  command.Value("FILE", options->files, "Roofline files, one per platform").Required();
  command.Flag("--csv", options->csv, "Long form for programs");
  DeclareStyle(command, options->style, "");
  command.Runs([options] { return RunPortability(*options); });
}

}  // namespace roofmark::cli
