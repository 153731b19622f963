// SPDX-License-Identifier: BSD-3-Clause
//
// Calls and wall time: always available. The markers record both themselves, so this only says so.
#ifndef ROOFMARK_COLLECTORS_TIMER_TIMER_H_
#define ROOFMARK_COLLECTORS_TIMER_TIMER_H_

#include <memory>

#include "collectors/collector.h"

namespace roofmark {

std::unique_ptr<Collector> MakeTimerCollector();

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_TIMER_TIMER_H_
