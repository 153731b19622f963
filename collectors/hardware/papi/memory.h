// SPDX-License-Identifier: BSD-3-Clause
//
// Memory controllers through PAPI: which of its events count the traffic of which package.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PAPI_MEMORY_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PAPI_MEMORY_H_

#include <string>
#include <vector>

#include "collectors/collector.h"
#include "collectors/hardware/events/package_list.h"
#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/events/table.h"
#include "collectors/hardware/package/plan.h"
#include "lib/core/metric.h"
#include "lib/core/result.h"

namespace roofmark::papi {

// A formula of the event table whose counts the memory controllers give, and its metric.
struct TableTraffic {
  const events::Formula* formula;
  MetricId metric;
};

// The formulas by PAPI's names for their events, all or none of them; on POWER what the component
// pcp lists. The error, one sentence: why PAPI does not have them. `root` is put before /sys.
Result<package::Plan> PlanMemory(const events::Sysfs& sysfs,
                                 const std::vector<TableTraffic>& wanted,
                                 const std::string& root = "");

// PAPI's component pcp reads what the firmware of POWER counts, which needs no privilege.
// "pcp:::perfevent.hwcounters.nest_mba0_imc.PM_MBA0_READ_BYTES.value:cpu87": one of each controller
// and package. Empty if none of `names` is one.
package::Plan PlanPcp(const std::vector<std::string>& names, const std::string& root = "");

struct ListedMemory {
  package::Plan plan;                  // may be empty
  std::vector<OfferedMetric> refused;  // with the reason
};

// ROOFMARK_PACKAGE_EVENTS.
ListedMemory PlanListedMemory(const std::vector<events::ListedTraffic>& listed,
                              const events::Sysfs& sysfs, const std::string& root = "");

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PAPI_MEMORY_H_
