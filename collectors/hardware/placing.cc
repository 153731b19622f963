// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/placing.h"

#include <algorithm>
#include <utility>

#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/events/encode.h"

namespace roofmark::perf {
namespace {

using events::FpPrecision;
using events::FpWidth;
using events::Measure;

std::optional<MetricId> FlopsMetric(const events::Quantity& quantity) {
  if (quantity.kinds != events::kAnyKind) {
    for (size_t kind = 0; kind < kFlopKinds; ++kind) {
      const auto as = static_cast<FlopKind>(kind);
      // Divisions and roots together are the metric of divisions.
      const events::KindSet bits =
          as == FlopKind::kDiv ? events::KindBit(FlopKind::kDiv) | events::KindBit(FlopKind::kSqrt)
                               : events::KindBit(as);
      if (quantity.kinds == bits) return MixedFlops(as);
    }
    return std::nullopt;
  }
  if (quantity.precision > FpPrecision::kHalf || quantity.width > FpWidth::k512) {
    return WholeFlops(static_cast<WholePrecision>(quantity.precision));
  }
  return AnyKindFlops(static_cast<Precision>(quantity.precision),
                      static_cast<Width>(quantity.width));
}
static_assert(static_cast<int>(FpPrecision::kHalf) == static_cast<int>(Precision::kHalf));
static_assert(static_cast<int>(FpPrecision::kMixed) == static_cast<int>(WholePrecision::kMixed));
static_assert(static_cast<int>(FpWidth::k512) == static_cast<int>(Width::k512));

struct Placed {
  Measure measure;
  std::optional<MetricId> thread, package;
};

constexpr Placed kPlaces[] = {
    {Measure::kCycles, metric::kCycles, {}},
    {Measure::kInstructions, metric::kInstructions, {}},
    {Measure::kMemoryStallCycles, metric::kMemoryStallCycles, {}},
    {Measure::kLastLevelMisses, metric::kLastLevelMisses, {}},
    {Measure::kL1ReadBytes, metric::kL1ReadBytes, {}},
    {Measure::kL1WriteBytes, metric::kL1WriteBytes, {}},
    {Measure::kL2ReadBytes, metric::kL2ReadBytes, {}},
    {Measure::kL2WriteBytes, metric::kL2WriteBytes, {}},
    {Measure::kL3ReadBytes, metric::kL3ReadBytes, {}},
    {Measure::kDramReadBytes, metric::kDramReadBytes, metric::kPackageDramReadBytes},
    {Measure::kDramWriteBytes, metric::kDramWriteBytes, metric::kPackageDramWriteBytes},
    {Measure::kDramBytes, {}, metric::kPackageDramBytes},
    {Measure::kHbmReadBytes, {}, metric::kPackageHbmReadBytes},
    {Measure::kHbmWriteBytes, {}, metric::kPackageHbmWriteBytes},
};

}  // namespace

bool IsOfPackage(const events::Formula& formula) {
  return std::any_of(formula.terms.begin(), formula.terms.end(),
                     [](const events::Term& term) { return !term.event.OnCore(); });
}

std::optional<MetricId> MetricOf(const events::Formula& formula) {
  const Measure measure = formula.quantity.measure;
  if (measure == Measure::kFlops) return FlopsMetric(formula.quantity);
  for (const Placed& place : kPlaces) {
    if (place.measure == measure) return IsOfPackage(formula) ? place.package : place.thread;
  }
  return std::nullopt;
}

std::vector<MetricId> MetricsOf(Measure measure) {
  std::vector<MetricId> metrics;
  for (const Placed& place : kPlaces) {
    if (place.measure != measure) continue;
    if (place.thread) metrics.push_back(*place.thread);
    if (place.package) metrics.push_back(*place.package);
  }
  return metrics;
}

std::string AddToPackage(const events::Sysfs& sysfs, const events::Formula& formula,
                         MetricId metric, package::Plan& plan) {
  package::Rule rule{metric, {}};
  std::vector<events::EncodedEvent> added;
  for (const events::Term& term : formula.terms) {
    Result<events::Encoding> encoding = events::EncodeTableEvent(sysfs, term.event);
    if (!encoding) return encoding.error();
    for (events::EncodedEvent& event : encoding->events) {
      if (event.scope != Scope::kPackage) {
        return event.device + " counts for single threads, not for a package";
      }
      rule.terms.push_back(
          {plan.events.size() + added.size(), term.Weight(events::SveVectorBits())});
      added.push_back(std::move(event));
    }
  }
  plan.events.insert(plan.events.end(), added.begin(), added.end());
  plan.rules.push_back(std::move(rule));
  return {};
}

}  // namespace roofmark::perf
