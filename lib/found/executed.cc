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

// The paths of all, in order.
std::vector<std::string> PathsOf(const std::vector<Executed>& parts) {
  std::vector<std::string> paths;
  for (const Executed& part : parts) {
    paths.insert(paths.end(), part.paths.begin(), part.paths.end());
  }
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  return paths;
}

// Parts have the numbers of these paths from here on. Without names they keep their own.
void Renumber(const std::vector<std::string>& paths, Executed& executed) {
  if (executed.paths.empty()) return;
  for (ExecutedModule& module : executed.modules) {
    for (ExecutedPart& part : module.parts) {
      const auto found = std::lower_bound(paths.begin(), paths.end(), executed.paths[part.path]);
      part.path = static_cast<uint32_t>(found - paths.begin());
    }
  }
}

}  // namespace

Executed MergeExecuted(std::vector<Executed> parts) {
  Executed merged;
  merged.paths = PathsOf(parts);
  std::map<std::string, ExecutedModule> by_file;
  for (Executed& part : parts) {
    Renumber(merged.paths, part);
    for (ExecutedModule& module : part.modules) {
      ExecutedModule& all = by_file[module.file];
      all.file = module.file;
      std::move(module.blocks.begin(), module.blocks.end(), std::back_inserter(all.blocks));
      std::move(module.ways.begin(), module.ways.end(), std::back_inserter(all.ways));
      std::move(module.parts.begin(), module.parts.end(), std::back_inserter(all.parts));
    }
  }
  for (auto& [file, module] : by_file) {
    Unite(module.blocks);
    Unite(module.ways);
    Unite(module.parts);
    merged.modules.push_back(std::move(module));
  }
  return merged;
}

}  // namespace roofmark
