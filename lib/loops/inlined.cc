// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/inlined.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace roofmark::loops {
namespace {

// How often each instruction was executed.
class Executions {
 public:
  explicit Executions(const std::vector<Block>& blocks) {
    std::map<uint64_t, int64_t> changes;
    for (const Block& block : blocks) {
      changes[block.begin] += static_cast<int64_t>(block.times);
      changes[block.begin + block.bytes] -= static_cast<int64_t>(block.times);
    }
    int64_t times = 0;
    for (const auto& [offset, change] : changes) {
      times += change;
      steps_.emplace_back(offset, static_cast<uint64_t>(times));
    }
  }
  uint64_t At(uint64_t offset) const {
    const auto after = After(offset);
    return after == steps_.begin() ? 0 : std::prev(after)->second;
  }
  bool Any(uint64_t begin, uint64_t end) const {
    if (At(begin) > 0) return true;
    const auto last = After(end - 1);
    return std::any_of(After(begin), last, [](const auto& step) { return step.second > 0; });
  }

 private:
  using Steps = std::vector<std::pair<uint64_t, uint64_t>>;
  Steps::const_iterator After(uint64_t offset) const {
    return std::upper_bound(steps_.begin(), steps_.end(), std::pair(offset, UINT64_MAX));
  }
  Steps steps_;
};

class Finder {
 public:
  Finder(const std::vector<binary::Function>& functions, const std::vector<Block>& blocks,
         const InlinedSources& sources)
      : functions_(functions), executions_(blocks), sources_(sources) {}

  Inlined Find() {
    for (uint32_t f = 0; f < functions_.size(); ++f) {
      const binary::Function& function = functions_[f];
      if (executions_.Any(function.begin, function.end)) AddCode(f);
    }
    for (uint32_t f = 0; f < functions_.size() && !found_.functions.empty(); ++f) {
      if (binary::RootOf(functions_, f) == f) FindRoot(f);
    }
    CountPieces();
    return std::move(found_);
  }

 private:
  using Key = std::pair<std::string, uint64_t>;

  void AddCode(uint32_t f) {
    const binary::Function& function = functions_[f];
    const std::vector<binary::InlinedRow> rows = sources_.inlined_in(function.begin, function.end);
    for (size_t r = 0; r < rows.size(); ++r) {
      const uint64_t end = r + 1 < rows.size() ? rows[r + 1].offset : function.end;
      std::optional<uint32_t> body;
      for (const binary::InlinedCall& call : rows[r].calls) body = BodyOf(f, body, call);
      if (body && rows[r].offset < end) found_.places.push_back({rows[r].offset, end, *body});
    }
  }

  uint32_t BodyOf(uint32_t f, std::optional<uint32_t> parent, const binary::InlinedCall& call) {
    const auto next = static_cast<uint32_t>(found_.bodies.size());
    const auto [known, added] = body_of_call_.try_emplace(call.number, next);
    if (added) {
      const uint32_t root = binary::RootOf(functions_, f);
      found_.bodies.push_back({FunctionOf(call.function), root, parent, call.begin, 0});
    }
    return known->second;
  }

  uint32_t FunctionOf(const binary::SourceFunction& function) {
    const auto next = static_cast<uint32_t>(found_.functions.size());
    const auto [known, added] =
        function_of_key_.try_emplace(Key(function.symbol, function.number), next);
    if (added) {
      found_.functions.push_back({function.name, function.file, function.line, {}});
    }
    return known->second;
  }

  void FindRoot(uint32_t f) {
    if (functions_[f].symbol.empty()) return;
    const auto function = sources_.function_at(functions_[f].begin);
    if (!function) return;
    const auto known = function_of_key_.find(Key(function->symbol, function->number));
    if (known == function_of_key_.end()) return;
    found_.functions[known->second].roots.push_back(f);
    found_.of_root.emplace(f, known->second);
  }

  void CountPieces() {
    std::vector<uint64_t> end(found_.bodies.size(), UINT64_MAX);
    for (const Inlined::Place& place : found_.places) {
      const uint64_t times = executions_.At(place.begin);
      for (std::optional<uint32_t> at = place.body; at; at = found_.bodies[*at].parent) {
        if (place.begin != end[*at]) found_.bodies[*at].pieces += times;
        end[*at] = place.end;
      }
    }
  }

  const std::vector<binary::Function>& functions_;
  const Executions executions_;
  const InlinedSources& sources_;
  Inlined found_;
  std::map<uint64_t, uint32_t> body_of_call_;
  std::map<Key, uint32_t> function_of_key_;
};

}  // namespace

std::optional<uint32_t> Inlined::At(uint64_t offset) const {
  const auto after = std::upper_bound(places.begin(), places.end(), offset,
                                      [](uint64_t at, const Place& p) { return at < p.begin; });
  if (after == places.begin() || offset >= std::prev(after)->end) return std::nullopt;
  return std::prev(after)->body;
}

std::vector<uint32_t> Inlined::FunctionsAt(const std::vector<binary::Function>& all,
                                           uint64_t offset) const {
  std::vector<uint32_t> found;
  const auto add = [&found](uint32_t function) {
    if (std::find(found.begin(), found.end(), function) == found.end()) found.push_back(function);
  };
  for (auto body = At(offset); body; body = bodies[*body].parent) add(bodies[*body].function);
  const auto root = binary::RootAt(all, offset);
  if (const auto known = root ? of_root.find(*root) : of_root.end(); known != of_root.end()) {
    add(known->second);
  }
  return found;
}

Inlined FindInlined(const std::vector<binary::Function>& functions,
                    const std::vector<Block>& blocks, const InlinedSources& sources) {
  return Finder(functions, blocks, sources).Find();
}

}  // namespace roofmark::loops
