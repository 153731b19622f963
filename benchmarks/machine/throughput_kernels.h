// SPDX-License-Identifier: BSD-3-Clause
//
// Instructions that wait for nothing: how many of a kind a core executes in a second. So many
// independent ones are under way that neither their latencies nor the loop around them limit.
// Floating-point arithmetic is elsewhere (compute_kernels.h), and so is what depends (chains).
#ifndef ROOFMARK_BENCHMARKS_MACHINE_THROUGHPUT_KERNELS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_THROUGHPUT_KERNELS_H_

#include <vector>

#include "benchmarks/machine/core_load.h"

namespace roofmark {

// Of the ceilings throughput.<name>; names are those of the classes of latencies
// (collectors/counting/dataflow/latency_text.c). Those that this CPU can execute, on x86-64; none
// elsewhere. Each is the fastest instruction of its class that is known, so that a time made of the
// rate stays a lower bound for the others. The result is the sum of all registers that were
// written.
std::vector<CoreKernel> ThroughputKernels();

// Of the ceiling latency.atomic: locked additions to one word in L1, of which each does not begin
// before the last one ended; different words take no less. On x86-64; none elsewhere. The result is
// the word.
std::vector<CoreKernel> AtomicKernels();

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_THROUGHPUT_KERNELS_H_
