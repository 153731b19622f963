// SPDX-License-Identifier: BSD-3-Clause
#include "command/nests/inlined_plan.h"

#include <algorithm>
#include <set>

namespace roofmark::cli {

using loops::Inlined;
using loops::InlinedBody;

void InlinedPlan::ForEachIn(
    uint64_t begin, uint64_t end,
    const std::function<void(uint64_t begin, uint64_t end, uint32_t nest)>& add) {
  auto place = std::partition_point(inlined_.places.begin(), inlined_.places.end(),
                                    [&](const Inlined::Place& each) { return each.end <= begin; });
  for (; place != inlined_.places.end() && place->begin < end; ++place) {
    const Index body = ChosenBody(place->body);
    if (!body) continue;
    const uint64_t first = std::max(place->begin, begin), last = std::min(place->end, end);
    std::set<uint64_t> cuts = {last};
    for (Index at = body; at; at = ChosenBody(inlined_.bodies[*at].parent)) {
      for (const loops::InlinedBegin& visits : inlined_.bodies[*at].begins) {
        for (const uint64_t cut : {visits.place, visits.place + 1}) {
          if (cut > first && cut < last) cuts.insert(cut);
        }
      }
    }
    uint64_t from = first;
    for (const uint64_t cut : cuts) {
      add(from, cut, NestOf(*body, from));
      from = cut;
    }
  }
}

InlinedPlan::Index InlinedPlan::ChosenBody(Index body) const {
  while (body && (!region_of_.contains(inlined_.bodies[*body].function) || IsInItself(*body))) {
    body = inlined_.bodies[*body].parent;
  }
  return body;
}

bool InlinedPlan::IsInItself(uint32_t number) const {
  const InlinedBody& body = inlined_.bodies[number];
  for (Index at = body.parent; at; at = inlined_.bodies[*at].parent) {
    if (inlined_.bodies[*at].function == body.function) return true;
  }
  const auto function = inlined_.of_root.find(body.root);
  return function != inlined_.of_root.end() && function->second == body.function;
}

InlinedPlan::Kind InlinedPlan::KindAt(const InlinedBody& body, uint64_t offset) {
  for (const loops::InlinedBegin& begin : body.begins) {
    if (begin.place == offset) return begin.in_loop ? Kind::kBeginInLoop : Kind::kBegin;
  }
  return Kind::kRest;
}

// A nest stands behind those that it names.
uint32_t InlinedPlan::NestOf(uint32_t number, uint64_t offset) {
  const InlinedBody& body = inlined_.bodies[number];
  const Index parent = ChosenBody(body.parent);
  const Index around = parent ? NestOf(*parent, offset) : function_of_(body.root);
  const Kind kind = KindAt(body, offset);
  if (const auto known = known_.find({number, around, kind}); known != known_.end()) {
    return known->second;
  }
  const uint32_t region = region_of_.at(body.function);
  const Index rest_of = kind == Kind::kRest ? Index(BeginOf(number)) : std::nullopt;
  PlannedNest nest = plan_.nests[region];
  nest.is_function = false;
  nest.around = around;
  nest.same = region;
  nest.rest_of = rest_of;
  plan_.nests.push_back(nest);
  return known_[{number, around, kind}] = static_cast<uint32_t>(plan_.nests.size() - 1);
}

uint32_t InlinedPlan::BeginOf(uint32_t number) {
  const InlinedBody& body = inlined_.bodies[number];
  for (const loops::InlinedBegin& begin : body.begins) {
    if (begin.in_loop) return NestOf(number, begin.place);
  }
  return region_of_.at(body.function);
}

}  // namespace roofmark::cli
