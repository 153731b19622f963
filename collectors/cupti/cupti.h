// SPDX-License-Identifier: BSD-3-Clause
//
// What NVIDIA's GPUs do in each region of the main thread, by the range profiler of CUPTI. Regions
// of single threads have nothing of their own: what they launch is charged to the region around
// them.
#ifndef ROOFMARK_COLLECTORS_CUPTI_CUPTI_H_
#define ROOFMARK_COLLECTORS_CUPTI_CUPTI_H_

#include <memory>

#include "collectors/collector.h"

namespace roofmark {

std::unique_ptr<Collector> MakeCuptiCollector();

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_CUPTI_CUPTI_H_
