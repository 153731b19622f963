// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/call_paths.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "lib/profile/region_name.h"

namespace roofmark {
namespace {

// How like a path is to the nests of a way of calls.
enum Alike : int { kNotAlike, kSameOrder, kSameEnd, kSame };

bool HasInOrder(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  auto wanted = some.begin();
  for (const std::string& one : all) {
    if (wanted != some.end() && *wanted == one) ++wanted;
  }
  return wanted == some.end();
}

const PlannedRange* RangeAt(const NestPlan& plan, uint32_t module, uint64_t offset) {
  const std::pair place(module, offset);
  const auto after = std::upper_bound(plan.ranges.begin(), plan.ranges.end(), place,
                                      [](const auto& at, const PlannedRange& range) {
                                        return at < std::pair(range.module, range.begin);
                                      });
  if (after == plan.ranges.begin()) return nullptr;
  const PlannedRange& range = *std::prev(after);
  return range.module == module && offset < range.end ? &range : nullptr;
}

}  // namespace

CallPaths::CallPaths(const NestPlan& plan, const Executed& executed)
    : plan_(plan), executed_(executed) {
  for (uint32_t i = 0; i < plan.modules.size(); ++i) modules_.emplace(plan.modules[i], i);
  for (const std::string& path : executed.paths) {
    Names names;
    for (std::string_view at = path; !at.empty(); at = ParentPath(at))
      names.push_back(LeafName(at));
    std::reverse(names.begin(), names.end());
    names_.push_back(std::move(names));
  }
}

std::vector<PathShare> CallPaths::Executors(const CodePlace& call) const {
  const auto module =
      std::find_if(executed_.modules.begin(), executed_.modules.end(),
                   [&call](const ExecutedModule& each) { return each.file == call.file; });
  std::vector<PathShare> executors;
  if (module == executed_.modules.end()) return executors;
  for (const ExecutedPart& part : module->parts) {
    if (part.begin > call.offset) break;
    const bool calls = part.layer == Layer::kWork && part.leads && part.times > 0;
    if (!calls || call.offset - part.begin >= part.bytes) continue;
    const auto known =
        std::find_if(executors.begin(), executors.end(),
                     [&part](const PathShare& each) { return each.path == part.path; });
    const auto times = static_cast<double>(part.times);
    if (known != executors.end()) {
      known->share += times;
    } else {
      executors.push_back({part.path, times});
    }
  }
  return executors;
}

// As an engine enters them: each once, and a nest after those around it.
CallPaths::Names CallPaths::NestsOf(std::span<const CodePlace> frames) const {
  std::vector<uint32_t> entered;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    const auto module = modules_.find(frame->file);
    if (module == modules_.end()) continue;
    const PlannedRange* range = RangeAt(plan_, module->second, frame->offset);
    std::vector<uint32_t> here;
    for (auto nest = range == nullptr ? std::nullopt : range->nest; nest;
         nest = plan_.nests[*nest].around) {
      here.push_back(*nest);
    }
    for (auto nest = here.rbegin(); nest != here.rend(); ++nest) {
      const uint32_t region = RegionOf(plan_, *nest);
      const bool is_known = std::find(entered.begin(), entered.end(), region) != entered.end();
      if (!is_known) entered.push_back(region);
    }
  }
  Names names;
  for (const uint32_t nest : entered) names.push_back(RegionName(plan_.nests[nest].name));
  return names;
}

int CallPaths::Likeness(const Names& names, uint32_t path) const {
  const Names& all = names_[path];
  if (all == names) return kSame;
  const auto begin = all.size() < names.size() ? all.end() : all.end() - std::ssize(names);
  if (std::equal(begin, all.end(), names.begin(), names.end())) return kSameEnd;
  return HasInOrder(all, names) ? kSameOrder : kNotAlike;
}

std::vector<PathShare> CallPaths::Of(std::span<const CodePlace> frames) const {
  std::vector<PathShare> executors;
  for (size_t i = 0; i < frames.size() && executors.empty(); ++i) executors = Executors(frames[i]);
  if (executors.empty()) return executors;
  const Names names = NestsOf(frames);
  int best = kNotAlike;
  for (const PathShare& one : executors) best = std::max(best, Likeness(names, one.path));
  std::erase_if(executors, [&](const PathShare& one) { return Likeness(names, one.path) < best; });
  double all = 0;
  for (const PathShare& one : executors) all += one.share;
  for (PathShare& one : executors) one.share /= all;
  return executors;
}

}  // namespace roofmark
