// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COMMAND_NESTS_PLAN_H_
#define ROOFMARK_COMMAND_NESTS_PLAN_H_

#include <vector>

#include "command/nests/code.h"
#include "lib/found/nest_plan.h"
#include "lib/loops/choose.h"

namespace roofmark::cli {

// How what was chosen is called: a nest by its name, a function `f()`.
std::string NameOf(const FoundCode& code, const loops::Chosen& chosen);

// What was chosen, as a counting engine is given it: functions before the nests in them, all in the
// order of the code. Names that would be alike have the module behind them, then a number.
// `with_calls`, if it is given, has the samples of each with what it calls (loops::Chosen).
NestPlan PlanOf(const FoundCode& code, const loops::Choice& choice,
                std::vector<double>* with_calls = nullptr);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_NESTS_PLAN_H_
