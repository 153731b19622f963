// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/pass_spools.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include "command/pass_directory.h"
#include "lib/core/file.h"
#include "lib/spool/place.h"

namespace roofmark::cli {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> SpoolsIn(const std::string& place) {
  Result<std::vector<std::string>> files = spool::ListSpools(place);
  return files ? std::move(*files) : std::vector<std::string>();
}

void AddSpoolsIn(const std::string& place, std::vector<std::string>& candidates) {
  for (std::string& file : SpoolsIn(place)) candidates.push_back(std::move(file));
}

// All killed jobs of this node may have left some in memory: those of before are not read. Other
// places can be on a server whose clock is another one.
std::vector<std::string> Candidates(const std::vector<std::string>& beside,
                                    std::optional<fs::file_time_type> begin) {
  constexpr auto kClockStep = std::chrono::seconds(1);
  std::error_code error;
  std::vector<std::string> candidates;
  for (const std::string& place : spool::DefaultDirectories()) AddSpoolsIn(place, candidates);
  std::erase_if(candidates, [&](const std::string& file) {
    const fs::file_time_type written = fs::last_write_time(file, error);
    return begin && !error && written < *begin - kClockStep;
  });
  for (const std::string& place : beside) AddSpoolsIn(place, candidates);
  const char* chosen = std::getenv("ROOFMARK_SPOOL");
  if (chosen != nullptr && fs::is_directory(chosen, error)) AddSpoolsIn(chosen, candidates);
  return candidates;
}

// `is_of_it` is asked of a spool's ROOFMARK_OUTPUT.
template <typename IsOfIt>
PassSpools Look(const std::vector<std::string>& candidates, const IsOfIt& is_of_it) {
  const auto is_wanted = [&is_of_it](const PassInfo& pass) {
    const auto given = pass.settings.find("output");
    return given != pass.settings.end() && is_of_it(given->second);
  };
  PassSpools spools;
  for (const std::string& file : candidates) {
    Result<FoundSpool> found = ReadFoundSpool(file);
    if (!found) continue;
    const std::vector<PassInfo>& passes = found->spool.described.run.passes;
    if (std::none_of(passes.begin(), passes.end(), is_wanted)) continue;
    const bool alive = found->life == spool::Life::kAlive;
    (alive ? spools.running : spools.ended).push_back(std::move(*found));
  }
  return spools;
}

}  // namespace

PassSpools SpoolsOfPass(const std::string& output, fs::file_time_type begin, double patience_s) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(patience_s);
  const auto look = [&output, begin] {
    return Look(
        Candidates({fs::path(output).parent_path()}, begin),
        [wanted = LiteralPath(output)](const std::string& given) { return given == wanted; });
  };
  PassSpools spools = look();
  while (!spools.running.empty() && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    spools = look();
  }
  return spools;
}

// The name of the directory is unlike all others, and it may have been moved.
PassSpools SpoolsOfLeftPasses(const std::string& directory) {
  fs::path path(directory);
  if (!path.has_filename()) path = path.parent_path();
  const std::string part = "/" + LiteralPath(path.filename().string()) + "/";
  std::vector<std::string> places = PassDirectory::PlacesInside(directory);
  places.push_back(directory);
  return Look(Candidates(places, std::nullopt),
              [&part](const std::string& given) { return given.find(part) != std::string::npos; });
}

}  // namespace roofmark::cli
