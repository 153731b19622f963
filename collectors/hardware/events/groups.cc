// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace roofmark::events {
namespace {

bool IsDram(Measure measure) {
  return measure == Measure::kDramReadBytes || measure == Measure::kDramWriteBytes ||
         measure == Measure::kDramBytes;
}

std::set<FpPrecision> PrecisionsOf(const EventTable& table, FpView view) {
  std::set<FpPrecision> all;
  for (const Formula& formula : table.formulas) {
    if (formula.quantity.measure == Measure::kFlops && formula.quantity.view == view)
      all.insert(formula.quantity.precision);
  }
  return all;
}

bool HasView(const EventTable& table, FpView view) { return !PrecisionsOf(table, view).empty(); }

FpView ViewFor(const EventTable& table, const Group& group) {
  if (group.name == "all") return FinestView(table);
  if (group.view == FpView::kByKind && HasView(table, FpView::kByKind)) return FpView::kByKind;
  if (HasView(table, FpView::kByPrecision)) return FpView::kByPrecision;
  return group.precision == FpPrecision::kSingle ? FpView::kIfSingle : FpView::kIfDouble;
}

bool WantsFlops(const Group& group, FpView view, const Quantity& quantity) {
  if (!group.flops || quantity.view != view) return false;
  return group.precision == FpPrecision::kMixed || quantity.precision == group.precision ||
         quantity.precision == FpPrecision::kMixed;
}

Refusal WhyMissing(const EventTable& table, Measure measure, std::string otherwise) {
  for (const Refusal& refusal : table.refusals) {
    if (refusal.measure == measure || (IsDram(measure) && IsDram(refusal.measure)))
      return {measure, refusal.reason};
  }
  return {measure, std::move(otherwise)};
}

}  // namespace

const std::vector<Group>& Groups() {
  using M = Measure;
  // Never destroyed: asked for while the process ends.
  static const auto* const groups = new std::vector<Group>{
      {"dp",
       "double-precision FLOPs, cycles, instructions",
       true,
       FpPrecision::kDouble,
       FpView::kByPrecision,
       {M::kCycles, M::kInstructions}},
      {"sp",
       "single-precision FLOPs, cycles, instructions",
       true,
       FpPrecision::kSingle,
       FpView::kByPrecision,
       {M::kCycles, M::kInstructions}},
      {"mem",
       "DRAM traffic, misses of the last cache, stalls on memory",
       false,
       FpPrecision::kMixed,
       FpView::kByPrecision,
       {M::kDramReadBytes, M::kDramWriteBytes, M::kDramBytes, M::kHbmReadBytes, M::kHbmWriteBytes,
        M::kLastLevelMisses, M::kMemoryStallCycles, M::kCycles}},
      {"cache",
       "traffic of L1, L2 and L3, misses of the last cache",
       false,
       FpPrecision::kMixed,
       FpView::kByPrecision,
       {M::kL1ReadBytes, M::kL1WriteBytes, M::kL2ReadBytes, M::kL2WriteBytes, M::kL3ReadBytes,
        M::kLastLevelMisses}},
      {"mix",
       "FLOPs of all precisions by kind or width, instructions, cycles, stalls on memory",
       true,
       FpPrecision::kMixed,
       FpView::kByKind,
       {M::kCycles, M::kInstructions, M::kMemoryStallCycles}},
      {"all",
       "everything that this CPU counts",
       true,
       FpPrecision::kMixed,
       FpView::kByKind,
       {M::kCycles, M::kInstructions, M::kMemoryStallCycles, M::kLastLevelMisses, M::kL1ReadBytes,
        M::kL1WriteBytes, M::kL2ReadBytes, M::kL2WriteBytes, M::kL3ReadBytes, M::kDramReadBytes,
        M::kDramWriteBytes, M::kDramBytes, M::kHbmReadBytes, M::kHbmWriteBytes}}};
  return *groups;
}

const Group* FindGroup(std::string_view name) {
  for (const Group& group : Groups()) {
    if (group.name == name) return &group;
  }
  return nullptr;
}

FpView FinestView(const EventTable& table) {
  const std::set<FpPrecision> by_kind = PrecisionsOf(table, FpView::kByKind);
  const std::set<FpPrecision> by_precision = PrecisionsOf(table, FpView::kByPrecision);
  if (by_kind.empty() && by_precision.empty()) return FpView::kIfDouble;
  const bool kinds_keep_precision =
      !by_kind.empty() &&
      std::includes(by_kind.begin(), by_kind.end(), by_precision.begin(), by_precision.end());
  return kinds_keep_precision ? FpView::kByKind : FpView::kByPrecision;
}

Selection Select(const EventTable& table, const Group& group) {
  Selection selection;
  const FpView view = ViewFor(table, group);
  std::set<Measure> found;
  for (const Formula& formula : table.formulas) {
    const Measure measure = formula.quantity.measure;
    const bool wanted = measure == Measure::kFlops
                            ? WantsFlops(group, view, formula.quantity)
                            : std::find(group.measures.begin(), group.measures.end(), measure) !=
                                  group.measures.end();
    if (!wanted) continue;
    selection.formulas.push_back(formula);
    found.insert(measure);
  }
  if (group.flops && !found.contains(Measure::kFlops))
    selection.missing.push_back(WhyMissing(
        table, Measure::kFlops, fmt::format("this CPU has no events for {}", group.doc)));
  const bool some_dram = std::any_of(found.begin(), found.end(), IsDram);
  for (const Measure measure : group.measures) {
    const bool optional = measure == Measure::kHbmReadBytes || measure == Measure::kHbmWriteBytes ||
                          measure == Measure::kDramBytes;
    if (found.contains(measure) || optional || (IsDram(measure) && some_dram)) continue;
    selection.missing.push_back(WhyMissing(
        table, measure,
        fmt::format("{} is not in roofmark's table for this CPU", MeasureName(measure))));
  }
  return selection;
}

}  // namespace roofmark::events
