// SPDX-License-Identifier: BSD-3-Clause
//
// make_pages DIRECTORY: writes pages and pictures of jobs of all sizes there, and a page with
// hostile texts, for tests in a browser and for people's eyes.
#include <cstdio>
#include <fstream>
#include <string>

#include "lib/report/report.h"
#include "tests/lib/report/hostile_jobs.h"
#include "tests/lib/report/page_jobs.h"

namespace {

bool Write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  return file.flush().good();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string directory = std::string(argv[1]) + "/";
  bool written =
      Write(directory + "hostile.html", roofmark::RenderHtml(roofmark::testing::HostileJobs()));
  written &=
      Write(directory + "hostile-long.html",
            roofmark::RenderHtml(roofmark::testing::HostileJobs(roofmark::testing::LongHostile())));
  for (const auto& size : roofmark::testing::kPageSizes) {
    const roofmark::ReportJob job = roofmark::testing::PageJob(size);
    const std::string base = directory + size.name;
    written &= Write(base + ".html", roofmark::RenderHtml({job}));
    written &= Write(base + ".svg", roofmark::RenderSvg({job}));
    written &=
        Write(base + "-paper.svg", roofmark::RenderSvg({job}, roofmark::ChartKind::kRoofline, 85));
  }
  if (!written) std::perror(argv[1]);
  return written ? 0 : 1;
}
