// SPDX-License-Identifier: BSD-3-Clause
#include "command/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>

namespace roofmark::cli {
namespace {

std::vector<std::string> Collectors(const RunInfo& run) {
  std::vector<std::string> names;
  for (const PassInfo& pass : run.passes) names.push_back(pass.collector);
  return names;
}

// A sentence of MissingRanks().
bool IsOfMissingRanks(const std::string& warning) {
  static const std::regex& missing = *new std::regex(R"([0-9]+ of [0-9]+ ranks are missing(:.*)?)");
  return std::regex_match(warning, missing);
}

}  // namespace

std::vector<std::string> PartFiles(const std::vector<std::string>& places) {
  static const std::regex& part = *new std::regex(R"(.*\.part[0-9]+(\.[^/]*)?)");
  // Of roofmark_reduce(): as far as the rank had come then.
  static const std::regex& early = *new std::regex(R"(.*\.reduce[0-9]+\..*)");
  std::set<std::string> found;
  for (const std::string& place : places) {
    std::error_code error;
    // The same directory has one name; a part that is a link stays one, for ReadFound() to refuse.
    const std::filesystem::path directory = std::filesystem::canonical(place, error);
    for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
      const std::filesystem::path& path = entry.path();
      if (path.extension() != ".tmp" && std::regex_match(path.filename().string(), part) &&
          !std::regex_match(path.filename().string(), early)) {
        found.insert(path);
      }
    }
  }
  return {found.begin(), found.end()};
}

std::string MissingRanks(const std::map<uint32_t, std::string>& seen, uint32_t ranks) {
  constexpr size_t kMost = 10;
  const auto beyond = seen.lower_bound(ranks);
  const size_t missing = ranks - static_cast<size_t>(std::distance(seen.begin(), beyond));
  if (missing == 0) return "";
  std::string list;
  auto next = seen.begin();
  size_t listed = 0;
  for (uint32_t rank = 0; listed < std::min(kMost, missing); ++rank) {
    if (next != beyond && next->first == rank) {
      ++next;
      continue;
    }
    list += fmt::format("{}{}", list.empty() ? "" : ", ", rank);
    ++listed;
  }
  return fmt::format("{} of {} ranks are missing: {}{}", missing, ranks, list,
                     missing > kMost ? ", ..." : "");
}

namespace {

// Each rank is in one part. A file does not say which ranks it holds, where there are several: then
// no other part may have ranks of its nodes.
class RanksOfParts {
 public:
  // Says what is wrong with one more part, or nothing.
  std::string Take(const RunInfo& run, const std::string& name) {
    merged_ += run.ranks_merged;
    ranks_ = std::max(ranks_, run.ranks);
    const auto [known, fresh] = by_rank_.try_emplace(run.first_rank, name);
    if (!fresh) {
      return fmt::format("{} and {} both belong to rank {}; give the part of each rank once",
                         known->second, name, run.first_rank);
    }
    if (std::string why = TakeHosts(run, name); !why.empty()) return why;
    if (merged_ > ranks_) {
      return fmt::format(
          "with {} there are {} ranks of a job of {}; give the part of each rank once", name,
          merged_, ranks_);
    }
    return "";
  }

  std::string Missing() const {
    if (merged_ == by_rank_.size()) return MissingRanks(by_rank_, ranks_);
    return merged_ == ranks_ ? ""
                             : fmt::format("{} of {} ranks are missing", ranks_ - merged_, ranks_);
  }

 private:
  struct OfHost {
    std::string name;
    bool several;  // ranks in that file
  };

  std::string TakeHosts(const RunInfo& run, const std::string& name) {
    const bool several = run.ranks_merged > 1;
    for (const HostInfo& host : run.hosts) {
      const auto [known, fresh] = by_host_.try_emplace(host.name, OfHost{name, several});
      if (fresh || !(several || known->second.several)) continue;
      return fmt::format(
          "{} and {} both have ranks of node {}, and one of them holds several: whether a rank is "
          "in both is not known; give parts of one rank each, or one file for each node",
          known->second.name, name, host.name);
    }
    return "";
  }

  std::map<uint32_t, std::string> by_rank_;
  std::map<std::string, OfHost> by_host_;
  uint32_t merged_ = 0, ranks_ = 1;
};

}  // namespace

Result<RooflineFile> MergeParts(std::vector<RooflineFile> parts,
                                const std::vector<std::string>& names) {
  RanksOfParts ranks;
  for (size_t i = 0; i < parts.size(); ++i) {
    const RunInfo& run = parts[i].job.run;
    const RunInfo& first = parts[0].job.run;
    if (const std::string why = ranks.Take(run, names[i]); !why.empty()) return Error{why};
    if (run.ranks != first.ranks) {
      return Error{fmt::format(
          "{} belongs to a job of {} ranks and {} to a job of {}: they are parts of different jobs",
          names[0], first.ranks, names[i], run.ranks)};
    }
    if (Collectors(run) != Collectors(first)) {
      return Error{
          fmt::format("{} and {} were recorded by different collectors", names[0], names[i])};
    }
  }
  RooflineFile merged = std::move(parts[0]);
  for (size_t i = 1; i < parts.size(); ++i) MergeProfiles(merged.job, parts[i].job);
  std::vector<std::string>& warnings = merged.job.run.warnings;
  std::erase_if(warnings, &IsOfMissingRanks);  // of the parts
  const std::string missing = ranks.Missing();
  if (!missing.empty()) warnings.push_back(missing);
  return merged;
}

}  // namespace roofmark::cli
