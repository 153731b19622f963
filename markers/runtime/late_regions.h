// SPDX-License-Identifier: BSD-3-Clause
//
// At the end of a process whose recording ended in MPI_Finalize: what came behind it.
#ifndef ROOFMARK_MARKERS_RUNTIME_LATE_REGIONS_H_
#define ROOFMARK_MARKERS_RUNTIME_LATE_REGIONS_H_

#include "markers/runtime/process.h"

namespace roofmark::runtime {

// Visits that began there are missing, and MPI, which merged the ranks, has ended. The rank says so
// on stderr and adds the sentence to the file that it wrote. Under `roofmark run` it leaves a small
// file instead: the command has those of all ranks, and says one sentence. May throw.
void TellLate(Process& self);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_LATE_REGIONS_H_
