// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "lib/spool/place.h"

namespace roofmark::cli {
namespace {

struct SpoolCandidate {
  std::string directory;
  size_t running = 0, ended = 0;  // processes
  bool times = false;             // one that has ended has times
  std::set<std::string> jobs;     // ids
  PassInfo pass;                  // of the last process that was read
};

SpoolCandidate Examine(const std::string& directory) {
  SpoolCandidate candidate;
  candidate.directory = directory;
  const Result<std::vector<std::string>> files = spool::ListSpools(directory);
  if (!files) return candidate;
  for (const std::string& file : *files) {
    const Result<FoundSpool> found = ReadFoundSpool(file);
    if (!found) continue;
    const bool running = found->life == spool::Life::kAlive;
    (running ? candidate.running : candidate.ended) += 1;
    candidate.jobs.insert(found->spool.described.run.job_id);
    if (found->spool.described.run.passes.empty()) continue;
    candidate.pass = found->spool.described.run.passes[0];
    candidate.times = candidate.times || (!running && candidate.pass.times_are_real);
  }
  return candidate;
}

// Those that are `better`, where there are any.
void Prefer(std::vector<SpoolCandidate>& candidates,
            const std::function<bool(const SpoolCandidate&)>& better) {
  if (std::none_of(candidates.begin(), candidates.end(), better)) return;
  std::erase_if(candidates, std::not_fn(better));
}

// What lies in the working directory is meant, and what else there is of it.
std::vector<std::string> WithTheSameJobs(const SpoolCandidate& here,
                                         const std::vector<std::string>& directories) {
  std::vector<std::string> chosen = {here.directory};
  for (const std::string& directory : directories) {
    if (Examine(directory).jobs == here.jobs) chosen.push_back(directory);
  }
  return chosen;
}

bool AreOfOneJob(const std::vector<SpoolCandidate>& candidates) {
  if (candidates.size() == 1) return true;
  const std::set<std::string>& jobs = candidates.front().jobs;
  return jobs.size() == 1 &&
         std::all_of(candidates.begin(), candidates.end(),
                     [&](const SpoolCandidate& one) { return one.jobs == jobs; });
}

std::string Describe(const SpoolCandidate& candidate) {
  std::string text = fmt::format("\n  {}  {} running, {} ended", candidate.directory,
                                 candidate.running, candidate.ended);
  if (!candidate.pass.command.empty()) {
    text += fmt::format(": {} ({}, started {})", fmt::join(candidate.pass.command, " "),
                        candidate.pass.collector, candidate.pass.start_time);
  }
  return text;
}

}  // namespace

Result<std::vector<std::string>> ChooseDirectories(const std::vector<std::string>& directories,
                                                   Wanted wanted) {
  if (directories.size() == 1) return directories;
  std::vector<SpoolCandidate> candidates;
  for (const std::string& directory : directories) candidates.push_back(Examine(directory));
  if (wanted == Wanted::kRunning) {
    Prefer(candidates, [](const SpoolCandidate& one) { return one.running != 0; });
  } else {
    Prefer(candidates, [](const SpoolCandidate& one) { return one.ended != 0; });
    Prefer(candidates, [](const SpoolCandidate& one) { return one.times; });
  }
  if (AreOfOneJob(candidates)) {
    std::vector<std::string> chosen;
    for (const SpoolCandidate& candidate : candidates) chosen.push_back(candidate.directory);
    return chosen;
  }
  if (wanted == Wanted::kRunning && candidates[0].running == 0) {
    return Error{
        fmt::format("no job of yours is running on this node; {} that have ended left spools, "
                    "which `roofmark recover` reads",
                    candidates.size())};
  }
  std::string list;
  for (const SpoolCandidate& candidate : candidates) list += Describe(candidate);
  return Error{"several jobs have spools on this node; give one of these directories:" + list};
}

Result<std::vector<std::string>> DirectoriesOfJobs(const std::vector<std::string>& directories,
                                                   const std::vector<std::string>& jobs) {
  std::vector<std::string> chosen;
  for (const std::string& directory : directories) {
    const SpoolCandidate candidate = Examine(directory);
    const bool any = std::any_of(jobs.begin(), jobs.end(), [&](const std::string& job) {
      return candidate.jobs.count(job) != 0;
    });
    if (any) chosen.push_back(directory);
  }
  if (!chosen.empty()) return chosen;
  return Error{fmt::format("no spool on this node is of job {}", fmt::join(jobs, ", "))};
}

Result<std::vector<std::string>> SpoolDirectories(const CollectOptions& options, Wanted wanted) {
  if (!options.directories.empty()) return options.directories;
  spool::RemoveAbandoned();
  const std::vector<std::string> found = spool::DefaultDirectories();
  if (wanted == Wanted::kEnded && options.jobs.empty()) {
    const SpoolCandidate here = Examine(".");
    if (!here.jobs.empty()) return WithTheSameJobs(here, found);
  }
  if (found.empty()) {
    return Error{
        "no job of yours has a spool on this node; give the directory of ROOFMARK_SPOOL, or that "
        "of its snapshots"};
  }
  if (!options.jobs.empty()) return DirectoriesOfJobs(found, options.jobs);
  return ChooseDirectories(found, wanted);
}

}  // namespace roofmark::cli
