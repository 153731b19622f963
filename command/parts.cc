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

Result<RooflineFile> MergeParts(std::vector<RooflineFile> parts,
                                const std::vector<std::string>& names) {
  std::map<uint32_t, std::string> seen;
  for (size_t i = 0; i < parts.size(); ++i) {
    const RunInfo& run = parts[i].job.run;
    const RunInfo& first = parts[0].job.run;
    if (run.ranks_merged != 1) {
      return Error{fmt::format("{} holds {} ranks already; `merge` takes parts of one rank each",
                               names[i], run.ranks_merged)};
    }
    const auto [known, fresh] = seen.try_emplace(run.first_rank, names[i]);
    if (!fresh) {
      return Error{fmt::format("{} and {} both belong to rank {}; give the part of each rank once",
                               known->second, names[i], run.first_rank)};
    }
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
  const std::string missing = MissingRanks(seen, merged.job.run.ranks);
  if (!missing.empty()) merged.job.run.warnings.push_back(missing);
  return merged;
}

}  // namespace roofmark::cli
