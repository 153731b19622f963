// SPDX-License-Identifier: BSD-3-Clause
//
// A roofline file that could be read can be written, read again, and reported in every form.
#ifndef ROOFMARK_TESTS_FUZZ_REPORTS_H_
#define ROOFMARK_TESTS_FUZZ_REPORTS_H_

#include <span>
#include <string>
#include <string_view>

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

// Where one begins or ends.
inline size_t Scripts(std::string_view page) {
  size_t count = 0;
  for (const std::string_view tag : {"<script", "</script", "<!--"}) {
    for (size_t at = page.find(tag); at != std::string_view::npos; at = page.find(tag, at + 1))
      ++count;
  }
  return count;
}

inline void Report(const JobProfile& profile, std::span<const Machine> machines) {
  const ReportJob job = {"F", profile, Analyze(profile, machines)};
  const std::string table = RenderTable({job}, {}), chart = RenderChart({job}, {});
  Demand(PrintableLines(table) == table, "a table is printable");
  Demand(PrintableLines(chart) == chart, "a chart is printable");
  static const size_t kScripts = Scripts(RenderHtml({ReportJob{"F", {}, Analyze({}, {})}}));
  Demand(Scripts(RenderHtml({job})) == kScripts, "a page has its own scripts alone");
  RenderSvg({job});
  RenderCsv(job);
  RenderJson({job});
}

}  // namespace roofmark::fuzz

#endif  // ROOFMARK_TESTS_FUZZ_REPORTS_H_
