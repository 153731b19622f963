// SPDX-License-Identifier: BSD-3-Clause
#include "command/recover/pass_spools.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "lib/core/file.h"
#include "lib/spool/place.h"

namespace roofmark::cli {
namespace {

std::vector<std::string> Places(const std::string& output) {
  std::vector<std::string> places = spool::DefaultDirectories();
  const char* chosen = std::getenv("ROOFMARK_SPOOL");
  std::error_code error;
  if (chosen != nullptr && std::filesystem::is_directory(chosen, error)) places.push_back(chosen);
  places.push_back(std::filesystem::path(output).parent_path());
  return places;
}

bool IsOfPass(const FoundSpool& found, const std::string& output) {
  for (const PassInfo& pass : found.spool.described.run.passes) {
    const auto given = pass.settings.find("output");
    if (given != pass.settings.end() && given->second == LiteralPath(output)) return true;
  }
  return false;
}

PassSpools Look(const std::string& output) {
  PassSpools spools;
  for (const std::string& place : Places(output)) {
    const Result<std::vector<std::string>> files = spool::ListSpools(place);
    if (!files) continue;
    for (const std::string& file : *files) {
      Result<FoundSpool> found = ReadFoundSpool(file);
      if (!found || !IsOfPass(*found, output)) continue;
      const bool alive = found->life == spool::Life::kAlive;
      (alive ? spools.running : spools.ended).push_back(std::move(*found));
    }
  }
  return spools;
}

}  // namespace

PassSpools SpoolsOfPass(const std::string& output, double patience_s) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(patience_s);
  PassSpools spools = Look(output);
  while (!spools.running.empty() && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    spools = Look(output);
  }
  return spools;
}

}  // namespace roofmark::cli
