// SPDX-License-Identifier: BSD-3-Clause
//
// Which instructions are counted in an execution for time, so that it is known whether that did as
// much as the executions under the counting engine. Pure.
#ifndef ROOFMARK_LIB_FOUND_COUNTED_PLACES_H_
#define ROOFMARK_LIB_FOUND_COUNTED_PLACES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lib/core/code_place.h"
#include "lib/found/executed.h"
#include "lib/found/nest_plan.h"
#include "lib/samples/samples.h"

namespace roofmark {

struct ChosenPlace {
  CodePlace place;
  std::string region;  // the name of the nest that it stands for

  bool operator==(const ChosenPlace&) const = default;
};

// At most four, as a processor has registers for. `executed` and `samples` are of all `ranks`
// together, `with_calls` says by nest how much time it takes with what it calls (any unit). The
// first place belongs to the nest that takes most of those that are executed more than once: the
// loop over time steps, if there is one. The others belong to those whose own code takes most. Code
// that each rank executes too often is not counted, since that would take time. For a nest
// that has no other, the code between it and the begin of its function is counted, or the code
// behind it, else the nest around it. Code of the C library, and what was executed inside MPI or in
// an OpenMP runtime as well, is not counted: how often it is executed tells nothing of the work.
// Nor are instructions that repeat themselves (rep movs), which engines count otherwise.
std::vector<ChosenPlace> ChoosePlaces(const NestPlan& plan, std::span<const double> with_calls,
                                      std::span<const SampledModule> samples,
                                      const Executed& executed, uint32_t ranks);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_COUNTED_PLACES_H_
