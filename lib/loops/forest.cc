// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/forest.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "lib/loops/havlak.h"
#include "lib/loops/pieces.h"

namespace roofmark::loops {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;

// The graph of one unit. Node 0 is its caller; node i + 1 is pieces[i].
struct Graph {
  std::vector<uint32_t> pieces;
  Lists successors;
};

class Finder {
 public:
  explicit Finder(const Input& input) : input_(input) {
    forest_.flow = MakeFlow(input);
    forest_.loop_of_piece.resize(pieces().size());
    node_.resize(pieces().size());
    is_entered_.resize(pieces().size());
    for (const Crossing& entry : forest_.flow.entries) is_entered_[entry.piece] = true;
  }

  Forest Find() {
    std::map<uint32_t, std::vector<uint32_t>> units;
    for (uint32_t i = 0; i < pieces().size(); ++i) units[pieces()[i].unit].push_back(i);
    for (auto& [unit, members] : units) AddLoops(unit, GraphOf(std::move(members)));
    for (const Way& way : forest_.flow.ways) AddWay(way);
    for (const Crossing& entry : forest_.flow.entries) {
      ForEachAround(entry.piece, [&](Loop& loop) { loop.entries.push_back(entry.edge); });
    }
    for (const Crossing& exit : forest_.flow.exits) {
      ForEachAround(exit.piece, [&](Loop& loop) { loop.exits.push_back(exit.edge); });
    }
    return std::move(forest_);
  }

 private:
  const std::vector<Piece>& pieces() const { return forest_.flow.pieces; }

  std::span<const Way> WaysFrom(uint32_t piece) const {
    const auto& ways = forest_.flow.ways;
    const auto begin =
        std::lower_bound(ways.begin(), ways.end(), piece,
                         [](const Way& way, uint32_t from) { return way.from < from; });
    auto end = begin;
    while (end != ways.end() && end->from == piece) ++end;
    return {begin, end};
  }

  Graph GraphOf(std::vector<uint32_t> members) {
    Graph graph{std::move(members), {}};
    graph.successors.resize(graph.pieces.size() + 1);
    for (uint32_t i = 0; i < graph.pieces.size(); ++i) node_[graph.pieces[i]] = i + 1;
    for (uint32_t i = 0; i < graph.pieces.size(); ++i) {
      auto& successors = graph.successors[i + 1];
      for (const Way& way : WaysFrom(graph.pieces[i])) successors.push_back(node_[way.to]);
      successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
    }
    AddEntries(graph);
    return graph;
  }

  // Where the unit is entered; and the first pieces of what is not reached from there.
  void AddEntries(Graph& graph) {
    std::vector<bool> reached(graph.successors.size(), false);
    std::vector<uint32_t> open;
    const auto enter = [&](uint32_t node) {
      if (reached[node]) return;
      reached[node] = true;
      open.push_back(node);
    };
    std::vector<uint32_t> entries;
    const auto add = [&](uint32_t entry) {
      entries.push_back(entry);
      enter(entry);
      while (!open.empty()) {
        const uint32_t node = open.back();
        open.pop_back();
        for (const uint32_t next : graph.successors[node]) enter(next);
      }
    };
    // Also those that others reach: they are further entries of loops.
    for (uint32_t i = 0; i < graph.pieces.size(); ++i) {
      if (IsEntry(graph.pieces[i])) add(i + 1);
    }
    for (uint32_t node = 1; node < graph.successors.size(); ++node) {
      if (!reached[node]) add(node);
    }
    graph.successors[0] = std::move(entries);
  }

  bool IsEntry(uint32_t piece) const {
    const Piece& place = pieces()[piece];
    return is_entered_[piece] || place.begin == input_.functions[place.unit].begin;
  }

  void AddLoops(uint32_t unit, const Graph& graph) {
    const Nesting nesting = FindNesting(graph.successors);
    const auto depth_of = [&](uint32_t node) {
      uint32_t levels = 1;
      for (uint32_t at = nesting.header[node]; at != kNoNode; at = nesting.header[at]) ++levels;
      return levels;
    };
    std::vector<std::pair<uint32_t, uint32_t>> headers;  // by depth
    for (uint32_t node = 1; node < graph.successors.size(); ++node) {
      if (nesting.is_header[node]) headers.emplace_back(depth_of(node), node);
    }
    std::sort(headers.begin(), headers.end());
    std::map<uint32_t, uint32_t> loop_of_header;
    for (const auto& [levels, node] : headers) {
      loop_of_header[node] = static_cast<uint32_t>(forest_.loops.size());
      Loop loop;
      loop.function = unit;
      loop.header = pieces()[graph.pieces[node - 1]].begin;
      loop.irreducible = nesting.irreducible[node];
      loop.depth = levels;
      if (nesting.header[node] != kNoNode) loop.parent = loop_of_header[nesting.header[node]];
      forest_.loops.push_back(std::move(loop));
    }
    for (uint32_t node = 1; node < graph.successors.size(); ++node) {
      const uint32_t header = nesting.is_header[node] ? node : nesting.header[node];
      if (header == kNoNode) continue;
      const uint32_t piece = graph.pieces[node - 1];
      forest_.loop_of_piece[piece] = loop_of_header[header];
      forest_.loops[loop_of_header[header]].pieces.push_back(piece);
    }
  }

  template <typename Do>
  void ForEachAround(uint32_t piece, const Do& action) {
    for (auto at = forest_.loop_of_piece[piece]; at; at = forest_.loops[*at].parent) {
      action(forest_.loops[*at]);
    }
  }

  bool IsInside(std::optional<uint32_t> inner, uint32_t outer) const {
    while (inner && *inner != outer) inner = forest_.loops[*inner].parent;
    return inner.has_value();
  }

  void AddWay(const Way& way) {
    const auto from = forest_.loop_of_piece[way.from], to = forest_.loop_of_piece[way.to];
    const Edge edge{way.branch, pieces()[way.to].begin, way.times};
    for (auto at = to; at; at = forest_.loops[*at].parent) {
      Loop& loop = forest_.loops[*at];
      if (!IsInside(from, *at)) {
        loop.entries.push_back(edge);
      } else if (edge.to == loop.header) {
        loop.back.push_back(edge);
      }
    }
    for (auto at = from; at; at = forest_.loops[*at].parent) {
      if (!IsInside(to, *at)) forest_.loops[*at].exits.push_back(edge);
    }
  }

  const Input& input_;
  Forest forest_;
  std::vector<uint32_t> node_;    // by piece, in the graph of its unit
  std::vector<bool> is_entered_;  // by piece: from other units
};

}  // namespace

Forest FindLoops(const Input& input) { return Finder(input).Find(); }

}  // namespace roofmark::loops
