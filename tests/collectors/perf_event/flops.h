// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_COLLECTORS_PERF_EVENT_FLOPS_H_
#define ROOFMARK_TESTS_COLLECTORS_PERF_EVENT_FLOPS_H_

#include "lib/core/metric.h"

namespace roofmark::perf_test {

// What the events of Intel's CPUs count.
inline constexpr MetricId kDpScalar = AnyKindFlops(Precision::kDouble, Width::kScalar);
inline constexpr MetricId kDp256 = AnyKindFlops(Precision::kDouble, Width::k256);

}  // namespace roofmark::perf_test

#endif  // ROOFMARK_TESTS_COLLECTORS_PERF_EVENT_FLOPS_H_
