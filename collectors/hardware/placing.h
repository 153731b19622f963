// SPDX-License-Identifier: BSD-3-Clause
//
// Where a quantity of the event table is kept: its metric, and whether threads or packages count
// it.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PLACING_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PLACING_H_

#include <optional>
#include <string>
#include <vector>

#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/events/table.h"
#include "collectors/hardware/package/plan.h"
#include "lib/core/metric.h"

namespace roofmark::perf {

// Memory controllers count it, for everybody who uses them.
bool IsOfPackage(const events::Formula& formula);

// No value if no metric holds it without a guess.
std::optional<MetricId> MetricOf(const events::Formula& formula);
// What is missing if nothing gives the measure (which is not kFlops).
std::vector<MetricId> MetricsOf(events::Measure measure);

// Empty, or why the kernel's devices do not give it.
std::string AddToPackage(const events::Sysfs& sysfs, const events::Formula& formula,
                         MetricId metric, package::Plan& plan);

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PLACING_H_
