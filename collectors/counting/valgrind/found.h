// SPDX-License-Identifier: BSD-3-Clause
//
// Executed code and nests, as the tool's requests have them.
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_FOUND_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_FOUND_H_

#include "collectors/counting/engine.h"
#include "lib/found/executed.h"
#include "lib/found/nest_plan.h"

namespace roofmark::counting {

Executed TakeExecuted();

bool SetNests(const NestPlan& plan);
NestPaths TakeNestPaths();

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_VALGRIND_FOUND_H_
