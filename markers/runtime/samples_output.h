// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_SAMPLES: the file of samples of one process.
#ifndef ROOFMARK_MARKERS_RUNTIME_SAMPLES_OUTPUT_H_
#define ROOFMARK_MARKERS_RUNTIME_SAMPLES_OUTPUT_H_

#include "markers/runtime/process.h"

namespace roofmark::runtime {

// As the settings say. Where nothing can be sampled that is said, and kept for the roofline file.
// May throw std::bad_alloc.
void StartSampling(Process& self);

// Ends sampling and writes the file, if there was any. May throw std::bad_alloc.
void WriteSamples(Process& self);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_SAMPLES_OUTPUT_H_
