// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/caution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lib/core/tone.h"
#include "lib/report/first_table.h"
#include "lib/report/format.h"
#include "lib/report/health_words.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

constexpr size_t kMostCautions = 3;
constexpr std::string_view kCaution = "CAUTION  ";

// Said as a whole: no later line counts where times do not hold, and short ones need no second
// form.
bool IsSaidInFull(const HealthIssue& issue) {
  return MakesTimesDoubtful(issue) || issue.id == HealthId::kMissingRanks ||
         issue.id == HealthId::kNoisyRoofs;
}

std::string NamesOfIssue(const HealthIssue& issue, const ReportJob& job) {
  constexpr size_t kMostNames = 3;
  const std::vector<Row> rows = ReportRows(job.profile, job.analysis);
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(kMostNames, issue.paths.size()); ++i) {
    names.push_back(NameOf(rows[issue.paths[i]]));
  }
  const size_t more = issue.paths.size() - names.size();
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string UpTo(const HealthIssue& issue) {
  return fmt::format("up to {} ({} of the run)", Seconds(issue.cost->most), Percent(issue.share));
}

std::string VisitText(const HealthIssue& issue, const ReportJob& job) {
  const size_t path = issue.paths.front();
  const auto visits = VisitLengthsOf(job.profile, path);
  const size_t more = issue.paths.size() - 1;
  return fmt::format("one visit of {} took {} of {}{}",
                     NameOf(ReportRows(job.profile, job.analysis)[path]),
                     Seconds(visits->longest_s), Seconds(visits->all_s),
                     more > 0 ? fmt::format(", and so in {} more", more) : "");
}

}  // namespace

std::string CautionLine(const HealthIssue& issue, const ReportJob& job) {
  if (IsSaidInFull(issue)) return HealthSentence(issue, job);
  switch (issue.id) {
    case HealthId::kUnmeasuredNodes:
      return "nodes have no machine file, so the job has no roof";
    case HealthId::kOtherMachine:
      return "the roofs were measured on another node than " + Printable(issue.host);
    case HealthId::kLowClock:
      return fmt::format("the clock was {} of that of the machine file", Percent(issue.share));
    case HealthId::kSlowNodes:
      return fmt::format("{} is slow: its ranks take {:.2f}x as long as others",
                         Printable(job.profile.run.hosts[issue.slow.nodes.front().host].name),
                         issue.slow.nodes.front().ratio);
    case HealthId::kRunQueue:
      return "a thread waited for a CPU " + UpTo(issue);
    case HealthId::kDebugBuild:
      return "the program was compiled without optimisation: use -O2 or -O3, and -g";
    case HealthId::kAboveAttainable:
      return "faster than attainable: " + NamesOfIssue(issue, job);
    case HealthId::kPageFaults:
      return SaysPageFaults(job) ? std::string() : "page faults take " + UpTo(issue);
    case HealthId::kUnevenVisits:
      return VisitText(issue, job);
    case HealthId::kDeclaredDiffers:
      return "declared work contradicts what was counted";
    case HealthId::kExtrapolated:
      return "DRAM traffic is extrapolated, and uncertain: " + NamesOfIssue(issue, job);
    case HealthId::kRepeatsDiffer:
      return fmt::format("executions took {} to {}", Seconds(issue.cost->least),
                         Seconds(issue.cost->most));
    case HealthId::kMarkers:
      return fmt::format("markers take up to {} of the time of {}", Percent(issue.share),
                         NamesOfIssue(issue, job));
    case HealthId::kOutsideRegions:
      return {};
    default:
      return HealthSentence(issue, job);
  }
}

std::string CautionText(const ReportJob& job, size_t width, bool color) {
  std::string out;
  size_t shown = 0, more = 0;
  for (const HealthIssue& issue : HealthOf(job.profile, job.analysis)) {
    const std::string line = CautionLine(issue, job);
    if (line.empty()) continue;
    if (shown == kMostCautions) {
      ++more;
      continue;
    }
    const std::string begin =
        shown++ == 0 ? Toned(color, Tone::kCaution, kCaution) : std::string(kCaution.size(), ' ');
    out += Wrap(begin + line, width, kCaution.size());
  }
  if (shown == 0) return job.profile.paths.empty() ? std::string() : Wrap(kNoDoubt, width, 0);
  if (more > 0)
    out += fmt::format("{:{}}and {} more: see \"health\" below\n", "", kCaution.size(), more);
  return out;
}

std::vector<std::string> HealthBelow(const ReportJob& job) {
  std::vector<std::string> lines;
  size_t shown = 0;
  for (const HealthIssue& issue : HealthOf(job.profile, job.analysis)) {
    const bool is_shown = !CautionLine(issue, job).empty() && shown++ < kMostCautions;
    const std::string sentence = HealthSentence(issue, job);
    if (!is_shown || CautionLine(issue, job) != sentence) lines.push_back(sentence);
  }
  return lines;
}

}  // namespace roofmark
