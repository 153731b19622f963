// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/collect.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "lib/core/clock.h"
#include "lib/core/launcher.h"
#include "lib/spool/fold_spool.h"
#include "lib/spool/place.h"

namespace roofmark::cli {
namespace {

using spool::Life;
using spool::Spool;

std::string StartTime(const Spool& spool) {
  const auto& passes = spool.described.run.passes;
  return passes.empty() ? std::string() : passes[0].start_time;
}

uint64_t Visits(const Spool& spool) {
  uint64_t visits = 0;
  for (const auto& thread : spool.input.threads) {
    for (const ThreadPathTotals& totals : thread) visits += totals.visits;
  }
  return visits;
}

// The spool of a process knows more than its copies; of two processes that had one rank after
// another (a program that replaced itself, a job started anew) the later one counts.
bool Better(const Spool& a, const Spool& b) {
  if (a.identity == b.identity) {
    if (a.handed_in.has_value() != b.handed_in.has_value()) return a.handed_in.has_value();
    return Visits(a) > Visits(b);
  }
  return StartTime(a) > StartTime(b);
}

std::filesystem::path FolderOf(const FoundSpool& found) {
  return std::filesystem::path(found.spool.file).parent_path();
}

// `left` had the rank of `kept` before it.
void StandFor(FoundSpool& kept, const FoundSpool& left) {
  std::vector<std::string>& files = kept.earlier;
  if (left.life == Life::kDead && FolderOf(left) == FolderOf(kept)) {
    files.push_back(left.spool.file);
  }
  files.insert(files.end(), left.earlier.begin(), left.earlier.end());
}

class SpoolCollector {
 public:
  explicit SpoolCollector(const CollectOptions& options) : options_(options) {}

  Result<Collected> Run() {
    for (const std::string& directory : options_.directories) {
      const Result<std::vector<std::string>> files = spool::ListSpools(directory);
      if (!files) return Error{files.error()};
      for (const std::string& file : *files) Read(file);
    }
    NoteOtherHosts();
    if (read_.empty() && collected_.notes.empty()) {
      return Error{fmt::format("{}: no spool is there; a job that ended well leaves none",
                               fmt::join(options_.directories, ", "))};
    }
    const std::string several = WhichJobs();
    if (!several.empty()) return Error{several};
    collected_.spools = OneOfEachRank(std::move(read_), collected_.notes);
    return std::move(collected_);
  }

 private:
  void Note(std::string sentence) { collected_.notes.push_back(std::move(sentence)); }

  void Read(const std::string& file) {
    Result<FoundSpool> found = ReadFoundSpool(file);
    if (!found) return Note(found.error());
    const spool::Identity& identity = found->spool.identity;
    if (found->life == Life::kAlive && !options_.live) {
      return Note(fmt::format(
          "{}: process {} on {} is still running; skipped (--live includes its data so far)", file,
          identity.pid, identity.host));
    }
    if (found->life == Life::kUnknown) other_hosts_.insert(identity.host);
    read_.push_back(std::move(*found));
  }

  // Spools of a job of several nodes lie in a file system that a login node sees, which
  // cannot tell whether their processes run.
  void NoteOtherHosts() {
    if (other_hosts_.empty()) return;
    Note(
        fmt::format("processes on {} cannot be seen from here: if they still run, this is what "
                    "they did so far; their spools are kept",
                    fmt::join(other_hosts_, ", ")));
  }

  // Where each node has its own number for the job, as with hydra: one of a kind that no scheduler
  // gave, one for each host, and no rank is there twice.
  bool AreOneJobOfSeveralNodes() const {
    std::set<std::pair<std::string, std::string>> pairs;
    std::set<uint32_t> ranks, sizes;
    for (const FoundSpool& found : read_) {
      const RunInfo& run = found.spool.described.run;
      if (!run.job_id.starts_with(kHydraJob)) return false;
      pairs.emplace(run.job_id, found.spool.identity.host);
      sizes.insert(run.ranks);
      if (!ranks.insert(run.first_rank).second) return false;
    }
    std::set<std::string> jobs, hosts;
    for (const auto& [job, host] : pairs) {
      jobs.insert(job);
      hosts.insert(host);
    }
    return sizes.size() == 1 && jobs.size() == pairs.size() && hosts.size() == pairs.size();
  }

