// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_EVENTS through the kernel. Needs no table of the CPU: software events count everywhere.
#ifndef ROOFMARK_COLLECTORS_PERF_EVENT_USER_PLAN_H_
#define ROOFMARK_COLLECTORS_PERF_EVENT_USER_PLAN_H_

#include <string>

#include "collectors/perf_event/plan.h"

namespace roofmark::perf {

// As MakePlan. What cannot be counted is offered with its reason; if nothing can be, that is the
// error.
Result<Plan> MakeUserPlan(const Settings& settings, const std::string& root = "");

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_PERF_EVENT_USER_PLAN_H_
