// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/assemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "command/files.h"
#include "command/parts.h"

namespace roofmark::cli {
namespace {

// "0, 1, 2, ... (17 in all)".
std::string Ranks(const std::vector<uint32_t>& ranks) {
  constexpr size_t kMost = 8;
  const std::vector<uint32_t> shown(
      ranks.begin(), ranks.begin() + static_cast<ptrdiff_t>(std::min(kMost, ranks.size())));
  return ranks.size() > kMost
             ? fmt::format("{}, ... ({} in all)", fmt::join(shown, ", "), ranks.size())
             : fmt::format("{}", fmt::join(shown, ", "));
}

class Assembler {
 public:
  explicit Assembler(const Collected& collected) : collected_(collected) {
    notes_ = collected.notes;
  }

  Assembled Run(const std::vector<std::string>& part_places) {
    for (const FoundSpool& found : collected_.spools)
      jobs_.insert(found.spool.described.run.job_id);
    for (const std::string& file : PartFiles(part_places)) TakePart(file);
    for (const FoundSpool& found : collected_.spools) TakeSpool(found);
    for (auto& [rank, job] : by_rank_) job.run.ranks = std::max(job.run.ranks, ranks_);
    auto at = by_rank_.begin();
    Assembled done{{std::move(at->second), {}}, std::move(parts_), {}};
    for (++at; at != by_rank_.end(); ++at) MergeProfiles(done.file.job, at->second);
    PruneRankHosts(done.file.job);
    Warn(done);
    return done;
  }

 private:
  void TakePart(const std::string& file) {
    Result<RooflineFile> part = ReadRoofline(file, ComesFrom::kDirectory);
    if (!part) {
      notes_.push_back(part.error());
      return;
    }
    RunInfo& run = part->job.run;
    if (jobs_.count(run.job_id) == 0 || run.ranks_merged != 1) return;
    if (!Add(std::move(part->job))) {
      notes_.push_back(fmt::format("{}: another part of the same rank was taken", file));
      return;
    }
    parts_.push_back(file);
  }

  void TakeSpool(const FoundSpool& found) {
    JobProfile job = FoldFound(found);
    const uint32_t rank = job.run.first_rank;
    for (const PathInfo& info : job.paths) {
      if (info.unfinished != 0 && by_rank_.count(rank) == 0) open_[info.path].push_back(rank);
    }
    if (!Add(std::move(job))) return;  // it wrote its part, and died afterwards
    if (found.life == spool::Life::kAlive) running_.push_back(rank);
    if (found.spool.frozen_unix_s != 0) {
      copied_.push_back(rank);
      oldest_ = std::min(oldest_, found.spool.frozen_unix_s);
    }
  }

  bool Add(JobProfile&& job) {
    ranks_ = std::max(ranks_, job.run.ranks);
    const uint32_t rank = job.run.first_rank;
    return by_rank_.try_emplace(rank, std::move(job)).second;
  }

  void Warn(Assembled& done) {
    std::vector<std::string>& warnings = done.file.job.run.warnings;
    for (const auto& [path, ranks] : open_) {
      warnings.push_back(
          fmt::format("region \"{}\" was not finished in rank{} {} when this was recovered: the "
                      "visit that was open is in no figure",
                      path, ranks.size() == 1 ? "" : "s", Ranks(ranks)));
    }
    if (!copied_.empty()) {
      warnings.push_back(fmt::format(
          "of rank{} {} there is a snapshot only; the oldest is of {}: what came later is lost",
          copied_.size() == 1 ? "" : "s", Ranks(copied_), Utc(oldest_)));
    }
    if (!running_.empty()) {
      warnings.push_back(fmt::format("rank{} {} still ran when this was recovered",
                                     running_.size() == 1 ? "" : "s", Ranks(running_)));
    }
    std::map<uint32_t, std::string> seen;
    for (const auto& [rank, job] : by_rank_) seen[rank] = "";
    const std::string missing = MissingRanks(seen, ranks_);
    if (!missing.empty()) warnings.push_back(missing);
    warnings.insert(warnings.end(), notes_.begin(), notes_.end());
    done.notes = warnings;
  }

  static std::string Utc(uint64_t unix_s) {
    const auto time = static_cast<time_t>(unix_s);
    tm parts = {};
    gmtime_r(&time, &parts);
    char text[32];
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
  }

  const Collected& collected_;
  std::set<std::string> jobs_;
  std::map<uint32_t, JobProfile> by_rank_;
  uint32_t ranks_ = 1;
  std::map<std::string, std::vector<uint32_t>> open_;  // unfinished regions: ranks
  std::vector<uint32_t> copied_, running_;
  uint64_t oldest_ = UINT64_MAX;
  std::vector<std::string> parts_, notes_;
};

}  // namespace

Assembled Assemble(const Collected& collected, const std::vector<std::string>& part_places) {
  return Assembler(collected).Run(part_places);
}

}  // namespace roofmark::cli
