// SPDX-License-Identifier: BSD-3-Clause
#include "command/pass_files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "command/files.h"
#include "command/parts.h"
#include "lib/core/collector_names.h"
#include "lib/core/directory.h"
#include "lib/core/file.h"
#include "lib/core/file_name.h"
#include "lib/profile/roofline_json.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

bool IsOf(const std::string& file, const std::string& output) {
  const Result<RooflineFile> read = ReadRoofline(file, ComesFrom::kDirectory);
  if (!read) return false;
  const std::vector<PassInfo>& passes = read->job.run.passes;
  return std::any_of(passes.begin(), passes.end(), [&output](const PassInfo& pass) {
    const auto given = pass.settings.find("output");
    return given != pass.settings.end() && given->second == output;
  });
}

}  // namespace

bool IsEarlier(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

PassFiles FilesIn(const std::string& directory, const std::string& collector) {
  PassFiles left;
  std::error_code gone;  // the program may have removed it
  for (const auto& entry : fs::directory_iterator(directory, gone)) {
    const std::string name = entry.path().filename();
    if (name.rfind(collector, 0) != 0 || entry.path().extension() != ".json") continue;
    if (name == kNestsFile) continue;
    // Parts of the run that is merged whole, and what is no profile.
    const auto has = [&name](const char* text) { return name.find(text) != std::string::npos; };
    if (has(".reduce") || has(".samples") || has(".executed")) continue;
    (has(".late") ? left.late : has(".part") ? left.parts : left.whole).push_back(entry.path());
  }
  std::sort(left.whole.begin(), left.whole.end(), IsEarlier);
  std::sort(left.parts.begin(), left.parts.end());
  return left;
}

std::vector<std::string> CollectorsIn(const std::string& directory) {
  const PassFiles files = FilesIn(directory, "");
  std::set<std::string> names;
  for (const std::vector<std::string>* some : {&files.whole, &files.parts}) {
    for (const std::string& file : *some) {
      const std::string_view name = FileName(file);
      names.emplace(name.substr(0, name.find('.')));
    }
  }
  std::vector<std::string> collectors(names.begin(), names.end());
  std::stable_partition(collectors.begin(), collectors.end(),
                        [](const std::string& name) { return !RunsUnderEngine(name); });
  return collectors;
}

PassFiles FilesElsewhere(const std::string& output, const std::string& collector) {
  PassFiles found = FilesIn(TemporaryDirectory(), collector);
  for (std::vector<std::string>* files : {&found.whole, &found.parts, &found.late}) {
    std::erase_if(*files, [&output](const std::string& file) { return !IsOf(file, output); });
  }
  return found;
}

std::optional<RooflineFile> MergePartFiles(const std::vector<std::string>& names,
                                           std::vector<std::string>& notes) {
  if (names.empty()) return std::nullopt;
  std::vector<RooflineFile> parts;
  for (const std::string& name : names) {
    Result<RooflineFile> part = ReadRoofline(name, ComesFrom::kDirectory);
    if (!part) {
      notes.push_back(part.error());
      return std::nullopt;
    }
    parts.push_back(std::move(*part));
  }
  Result<RooflineFile> merged = MergeParts(std::move(parts), names);
  if (merged) return std::move(*merged);
  notes.push_back(merged.error());
  return std::nullopt;
}

}  // namespace roofmark::cli
