// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/gpu_machine.h"

#include <algorithm>

namespace roofmark {

double GpuCeiling::Best() const {
  const auto less = [](const GpuPoint& a, const GpuPoint& b) { return a.value < b.value; };
  const auto [least, most] = std::minmax_element(curve.begin(), curve.end(), less);
  if (curve.empty()) return 0;
  return unit == "ns" ? least->value : most->value;
}

const GpuCeiling* GpuMachine::Find(std::string_view id) const {
  const auto at = std::find_if(ceilings.begin(), ceilings.end(),
                               [&](const GpuCeiling& ceiling) { return ceiling.id == id; });
  return at == ceilings.end() ? nullptr : &*at;
}

bool IsOrBelow(std::string_view id, std::string_view ceiling) {
  if (!id.starts_with(ceiling)) return false;
  return ceiling.ends_with('.') || id.size() == ceiling.size() || id[ceiling.size()] == '.';
}

}  // namespace roofmark
