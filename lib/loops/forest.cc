// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/forest.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "lib/loops/havlak.h"
#include "lib/loops/pieces.h"
#include "lib/loops/shared_header.h"

namespace roofmark::loops {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;

// Interpreters have one for each operation, and no two loops.
constexpr size_t kMostLatches = 16;

// The graph of one unit. Node 0 is its caller; node i + 1 is pieces[i].
struct Graph {
  std::vector<uint32_t> pieces;
  Lists successors;
};

class ForestFinder {
 public:
  explicit ForestFinder(const Input& input) : input_(input) {
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

  // The loops of one header: one, or an inner one and the one around it.
  struct OfHeader {
    uint32_t outer = 0, inner = 0;            // indices of loops; the same: there is one
    std::vector<uint32_t> inner_pieces = {};  // sorted

    uint32_t Of(uint32_t piece) const {
      return std::binary_search(inner_pieces.begin(), inner_pieces.end(), piece) ? inner : outer;
    }
  };

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
    std::map<uint32_t, std::vector<Latch>> latches = LatchesOf(graph, nesting);
    std::map<uint32_t, OfHeader> of_header;
    const auto loop_of = [&](uint32_t header, uint32_t node) {
      return of_header[header].Of(graph.pieces[node - 1]);
    };
    for (const auto& [levels, node] : headers) {
      Loop loop;
      loop.function = unit;
      loop.header = pieces()[graph.pieces[node - 1]].begin;
      loop.irreducible = nesting.irreducible[node];
      if (nesting.header[node] != kNoNode) loop.parent = loop_of(nesting.header[node], node);
      OfHeader& of = of_header[node];
      of.outer = of.inner = Add(loop);
      of.inner_pieces = InnerPieces(graph, nesting, node, std::move(latches[node]));
      if (of.inner_pieces.empty()) continue;
      loop.parent = of.outer;
      of.inner = Add(loop);
    }
    for (uint32_t node = 1; node < graph.successors.size(); ++node) {
      const uint32_t header = nesting.is_header[node] ? node : nesting.header[node];
      if (header == kNoNode) continue;
      const uint32_t piece = graph.pieces[node - 1];
      forest_.loop_of_piece[piece] = loop_of(header, node);
      forest_.loops[loop_of(header, node)].pieces.push_back(piece);
    }
  }

  uint32_t Add(Loop loop) {
    if (loop.parent) loop.depth = forest_.loops[*loop.parent].depth + 1;
    forest_.loops.push_back(std::move(loop));
    return static_cast<uint32_t>(forest_.loops.size() - 1);
  }

  static bool IsIn(const Nesting& nesting, uint32_t node, uint32_t header) {
    while (node != kNoNode && node != header) node = nesting.header[node];
    return node == header;
  }

  // By header.
  std::map<uint32_t, std::vector<Latch>> LatchesOf(const Graph& graph, const Nesting& nesting) {
    std::map<uint32_t, std::vector<Latch>> latches;
    for (uint32_t node = 1; node < graph.successors.size(); ++node) {
      const uint32_t piece = graph.pieces[node - 1];
      for (const Way& way : WaysFrom(piece)) {
        const uint32_t to = node_[way.to];
        if (!nesting.is_header[to] || !IsIn(nesting, node, to)) continue;
        latches[to].push_back({piece, way.branch, way.times, {}});
      }
    }
    return latches;
  }

  // Sorted; empty: the header is that of one loop.
  std::vector<uint32_t> InnerPieces(const Graph& graph, const Nesting& nesting, uint32_t header,
                                    std::vector<Latch> latches) {
    const bool is_one = nesting.irreducible[header] || latches.size() < 2;
    if (is_one || latches.size() > kMostLatches) return {};
    std::vector<uint32_t> body;
    std::map<uint32_t, std::vector<uint32_t>> before;  // by piece
    for (uint32_t node = 1; node < graph.successors.size(); ++node) {
      if (!IsIn(nesting, node, header)) continue;
      body.push_back(graph.pieces[node - 1]);
      for (const Way& way : WaysFrom(body.back())) before[way.to].push_back(way.from);
    }
    std::sort(body.begin(), body.end());
    for (Latch& latch : latches) {
      latch.loop = LoopOf(latch.piece, graph.pieces[header - 1], before);
    }
    const std::optional<size_t> inner = InnerLatch(input_, forest_.flow, latches, body);
    return inner ? std::move(latches[*inner].loop) : std::vector<uint32_t>();
  }

  static std::vector<uint32_t> LoopOf(uint32_t latch, uint32_t header,
                                      const std::map<uint32_t, std::vector<uint32_t>>& before) {
    std::set<uint32_t> loop = {header};
    std::vector<uint32_t> open;
    const auto add = [&](uint32_t piece) {
      if (loop.insert(piece).second) open.push_back(piece);
    };
    add(latch);
    while (!open.empty()) {
      const auto found = before.find(open.back());
      open.pop_back();
      if (found != before.end()) std::for_each(found->second.begin(), found->second.end(), add);
    }
    return {loop.begin(), loop.end()};
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
    bool is_back = false;  // of one loop only
    for (auto at = to; at; at = forest_.loops[*at].parent) {
      Loop& loop = forest_.loops[*at];
      if (!IsInside(from, *at)) {
        loop.entries.push_back(edge);
      } else if (edge.to == loop.header && !std::exchange(is_back, true)) {
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

Forest FindLoops(const Input& input) { return ForestFinder(input).Find(); }

}  // namespace roofmark::loops
