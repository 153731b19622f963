// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

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

class Collector {
 public:
  explicit Collector(const CollectOptions& options) : options_(options) {}

  Result<Collected> Run() {
    for (const std::string& directory : options_.directories) {
      const Result<std::vector<std::string>> files = spool::ListSpools(directory);
      if (!files) return Error{files.error()};
      for (const std::string& file : *files) Read(file);
    }
    if (read_.empty() && collected_.notes.empty()) {
      return Error{fmt::format("{}: no spool is there; a job that ended well leaves none",
                               fmt::join(options_.directories, ", "))};
    }
    const std::string several = WhichJobs();
    if (!several.empty()) return Error{several};
    OneOfEachRank();
    return std::move(collected_);
  }

 private:
  void Note(std::string sentence) { collected_.notes.push_back(std::move(sentence)); }

  void Read(const std::string& file) {
    Result<Spool> spool = spool::ReadSpool(file);
    if (!spool) return Note(spool.error());
    const Life life =
        spool->frozen_unix_s != 0 ? Life::kDead : spool::LifeOf(spool->identity, file);
    if (life != Life::kDead && !options_.live) {
      return Note(fmt::format(
          "{}: process {} on {} {}; skipped (--live takes what it has so far)", file,
          spool->identity.pid, spool->identity.host,
          life == Life::kAlive ? "still runs" : "cannot be seen from here and may still run"));
    }
    read_.push_back({std::move(*spool), life});
  }

  std::string WhichJobs() {
    std::set<std::string> jobs;
    for (const FoundSpool& found : read_) jobs.insert(found.spool.described.run.job_id);
    if (options_.jobs.empty()) {
      if (jobs.size() <= 1) return {};
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

  void OneOfEachRank() {
    std::map<uint32_t, FoundSpool> best;
    for (FoundSpool& found : read_) {
      const uint32_t rank = found.spool.described.run.first_rank;
      const auto [known, fresh] = best.try_emplace(rank, std::move(found));
      if (fresh) continue;
      FoundSpool& kept = known->second;
      const bool same = kept.spool.identity == found.spool.identity;
      if (Better(found.spool, kept.spool)) std::swap(kept, found);
      if (same) continue;
      Note(fmt::format("{} and {} are both of rank {}: the later process is taken", kept.spool.file,
                       found.spool.file, rank));
    }
    for (auto& [rank, found] : best) collected_.spools.push_back(std::move(found));
  }

  const CollectOptions& options_;
  std::vector<FoundSpool> read_;
  Collected collected_;
};

}  // namespace

Result<std::vector<std::string>> SpoolDirectories(const std::vector<std::string>& given) {
  if (!given.empty()) return given;
  std::vector<std::string> found = spool::DefaultDirectories();
  if (found.size() == 1) return found;
  if (found.empty()) {
    return Error{
        "no job of yours has a spool on this node; give the directory that ROOFMARK_SPOOL named, "
        "or "
        "that of its snapshots"};
  }
  return Error{fmt::format("give one of these directories: {}", fmt::join(found, " "))};
}

Result<Collected> CollectSpools(const CollectOptions& options) { return Collector(options).Run(); }

}  // namespace roofmark::cli
