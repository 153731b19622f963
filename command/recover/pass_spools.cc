// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/pass_spools.h"

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "lib/core/file.h"
#include "lib/spool/place.h"

namespace roofmark::cli {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> SpoolsIn(const std::string& place) {
  Result<std::vector<std::string>> files = spool::ListSpools(place);
  return files ? std::move(*files) : std::vector<std::string>();
}

// All killed jobs of this node may have left some in memory: those of before are not read. Other
// places can be on a server whose clock is another one.
std::vector<std::string> Candidates(const std::string& output, fs::file_time_type begin) {
  constexpr auto kClockStep = std::chrono::seconds(1);
  std::error_code error;
  std::vector<std::string> candidates;
  for (const std::string& place : spool::DefaultDirectories()) {
    for (std::string& file : SpoolsIn(place)) {
      const fs::file_time_type written = fs::last_write_time(file, error);
      if (error || written + kClockStep >= begin) candidates.push_back(std::move(file));
    }
  }
  std::vector<std::string> others = {fs::path(output).parent_path()};
  const char* chosen = std::getenv("ROOFMARK_SPOOL");
  if (chosen != nullptr && fs::is_directory(chosen, error)) others.push_back(chosen);
  for (const std::string& place : others) {
    for (std::string& file : SpoolsIn(place)) candidates.push_back(std::move(file));
  }
  return candidates;
}

bool IsOfPass(const FoundSpool& found, const std::string& output) {
  for (const PassInfo& pass : found.spool.described.run.passes) {
    const auto given = pass.settings.find("output");
    if (given != pass.settings.end() && given->second == LiteralPath(output)) return true;
  }
  return false;
}

PassSpools Look(const std::string& output, fs::file_time_type begin) {
  PassSpools spools;
  for (const std::string& file : Candidates(output, begin)) {
    Result<FoundSpool> found = ReadFoundSpool(file);
    if (!found || !IsOfPass(*found, output)) continue;
    const bool alive = found->life == spool::Life::kAlive;
    (alive ? spools.running : spools.ended).push_back(std::move(*found));
  }
  return spools;
}

}  // namespace

PassSpools SpoolsOfPass(const std::string& output, fs::file_time_type begin, double patience_s) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(patience_s);
  PassSpools spools = Look(output, begin);
  while (!spools.running.empty() && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    spools = Look(output, begin);
  }
  return spools;
}

}  // namespace roofmark::cli
