// SPDX-License-Identifier: BSD-3-Clause
//
// Which metrics of CUPTI give ours, which of them are counted together, and what a chip is told to
// count. Needs no device: chips are known by their names.
#ifndef ROOFMARK_COLLECTORS_CUPTI_METRICS_H_
#define ROOFMARK_COLLECTORS_CUPTI_METRICS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/cupti/library.h"
#include "lib/core/device_metric.h"
#include "lib/core/result.h"

namespace roofmark::cupti {

// What one execution counts: an execution is one pass.
enum class Group : uint8_t {
  kKernels,  // what threads execute; CUPTI counts it by code that it adds to the kernels
  kMemory,   // traffic of caches and memory, and tensor cores, by counters of the device
  kLinks,    // traffic over PCIe and NVLink: no chip counts it with that of memory
  kTime,     // how long kernels and copies take; nothing is counted
};

// What a chip may have and the board that it is on may not.
enum class Link : uint8_t { kNone, kPcie, kNvlink, kC2c };
inline constexpr Link kAllLinks[] = {Link::kPcie, Link::kNvlink, Link::kC2c};

struct MetricRow {
  DeviceMetric id;
  const char* cupti;
  uint32_t each;  // of ours for one of CUPTI's
  Group group;
  Link link = Link::kNone;  // that it is of
};
std::span<const MetricRow> Metrics();

// The group that ROOFMARK_GROUP asks for.
Group GroupOf(std::string_view roofmark_group);

// Why a metric that belongs to this one is not counted in an execution of another.
std::string OfOtherGroup(Group group);

// What a chip counts in one pass.
struct Plan {
  std::string chip;
  std::vector<MetricRow> rows;
  std::vector<uint8_t> config;                      // image
  std::array<std::string, kDeviceMetrics> missing;  // why not; empty for those of `rows`
  std::vector<const char*> Names() const;
};

// Metrics that the chip does not have, or that do not fit into the pass any more, are missing.
Result<Plan> MakePlan(const Library& library, const std::string& chip, Group group);

// The same plan with these links alone, of the others for this reason without. An error if nothing
// is left.
Result<Plan> WithLinks(const Library& library, Plan plan, std::span<const Link> links,
                       const std::string& why);

// One that knows this chip, to be given back by host_deinitialize.
Result<HostObject> OpenHost(const Library& library, const std::string& chip);

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_METRICS_H_
