// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/weigh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace roofmark::package {
namespace {

bool IsBytes(const Rule& rule) { return GetMetric(rule.metric).unit == "bytes"; }

}  // namespace

std::vector<uint64_t> BytesByController(const Plan& plan, const std::vector<uint32_t>& events,
                                        const threads::Sum* sums) {
  std::map<std::string, long double> by_device;
  for (const uint32_t event : events) by_device[plan.events[event].device];
  for (const Rule& rule : plan.rules) {
    if (!IsBytes(rule)) continue;
    for (const threads::WeighedEvent& term : rule.terms) {
      const auto device = by_device.find(plan.events[term.event].device);
      if (device == by_device.end()) continue;
      const threads::Estimate estimate = threads::Scale(sums[term.event]);
      device->second += static_cast<long double>(estimate.value) * term.weight;
    }
  }
  std::vector<uint64_t> bytes;
  for (const auto& [name, value] : by_device) {
    bytes.push_back(value < 0 ? 0 : static_cast<uint64_t>(std::llround(value)));
  }
  return bytes;
}

Weighed TotalBytes(const Plan& plan, const threads::Sum* sums) {
  Weighed total;
  for (const Rule& rule : plan.rules) {
    if (!IsBytes(rule)) continue;
    const Weighed part = threads::Weigh(rule, sums);
    total.value += part.value;
    total.status = std::max(total.status, part.status);
  }
  return total;
}

}  // namespace roofmark::package