  std::string WhichJobs() {
    std::set<std::string> jobs;
    for (const FoundSpool& found : read_) jobs.insert(found.spool.described.run.job_id);
    if (options_.jobs.empty()) {
      if (jobs.size() <= 1 || AreOneJobOfSeveralNodes()) return {};
      return fmt::format("{} hold spools of several jobs ({}): choose with --job",
                         fmt::join(options_.directories, ", "), fmt::join(jobs, ", "));
    }
    std::erase_if(read_, [this](const FoundSpool& found) {
      const std::string& id = found.spool.described.run.job_id;
      return std::find(options_.jobs.begin(), options_.jobs.end(), id) == options_.jobs.end();
    });
    return read_.empty() && !jobs.empty()
               ? fmt::format("no spool is of job {}; there is {}", fmt::join(options_.jobs, ", "),
                             fmt::join(jobs, ", "))
               : "";
  }

  const CollectOptions& options_;
  std::vector<FoundSpool> read_;
  std::set<std::string> other_hosts_;  // of processes that cannot be seen from here
  Collected collected_;
};

}  // namespace

Result<FoundSpool> WithItsLife(Spool spool) {
  const bool copy = spool.frozen_unix_s != 0;
  const Life life = copy ? Life::kDead : spool::LifeOf(spool.identity, spool.file);
  // A process removes its spool before it ends well: what was read has its place elsewhere by now.
  if (life == Life::kDead && access(spool.file.c_str(), F_OK) != 0 && errno == ENOENT) {
    return Error{fmt::format("{}: its process ended well meanwhile, and removed it", spool.file)};
  }
  return FoundSpool{std::move(spool), life};
}

Result<FoundSpool> ReadFoundSpool(const std::string& file) {
  Result<Spool> spool = spool::ReadSpool(file);
  if (!spool) return Error{spool.error()};
  return WithItsLife(std::move(*spool));
}

JobProfile FoldFound(const FoundSpool& found) {
  JobProfile job = spool::FoldSpool(found.spool);
  const spool::Identity& identity = found.spool.identity;
  const bool runs_here =
      found.life == Life::kAlive && std::strcmp(spool::ThisProcess().boot, identity.boot) == 0;
  if (runs_here && !job.run.passes.empty()) {
    job.run.passes[0].wall_s = static_cast<double>(NowNs() - found.spool.born.ns) * 1e-9;
  }
  return job;
}

std::vector<FoundSpool> OneOfEachRank(std::vector<FoundSpool> found,
                                      std::vector<std::string>& notes) {
  std::map<uint32_t, FoundSpool> best;
  for (FoundSpool& one : found) {
    const uint32_t rank = one.spool.described.run.first_rank;
    const auto [known, fresh] = best.try_emplace(rank, std::move(one));
    if (fresh) continue;
    FoundSpool& kept = known->second;
    const bool same = kept.spool.identity == one.spool.identity;
    if (Better(one.spool, kept.spool)) std::swap(kept, one);
    if (same) continue;
    StandFor(kept, one);
    notes.push_back(fmt::format("{} and {} both belong to rank {}: the later process is used",
                                kept.spool.file, one.spool.file, rank));
  }
  std::vector<FoundSpool> chosen;
  for (auto& [rank, one] : best) chosen.push_back(std::move(one));
  return chosen;
}

Result<Collected> CollectSpools(const CollectOptions& options) {
  return SpoolCollector(options).Run();
}

void RemoveSpools(const std::vector<FoundSpool>& spools) {
  for (const FoundSpool& found : spools) {
    if (found.life != Life::kDead) continue;
    unlink(found.spool.file.c_str());
    for (const std::string& file : found.earlier) unlink(file.c_str());
    spool::RemoveDirectory(FolderOf(found));
  }
}

}  // namespace roofmark::cli
