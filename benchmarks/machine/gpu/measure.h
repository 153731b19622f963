// SPDX-License-Identifier: BSD-3-Clause
//
// Measures the ceilings of the GPUs that this process sees (CUDA_VISIBLE_DEVICES), one after the
// other.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_GPU_MEASURE_H_
#define ROOFMARK_BENCHMARKS_MACHINE_GPU_MEASURE_H_

#include <string>
#include <vector>

#include "benchmarks/machine/measure.h"
#include "lib/core/result.h"
#include "lib/model/gpu_machine.h"

namespace roofmark {

// `image`: the file that nvcc made of kernels.cu. An error: no GPU can be measured, and why. What
// fails on one device stands in its warnings, with what was measured before.
Result<std::vector<GpuMachine>> MeasureGpus(const std::string& image, const MeasureOptions& options,
                                            Progress& progress);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_GPU_MEASURE_H_
