// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine.h"

namespace roofmark {

const Ceiling* Machine::Find(std::string_view id) const {
  for (const Ceiling& ceiling : ceilings) {
    if (ceiling.id == id) return &ceiling;
  }
  return nullptr;
}

double ValueAt(const Ceiling& ceiling, double cores) {
  const auto& curve = ceiling.curve;
  if (curve.empty()) return 0;
  if (cores <= curve.front().cores) return curve.front().value;
  for (size_t i = 1; i < curve.size(); ++i) {
    const MachinePoint &left = curve[i - 1], &right = curve[i];
    if (cores > right.cores) continue;
    const double share = (cores - left.cores) / (right.cores - left.cores);
    return left.value + share * (right.value - left.value);
  }
  return curve.back().value;
}

}  // namespace roofmark
