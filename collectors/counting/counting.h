// SPDX-License-Identifier: BSD-3-Clause
//
// Exact FLOPs, the instruction mix and a modelled cache hierarchy, from the counting engine under
// which the process runs: a software PMU that is told, by client requests, which path each thread
// is in.
#ifndef ROOFMARK_COLLECTORS_COUNTING_COUNTING_H_
#define ROOFMARK_COLLECTORS_COUNTING_COUNTING_H_

#include <memory>

#include "collectors/collector.h"

namespace roofmark {

// Open() fails in a process that does not run under the engine: see ReExecuteUnderEngine().
std::unique_ptr<Collector> MakeCountingCollector();

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_COUNTING_COUNTING_H_
