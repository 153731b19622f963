// SPDX-License-Identifier: BSD-3-Clause
//
// What all threads counted, as metrics.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_HARVEST_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_HARVEST_H_

#include <optional>
#include <string_view>
#include <vector>

#include "collectors/collector.h"
#include "collectors/hardware/threads/threads.h"
#include "lib/core/layer.h"
#include "lib/counts/weigh.h"

namespace roofmark::threads {

using counts::MetricRule;
using counts::Weigh;
using counts::Weighed;
using counts::WeighedEvent;

// Where the counts of a metric go that a thread made in a layer: those of work to the metric
// itself, others to what is told apart of MPI and OpenMP runtimes (`in_mpi_instructions`), or
// nowhere. Events that the user chose count whatever happens in a region.
std::optional<MetricId> InLayer(MetricId of_work, Layer layer);

// Hands over what every thread did in every measured path. If some of the program's work is not in
// the counts, says so in `collector`'s name and leaves them out. Returns the smallest share of time
// in which an event was on a counter.
double Harvest(Threads& threads, const std::vector<MetricRule>& rules, std::string_view collector,
               HarvestSink& sink);

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_HARVEST_H_
