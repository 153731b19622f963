// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_BENCHMARKS_MACHINE_GPU_SAMPLE_H_
#define ROOFMARK_BENCHMARKS_MACHINE_GPU_SAMPLE_H_

#include <optional>
#include <string>

#include "benchmarks/machine/gpu/task.h"

namespace roofmark::gpu {

struct SamplePlan {
  double seconds;  // of one sample at least
  uint32_t samples;
};

// nullopt: the session failed, which says why, or a result was wrong, which `wrong` says.
std::optional<GpuPoint> Sample(Session& session, const Arrays& arrays, const SamplePlan& plan,
                               Task task, std::string& wrong);

}  // namespace roofmark::gpu

#endif  // ROOFMARK_BENCHMARKS_MACHINE_GPU_SAMPLE_H_
