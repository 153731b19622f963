// SPDX-License-Identifier: BSD-3-Clause
//
// What to count through PAPI: presets of ROOFMARK_GROUP, or the user's list, as sets that really
// open, and the metrics that they give.
#ifndef ROOFMARK_COLLECTORS_PAPI_PLAN_H_
#define ROOFMARK_COLLECTORS_PAPI_PLAN_H_

#include <map>
#include <string>
#include <vector>

#include "collectors/hardware/hardware.h"
#include "collectors/papi/source.h"
#include "lib/core/result.h"
#include "lib/core/settings.h"

namespace roofmark::papi {

struct Plan {
  Sets sets;
  HardwarePlan hardware;  // its rules are of the sets' events
  std::map<std::string, std::string> facts;
};

// The error, one sentence with cause and cure, means that nothing at all can be counted.
Result<Plan> MakePlan(const Settings& settings);

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_PAPI_PLAN_H_
