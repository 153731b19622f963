// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_COLLECTORS_PAPI_FLOPS_H_
#define ROOFMARK_TESTS_COLLECTORS_PAPI_FLOPS_H_

#include "lib/core/metric.h"

namespace roofmark::papi_test {

// What PAPI's presets count.
inline constexpr MetricId kDouble = WholeFlops(WholePrecision::kDouble);
inline constexpr MetricId kSingle = WholeFlops(WholePrecision::kSingle);
inline constexpr MetricId kMixed = WholeFlops(WholePrecision::kMixed);

}  // namespace roofmark::papi_test

#endif  // ROOFMARK_TESTS_COLLECTORS_PAPI_FLOPS_H_
