// SPDX-License-Identifier: BSD-3-Clause
//
// What roofmark/mpi.h and the Fortran module call.
#include "lib/core/inside.h"
#include "mpi/session.h"

extern "C" __attribute__((visibility("default"))) int roofmark_reduce_f(int comm) {
  const roofmark::Inside inside;
  if (!inside) return static_cast<int>(roofmark::mpi::Reduced::kOff);
  return static_cast<int>(roofmark::mpi::ReduceOver(comm));
}
