// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/driver.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace roofmark::cupti {
namespace {

constexpr size_t kMostGpus = 256;

// What stands behind "key:" in a file of lines.
std::string ValueOf(const std::string& file, std::string_view key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, key.size(), key) != 0 || line[key.size()] != ':') continue;
    const size_t begin = line.find_first_not_of(" \t", key.size() + 1);
    if (begin == std::string::npos) return {};
    return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  }
  return {};
}

}  // namespace

DriverFacts ReadDriver(const std::string& root) {
  DriverFacts facts;
  facts.version = ValueOf(root + "/version", "NVRM version");
  facts.loaded = !facts.version.empty();
  facts.administrators_only = ValueOf(root + "/params", "RmProfilingAdminOnly") == "1";
  std::vector<std::string> folders;
  std::error_code error;
  for (std::filesystem::directory_iterator at(root + "/gpus", error), end;
       !error && at != end && folders.size() < kMostGpus; at.increment(error)) {
    folders.push_back(at->path().string());
  }
  std::sort(folders.begin(), folders.end());
  for (const std::string& folder : folders) {
    const std::string information = folder + "/information";
    facts.gpus.push_back({ValueOf(information, "Model"), ValueOf(information, "GPU UUID")});
  }
  return facts;
}

}  // namespace roofmark::cupti
