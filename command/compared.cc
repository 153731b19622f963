// SPDX-License-Identifier: BSD-3-Clause
#include "command/compared.h"

#include <utility>

#include "command/files.h"
#include "command/output.h"

namespace roofmark::cli {

std::optional<ReportJob> LoadJob(const std::string& path, bool with_machines,
                                 std::string* why_no_machine) {
  std::optional<RooflineFile> file = LoadRoofline(path);
  if (!file) return std::nullopt;
  FoundMachines found;
  if (with_machines) found = FindMachines({}, *file, path);
  if (found.failed) return std::nullopt;
  if (why_no_machine != nullptr) *why_no_machine = found.why_none;
  JobAnalysis analysis = Analyze(file->job, found.machines);
  return ReportJob{path, std::move(file->job), std::move(analysis)};
}

std::optional<std::deque<ReportJob>> LoadJobs(const std::vector<std::string>& paths) {
  std::deque<ReportJob> jobs;
  for (const std::string& path : paths) {
    std::optional<ReportJob> job = LoadJob(path);
    if (!job) return std::nullopt;
    jobs.push_back(std::move(*job));
  }
  return jobs;
}

void ShowComparison(const ComparedJobs& jobs, const TextStyle& style) {
  Print(RenderComparison(jobs, style));
  const std::string movement = RenderMovement(jobs, style);
  if (!movement.empty()) Print("\n" + movement);
}

}  // namespace roofmark::cli
