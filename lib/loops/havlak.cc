// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/havlak.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace roofmark::loops {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;

// Depth first: nodes in the order of their first visit, and for each the last one visited below it.
struct Order {
  std::vector<uint32_t> number;  // by node; kNoNode: not reached
  std::vector<uint32_t> node;    // by number
  std::vector<uint32_t> last;    // by number
};

Order Walk(const Lists& successors) {
  Order order;
  order.number.assign(successors.size(), kNoNode);
  std::vector<std::pair<uint32_t, size_t>> way;  // node, and which successor comes next
  const auto visit = [&](uint32_t node) {
    order.number[node] = static_cast<uint32_t>(order.node.size());
    order.node.push_back(node);
    order.last.push_back(0);
    way.emplace_back(node, 0);
  };
  if (!successors.empty()) visit(0);
  while (!way.empty()) {
    const uint32_t node = way.back().first;
    if (way.back().second < successors[node].size()) {
      const uint32_t next = successors[node][way.back().second++];
      if (order.number[next] == kNoNode) visit(next);
      continue;
    }
    order.last[order.number[node]] = static_cast<uint32_t>(order.node.size()) - 1;
    way.pop_back();
  }
  return order;
}

// Nodes are numbers of the walk.
class HavlakFinder {
 public:
  HavlakFinder(const Lists& successors, const Order& order) : order_(order) {
    const size_t count = order.node.size();
    back_.resize(count);
    other_.resize(count);
    header_.assign(count, kNoNode);
    is_header_.assign(count, false);
    irreducible_.assign(count, false);
    mark_.assign(count, kNoNode);
    merged_.resize(count);
    std::iota(merged_.begin(), merged_.end(), 0);
    for (uint32_t from = 0; from < count; ++from) {
      for (const uint32_t node : successors[order.node[from]]) {
        const uint32_t to = order.number[node];
        (IsAncestor(to, from) ? back_ : other_)[to].push_back(from);
      }
    }
  }

  Nesting Find(size_t nodes) {
    for (auto header = static_cast<uint32_t>(back_.size()); header-- > 0;) FindLoop(header);
    Nesting nesting{std::vector<uint32_t>(nodes, kNoNode), std::vector<bool>(nodes, false),
                    std::vector<bool>(nodes, false)};
    for (size_t i = 0; i < header_.size(); ++i) {
      const uint32_t node = order_.node[i];
      if (header_[i] != kNoNode) nesting.header[node] = order_.node[header_[i]];
      nesting.is_header[node] = is_header_[i];
      nesting.irreducible[node] = irreducible_[i];
    }
    return nesting;
  }

 private:
  bool IsAncestor(uint32_t above, uint32_t below) const {
    return above <= below && below <= order_.last[above];
  }

  // The header into which a node's loop was merged.
  uint32_t Merged(uint32_t node) {
    uint32_t top = node;
    while (merged_[top] != top) top = merged_[top];
    while (merged_[node] != top) node = std::exchange(merged_[node], top);
    return top;
  }

  void FindLoop(uint32_t header) {
    std::vector<uint32_t> body;
    const auto add = [&](uint32_t node) {
      if (node == header || mark_[node] == header) return;
      mark_[node] = header;
      body.push_back(node);
    };
    for (const uint32_t from : back_[header]) {
      is_header_[header] = true;
      add(Merged(from));
    }
    for (size_t i = 0; i < body.size(); ++i) {
      for (const uint32_t from : other_[body[i]]) {
        const uint32_t before = Merged(from);
        if (IsAncestor(header, before)) {
          add(before);
        } else {
          // Another way into the loop; it is one into the loops around this one, too.
          irreducible_[header] = true;
          AddOther(header, before);
        }
      }
    }
    for (const uint32_t node : body) header_[node] = merged_[node] = header;
  }

  void AddOther(uint32_t header, uint32_t from) {
    auto& list = other_[header];
    if (std::find(list.begin(), list.end(), from) == list.end()) list.push_back(from);
  }

  const Order& order_;
  Lists back_, other_;  // predecessors: below the node in the walk, and others
  std::vector<uint32_t> header_, merged_, mark_;
  std::vector<bool> is_header_, irreducible_;
};

}  // namespace

Nesting FindNesting(const std::vector<std::vector<uint32_t>>& successors) {
  const Order order = Walk(successors);
  return HavlakFinder(successors, order).Find(successors.size());
}

}  // namespace roofmark::loops
