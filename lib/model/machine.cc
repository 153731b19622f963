// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "lib/core/cpu_list.h"

namespace roofmark {
namespace {

using Curve = std::vector<MachinePoint>;
using Points = Curve::const_iterator;

// The points measured on the most packages up to `packages`, or (`above`) on the fewest from there
// on; the nearest ones there are if none is on that side.
std::pair<Points, Points> SpanOf(const Curve& curve, uint32_t packages, bool above) {
  const auto fewer = [](const MachinePoint& a, const MachinePoint& b) {
    return a.packages < b.packages;
  };
  MachinePoint key;
  key.packages = packages;
  auto at = above ? std::lower_bound(curve.begin(), curve.end(), key, fewer)
                  : std::upper_bound(curve.begin(), curve.end(), key, fewer);
  if (above && at == curve.end()) --at;
  if (!above && at != curve.begin()) --at;
  key.packages = at->packages;
  return std::equal_range(curve.begin(), curve.end(), key, fewer);
}

double OnSpan(Points begin, Points end, double cores) {
  if (cores <= begin->cores) return begin->value;
  for (auto right = begin + 1; right != end; ++right) {
    if (cores > right->cores) continue;
    const auto left = right - 1;
    const double share = (cores - left->cores) / (right->cores - left->cores);
    return left->value + share * (right->value - left->value);
  }
  return (end - 1)->value;
}

// The largest set within one package is a whole package.
uint32_t FewestPackages(const Curve& curve, double cores) {
  uint32_t package = 0;
  for (const MachinePoint& point : curve) {
    if (point.packages == 1) package = std::max(package, point.cores);
  }
  return package == 0 ? curve.front().packages
                      : static_cast<uint32_t>(std::max(1.0, std::ceil(cores / package)));
}

}  // namespace

const CeilingCurve* Machine::Find(std::string_view id) const {
  for (const CeilingCurve& ceiling : ceilings) {
    if (ceiling.id == id) return &ceiling;
  }
  return nullptr;
}

double ValueAt(const CeilingCurve& ceiling, double cores, uint32_t packages) {
  const auto& curve = ceiling.curve;
  if (curve.empty()) return 0;
  if (packages == 0) packages = FewestPackages(curve, cores);
  // The points of the nearest measured numbers of packages on either side.
  const auto [low_begin, low_end] = SpanOf(curve, packages, false);
  const auto [high_begin, high_end] = SpanOf(curve, packages, true);
  const uint32_t low = low_begin->packages, high = high_begin->packages;
  if (low >= packages || low == high) return OnSpan(low_begin, low_end, cores);
  if (high <= packages) return OnSpan(high_begin, high_end, cores);
  // As many cores in each package on both sides.
  const double each = cores / packages;
  const double left = OnSpan(low_begin, low_end, each * low);
  const double right = OnSpan(high_begin, high_end, each * high);
  return left + (right - left) * (packages - low) / (high - low);
}

std::string TitleOf(const Machine& machine) {
  return fmt::format("{}, {} measurement of {}", machine.cpu_model, machine.effort,
                     machine.measured_at);
}

uint32_t PackagesOf(const Machine& machine, std::string_view cpuset) {
  const std::set<uint32_t> wanted = ParseCpuList(cpuset);
  uint32_t packages = 0;
  for (const std::string& list : machine.package_cpus) {
    const std::set<uint32_t> cpus = ParseCpuList(list);
    packages += std::any_of(wanted.begin(), wanted.end(),
                            [&cpus](uint32_t cpu) { return cpus.count(cpu) != 0; });
  }
  return packages;
}

}  // namespace roofmark
