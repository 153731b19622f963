// SPDX-License-Identifier: BSD-3-Clause
//
// A roofline file that could be read can be written, read again, and reported in every form.
#ifndef ROOFMARK_TESTS_FUZZ_REPORTS_H_
#define ROOFMARK_TESTS_FUZZ_REPORTS_H_

#include <span>
#include <string>

#include "lib/core/terminal_text.h"
#include "lib/profile/roofline_json.h"
#include "lib/report/report.h"
#include "tests/fuzz/input.h"

namespace roofmark::fuzz {

inline void DemandReadable(const RooflineFile& file) {
  const std::string text = RooflineToJson(file);
  const Result<RooflineFile> again = RooflineFromJson(text, "F");
  Demand(static_cast<bool>(again), again ? "" : again.error());
  Demand(again->job.paths.size() == file.job.paths.size(), "the file has all paths");
}

inline void Report(const JobProfile& profile, std::span<const Machine> machines) {
  const ReportJob job = {"F", profile, Analyze(profile, machines)};
  const std::string table = RenderTable({job}, {}), chart = RenderChart({job}, {});
  Demand(PrintableLines(table) == table, "a table is printable");
  Demand(PrintableLines(chart) == chart, "a chart is printable");
  const std::string page = RenderHtml({job});
  Demand(page.find("<script") == std::string::npos, "a page has no script");
  RenderSvg({job});
  RenderCsv(job);
  RenderJson({job});
}

}  // namespace roofmark::fuzz

#endif  // ROOFMARK_TESTS_FUZZ_REPORTS_H_
