// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/executed.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace roofmark {
namespace {

auto KeyOf(const ExecutedBlock& block) { return std::tuple(block.begin, block.bytes); }
auto KeyOf(const ExecutedWay& way) { return std::tuple(way.from, way.to, way.calls); }
auto KeyOf(const ExecutedCall& call) { return std::tuple(call.from, call.to_module, call.to); }
auto KeyOf(const ExecutedPart& part) {
  return std::tuple(part.begin, part.bytes, part.path, part.layer, part.leads);
}

// In order, those with one key added up.
template <typename Row>
void Unite(std::vector<Row>& rows) {
  std::sort(rows.begin(), rows.end(),
            [](const Row& one, const Row& other) { return KeyOf(one) < KeyOf(other); });
  size_t kept = 0;
  for (size_t i = 1; i < rows.size(); ++i) {
    if (KeyOf(rows[i]) != KeyOf(rows[kept])) {
      rows[++kept] = rows[i];
    } else {
      const uint64_t sum = rows[kept].times + rows[i].times;
      rows[kept].times = sum < rows[i].times ? UINT64_MAX : sum;
    }
  }
  if (!rows.empty()) rows.resize(kept + 1);
}

// In order, each once.
std::vector<std::string> EachOnce(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts;
}

// The paths of all.
std::vector<std::string> PathsOf(const std::vector<Executed>& parts) {
  std::vector<std::string> paths;
  for (const Executed& part : parts) {
    paths.insert(paths.end(), part.paths.begin(), part.paths.end());
  }
  return EachOnce(std::move(paths));
}

// Those of their modules.
std::vector<std::string> FilesOf(const std::vector<Executed>& parts) {
  std::vector<std::string> files;
  for (const Executed& part : parts) {
    for (const ExecutedModule& module : part.modules) files.push_back(module.file);
  }
  return EachOnce(std::move(files));
}

uint32_t IndexIn(const std::vector<std::string>& texts, const std::string& text) {
  return static_cast<uint32_t>(std::lower_bound(texts.begin(), texts.end(), text) - texts.begin());
}

// Parts have the numbers of these paths from here on. Without names they keep their own.
void Renumber(const std::vector<std::string>& paths, Executed& executed) {
  if (executed.paths.empty()) return;
  for (ExecutedModule& module : executed.modules) {
    for (ExecutedPart& part : module.parts) {
      part.path = IndexIn(paths, executed.paths[part.path]);
    }
  }
}

// Calls have the numbers of these files from here on.
void RenumberCalls(const std::vector<std::string>& files, Executed& executed) {
  std::vector<uint32_t> number;
  for (const ExecutedModule& module : executed.modules) {
    number.push_back(IndexIn(files, module.file));
  }
  for (ExecutedModule& module : executed.modules) {
    for (ExecutedCall& call : module.calls) call.to_module = number[call.to_module];
  }
}

}  // namespace

Executed MergeExecuted(std::vector<Executed> parts) {
  Executed merged;
  merged.paths = PathsOf(parts);
  const std::vector<std::string> files = FilesOf(parts);
  std::map<std::string, ExecutedModule> by_file;
  for (Executed& part : parts) {
    Renumber(merged.paths, part);
    RenumberCalls(files, part);
    for (ExecutedModule& module : part.modules) {
      ExecutedModule& all = by_file[module.file];
      all.file = module.file;
      std::move(module.blocks.begin(), module.blocks.end(), std::back_inserter(all.blocks));
      std::move(module.ways.begin(), module.ways.end(), std::back_inserter(all.ways));
      std::move(module.parts.begin(), module.parts.end(), std::back_inserter(all.parts));
      std::move(module.calls.begin(), module.calls.end(), std::back_inserter(all.calls));
    }
  }
  for (auto& [file, module] : by_file) {
    Unite(module.blocks);
    Unite(module.ways);
    Unite(module.parts);
    Unite(module.calls);
    merged.modules.push_back(std::move(module));
  }
  return merged;
}

}  // namespace roofmark
