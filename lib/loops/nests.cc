// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/nests.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "lib/loops/nest_names.h"
#include "lib/loops/places.h"

namespace roofmark::loops {
namespace {

std::vector<Range> Merged(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> merged;
  for (const Range& range : ranges) {
    if (!merged.empty() && range.begin <= merged.back().end) {
      merged.back().end = std::max(merged.back().end, range.end);
    } else {
      merged.push_back(range);
    }
  }
  return merged;
}

bool Has(const std::vector<Range>& ranges, uint64_t offset) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), offset,
                                      [](uint64_t at, const Range& r) { return at < r.begin; });
  return after != ranges.begin() && offset < std::prev(after)->end;
}

class Merger {
 public:
  Merger(const Input& input, const Forest& forest) : input_(input), forest_(forest) {}

  Nests Merge() {
    const std::vector<SourceChain> places = FindPlaces(input_, forest_);
    for (uint32_t i = 0; i < forest_.loops.size(); ++i) AddLoop(i, places[i]);
    AddRanges();
    for (uint32_t i = 0; i < forest_.loops.size(); ++i) AddEdges(i);
    for (Nest& nest : nests_.nests) Tidy(nest);
    NameNests(input_, nests_.nests);
    return std::move(nests_);
  }

 private:
  // What the loops of one nest have in common: the nest around it and the place. Without a line
  // nothing says which ones they are, and the header, which is 0 otherwise, tells them apart.
  using Key = std::tuple<std::optional<uint32_t>, SourceChain, uint64_t>;

  void AddLoop(uint32_t index, const SourceChain& place) {
    const Loop& loop = forest_.loops[index];
    const bool known = !place.empty() && place.front().line != 0;
    std::optional<uint32_t> parent;
    if (loop.parent) parent = nests_.of_loop[*loop.parent];
    uint32_t number = 0;
    if (parent && known && nests_.nests[*parent].place == place) {
      number = *parent;  // a loop that the compiler made of one
    } else {
      const auto next = static_cast<uint32_t>(nests_.nests.size());
      const auto [found, added] =
          by_key_.try_emplace({parent, place, known ? 0 : loop.header}, next);
      number = found->second;
      if (added) AddNest(loop, place, parent);
    }
    nests_.of_loop.push_back(number);
    nests_.nests[number].parts.push_back(
        {loop.function, loop.header, loop.irreducible, TimesOf(loop.back), TimesOf(loop.entries)});
  }

  void AddNest(const Loop& loop, const SourceChain& place, std::optional<uint32_t> parent) {
    Nest nest;
    nest.place = place;
    nest.function = binary::RootOf(input_.functions, loop.function);
    nest.parent = parent;
    if (parent) {
      nest.depth = nests_.nests[*parent].depth + 1;
      nests_.nests[*parent].children.push_back(static_cast<uint32_t>(nests_.nests.size()));
    }
    nests_.nests.push_back(std::move(nest));
  }

  void AddRanges() {
    const auto& pieces = forest_.flow.pieces;
    for (uint32_t i = 0; i < pieces.size(); ++i) {
      if (!forest_.loop_of_piece[i]) continue;
      const uint32_t inner = nests_.of_loop[*forest_.loop_of_piece[i]];
      nests_.places.push_back({pieces[i].begin, pieces[i].end, inner});
      for (std::optional<uint32_t> at = inner; at; at = nests_.nests[*at].parent) {
        nests_.nests[*at].ranges.push_back({pieces[i].begin, pieces[i].end});
      }
    }
    for (Nest& nest : nests_.nests) nest.ranges = Merged(std::move(nest.ranges));
  }

  // Not those that lead from one part to another.
  void AddEdges(uint32_t index) {
    Nest& nest = nests_.nests[nests_.of_loop[index]];
    const Loop& loop = forest_.loops[index];
    for (const Edge& edge : loop.entries) {
      if (!Has(nest.ranges, edge.from) || IsCalled(edge)) nest.entries.push_back(edge);
    }
    for (const Edge& edge : loop.exits) {
      if (!Has(nest.ranges, edge.to) || IsCalled(edge)) nest.exits.push_back(edge);
    }
  }

  // Between two functions: a loop that calls the function that it lies in is entered once more.
  bool IsCalled(const Edge& edge) const {
    const binary::Function* from = binary::FindFunction(input_.functions, edge.from);
    const binary::Function* to = binary::FindFunction(input_.functions, edge.to);
    return from != to && to != nullptr && to->begin == edge.to;
  }

  static void Tidy(Nest& nest) {
    const auto by_ends = [](const Edge& a, const Edge& b) {
      return std::tie(a.from, a.to, a.times) < std::tie(b.from, b.to, b.times);
    };
    // A loop and one inside it that belongs to the same nest have some in common.
    for (auto* edges : {&nest.entries, &nest.exits}) {
      std::sort(edges->begin(), edges->end(), by_ends);
      edges->erase(std::unique(edges->begin(), edges->end()), edges->end());
    }
    std::sort(nest.parts.begin(), nest.parts.end(),
              [](const Part& a, const Part& b) { return a.header < b.header; });
  }

  const Input& input_;
  const Forest& forest_;
  Nests nests_;
  std::map<Key, uint32_t> by_key_;
};

}  // namespace

std::optional<uint32_t> Nests::At(uint64_t offset) const {
  const auto after = std::upper_bound(places.begin(), places.end(), offset,
                                      [](uint64_t at, const Place& p) { return at < p.begin; });
  if (after == places.begin() || offset >= std::prev(after)->end) return std::nullopt;
  return std::prev(after)->nest;
}

Nests FindNests(const Input& input, const Forest& forest) { return Merger(input, forest).Merge(); }

Nests FindNests(const Input& input) { return FindNests(input, FindLoops(input)); }

}  // namespace roofmark::loops
