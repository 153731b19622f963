// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/changed_code.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofmark {
namespace {

enum : size_t { kBefore, kAfter };
// By place: how many executions of blocks begin there, less those that end.
using Steps = std::map<uint64_t, std::array<double, 2>>;

void AddSteps(const Executed& executed, size_t which, std::map<std::string, Steps>& by_file) {
  for (const ExecutedModule& module : executed.modules) {
    Steps& steps = by_file[module.file];
    for (const ExecutedBlock& block : module.blocks) {
      steps[block.begin][which] += static_cast<double>(block.times);
      steps[block.begin + block.bytes][which] -= static_cast<double>(block.times);
    }
  }
}

}  // namespace

ChangedCode::ChangedCode(const Executed& before, std::span<const Executed* const> after) {
  std::map<std::string, Steps> by_file;
  AddSteps(before, kBefore, by_file);
  for (const Executed* one : after) AddSteps(*one, kAfter, by_file);
  for (const auto& [file, steps] : by_file) {
    double times[2] = {};
    for (const auto& [begin, step] : steps) {
      for (const size_t which : {kBefore, kAfter}) times[which] += step[which];
      const double most = std::max(times[kBefore], times[kAfter]);
      const double share = most > 0 ? std::abs(times[kBefore] - times[kAfter]) / most : 0;
      by_file_[file].push_back({begin, share});
    }
  }
}

double ChangedCode::DifferingBytes(const std::string& file, uint64_t begin, uint32_t bytes) const {
  const auto found = by_file_.find(file);
  if (found == by_file_.end()) return 0;
  const std::vector<Stretch>& stretches = found->second;
  const uint64_t end = begin + bytes;
  auto next =
      std::partition_point(stretches.begin(), stretches.end(),
                           [begin](const Stretch& stretch) { return stretch.begin <= begin; });
  double differing = 0;
  for (uint64_t at = begin; at < end; ++next) {
    const double share = next == stretches.begin() ? 0 : std::prev(next)->share;
    const uint64_t until = next == stretches.end() ? end : std::min(next->begin, end);
    differing += share * static_cast<double>(until - at);
    at = until;
    if (next == stretches.end()) break;
  }
  return differing;
}

}  // namespace roofmark
