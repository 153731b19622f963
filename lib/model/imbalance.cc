// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/imbalance.h"

#include <fmt/format.h>

#include <algorithm>

namespace roofmark {
namespace {

// 1, 2, 4 ... below `cores`, then `cores` itself: one over each share.
std::vector<uint32_t> Divisors(uint32_t cores) {
  std::vector<uint32_t> divisors;
  for (uint64_t d = 1; d < cores; d *= 2) divisors.push_back(static_cast<uint32_t>(d));
  divisors.push_back(std::max(cores, 1u));
  return divisors;
}

bool Covers(const CeilingCurve& ceiling, uint32_t cores) {
  return cores > 0 && std::any_of(ceiling.curve.begin(), ceiling.curve.end(),
                                  [cores](const MachinePoint& p) { return p.cores >= cores; });
}

// `value` is filled by the caller; `factor` turns the curve's figures into it.
std::vector<ImbalanceCeiling> SharesOfCores(const CeilingCurve& ceiling, uint32_t cores,
                                            double factor) {
  std::vector<ImbalanceCeiling> family;
  for (const uint32_t divisor : Divisors(cores)) {
    ImbalanceCeiling member;
    member.label = divisor == 1 ? "all cores" : fmt::format("1/{} of the cores", divisor);
    member.share = 1.0 / divisor;
    member.cores = static_cast<double>(cores) / divisor;
    if (const MachinePoint* point = PointAt(ceiling, member.cores)) {
      member.measured = point->value * factor;
    }
    family.push_back(std::move(member));
  }
  return family;
}

}  // namespace

const MachinePoint* PointAt(const CeilingCurve& ceiling, double cores) {
  for (const MachinePoint& point : ceiling.curve) {
    if (point.cores == cores) return &point;
  }
  return nullptr;
}

std::vector<ImbalanceCeiling> LoadImbalance(const Machine& machine, std::string_view precision,
                                            uint32_t cores, ImbalanceBase base) {
  const CeilingCurve* ceiling = machine.Find(fmt::format(
      "compute.{}.{}", precision, base == ImbalanceBase::kRoof ? "peak" : "chain.scalar"));
  if (ceiling == nullptr || !Covers(*ceiling, cores)) return {};
  std::vector<ImbalanceCeiling> family = SharesOfCores(*ceiling, cores, 1);
  const double all = ValueAt(*ceiling, cores);
  for (ImbalanceCeiling& member : family) member.value = all * member.share;
  return family;
}

std::vector<ImbalanceCeiling> MemoryImbalance(const CeilingCurve& bandwidth, uint32_t cores) {
  if (!Covers(bandwidth, cores)) return {};
  std::vector<ImbalanceCeiling> family = SharesOfCores(bandwidth, cores, bandwidth.counted_factor);
  for (ImbalanceCeiling& member : family) {
    member.value = ValueAt(bandwidth, member.cores) * bandwidth.counted_factor;
  }
  return family;
}

const CeilingCurve* DramRoof(const Machine& machine, uint32_t cores) {
  const CeilingCurve* best = nullptr;
  double most = 0;
  for (const CeilingCurve& ceiling : machine.ceilings) {
    const MachinePoint* point = PointAt(ceiling, cores);
    if (!ceiling.id.starts_with("bandwidth.DRAM.") || point == nullptr) continue;
    const double traffic = point->value * ceiling.counted_factor;
    if (traffic <= most) continue;
    most = traffic;
    best = &ceiling;
  }
  return best;
}

}  // namespace roofmark
