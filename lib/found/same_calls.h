// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_FOUND_SAME_CALLS_H_
#define ROOFMARK_LIB_FOUND_SAME_CALLS_H_

#include <cstddef>
#include <span>

#include "lib/found/executed.h"
#include "lib/found/same_work.h"

namespace roofmark {

// A call of MPI is counted in an execution for time wherever it comes from, at no cost: the places
// of the program that call it tell how much it did, as its loop over time steps holds some of them.
// How many places called MPI as often in the execution that was timed (`ranks`' samples) as in both
// under the engine (`before`: of all ranks together). 0: one of them did not, or calls that come
// again and again are missing, so that nothing is known. Places that two executions under the
// engine do not execute equally often poll, and tell nothing.
size_t CountSameCalls(std::span<const RankWork> ranks, const Executed& before);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_FOUND_SAME_CALLS_H_
