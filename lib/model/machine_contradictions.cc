// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_contradictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace roofmark {
namespace {

bool IsBelow(const MachinePoint& low, const MachinePoint& high) {
  constexpr double kLeast = 0.2, kMost = 0.4;
  const double excused = std::clamp(low.noise + high.noise, kLeast, kMost);
  return low.value < (1 - excused) * high.value;
}

std::string OnCores(const MachinePoint& point) {
  return fmt::format("{} core{}", point.cores, point.cores == 1 ? "" : "s");
}

FigureContradiction Between(const CeilingCurve& low, const MachinePoint& lower,
                            const CeilingCurve& high, const MachinePoint& higher) {
  const std::string first =
      fmt::format("{}: {:.3g} {} on {}", low.label, lower.value, low.unit, OnCores(lower));
  const std::string other = low.id == high.id ? "" : high.label + ": ";
  return {
      {low.id, lower.cores, lower.packages},
      {high.id, higher.cores, higher.packages},
      fmt::format("{}, {}{:.3g} {} on {}", first, other, higher.value, high.unit, OnCores(higher))};
}

// Whether more cores do more, or at least as much.
bool GrowsWithCores(const CeilingCurve& ceiling) {
  const auto begins = [&ceiling](const char* family) { return ceiling.id.starts_with(family); };
  return begins("compute.") || begins("mix.") || begins("bandwidth.");
}

void AddFewerOnMore(const CeilingCurve& ceiling, std::vector<FigureContradiction>& all) {
  if (!GrowsWithCores(ceiling)) return;
  for (size_t i = 1; i < ceiling.curve.size(); ++i) {
    const MachinePoint &fewer = ceiling.curve[i - 1], &more = ceiling.curve[i];
    if (fewer.packages != more.packages || !IsBelow(more, fewer)) continue;
    all.push_back(Between(ceiling, more, ceiling, fewer));
  }
}

void AddSlowerInside(const CeilingCurve& inner, const CeilingCurve& outer,
                     std::vector<FigureContradiction>& all) {
  for (const MachinePoint& point : inner.curve) {
    const auto same =
        std::find_if(outer.curve.begin(), outer.curve.end(), [&point](const MachinePoint& other) {
          return other.cores == point.cores && other.packages == point.packages;
        });
    if (same == outer.curve.end() || !IsBelow(point, *same)) continue;
    all.push_back(Between(inner, point, outer, *same));
  }
}

}  // namespace

std::vector<FigureContradiction> ContradictionsOf(const Machine& machine) {
  constexpr const char* kReads[] = {"bandwidth.L1.read", "bandwidth.L2.read", "bandwidth.L3.read",
                                    "bandwidth.DRAM.read"};
  std::vector<FigureContradiction> all;
  for (const CeilingCurve& ceiling : machine.ceilings) AddFewerOnMore(ceiling, all);
  const CeilingCurve* inner = nullptr;
  for (const char* id : kReads) {
    const CeilingCurve* outer = machine.Find(id);
    if (outer == nullptr) continue;
    if (inner != nullptr) AddSlowerInside(*inner, *outer, all);
    inner = outer;
  }
  return all;
}

void NoteContradictions(Machine& machine) {
  machine.contradictions.clear();
  for (const FigureContradiction& each : ContradictionsOf(machine)) {
    machine.contradictions.push_back(each.sentence);
  }
}

}  // namespace roofmark
