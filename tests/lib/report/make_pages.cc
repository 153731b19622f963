// SPDX-License-Identifier: BSD-3-Clause
//
// make_pages DIRECTORY: writes pages and pictures of jobs of all sizes there, of one run and of
// several, and pages with hostile texts, for tests in a browser and for people's eyes.
#include <cstdio>
#include <fstream>
#include <string>

#include "lib/report/portability_report.h"
#include "lib/report/report.h"
#include "lib/report/scaling_report.h"
#include "tests/lib/report/hostile_jobs.h"
#include "tests/lib/report/page_jobs.h"
#include "tests/lib/report/several_runs.h"

namespace {

bool Write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  return file.flush().good();
}

bool WriteSeveral(const std::string& directory) {
  using namespace roofmark;
  bool written = true;
  const auto write = [&](const std::string& name, const std::string& html, const auto& svg) {
    written &= Write(directory + name + ".html", html);
    written &= Write(directory + name + ".svg", svg(PictureStyle{}));
    written &= Write(directory + name + "-paper.svg", svg(PictureStyle{.width_mm = 85}));
    written &= Write(directory + name + "-dark.svg", svg(PictureStyle{0, SvgTheme::kDark}));
  };
  for (const size_t regions : {1, 5, 30, 500}) {
    for (const size_t executions : {1, 5}) {
      const test::TwoRuns runs = test::RegionsThatMove(regions, executions);
      write("compare" + std::to_string(regions) + (executions == 1 ? "-once" : ""),
            RenderComparisonHtml({runs.jobs()}),
            [&](const PictureStyle& style) { return RenderComparisonSvg({runs.jobs()}, style); });
    }
    for (const ScalingKind kind : {ScalingKind::kStrong, ScalingKind::kWeak}) {
      const test::ScaledJobs made = test::RegionsThatScale(regions, kind);
      write((kind == ScalingKind::kStrong ? "strong" : "weak") + std::to_string(regions),
            RenderScalingHtml(made.scaling, made.jobs),
            [&](const PictureStyle& style) { return RenderScalingSvg(made.scaling, style); });
    }
    const test::PortedJobs made = test::RegionsThatArePorted(regions);
    write("portability" + std::to_string(regions), RenderPortabilityHtml(made.regions, made.jobs),
          [&](const PictureStyle& style) {
            return RenderPortabilitySvg(made.regions, made.jobs, style);
          });
  }
  const std::vector<ReportJob> hostile = test::HostileJobs();
  const test::TwoRuns runs(hostile[0], hostile[1]);
  return Write(directory + "compare-hostile.html", RenderComparisonHtml({runs.jobs()})) && written;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string directory = std::string(argv[1]) + "/";
  bool written =
      Write(directory + "hostile.html", roofmark::RenderHtml(roofmark::test::HostileJobs()));
  written &=
      Write(directory + "hostile-long.html",
            roofmark::RenderHtml(roofmark::test::HostileJobs(roofmark::test::LongHostile())));
  for (const auto& size : roofmark::test::kPageSizes) {
    const roofmark::ReportJob job = roofmark::test::PageJob(size);
    const std::string base = directory + size.name;
    written &= Write(base + ".html", roofmark::RenderHtml({job}));
    written &= Write(base + ".svg", roofmark::RenderSvg({job}));
    written &= Write(base + "-paper.svg",
                     roofmark::RenderSvg({job}, roofmark::ChartKind::kRoofline, {.width_mm = 85}));
  }
  written &= WriteSeveral(directory);
  if (!written) std::perror(argv[1]);
  return written ? 0 : 1;
}
