// SPDX-License-Identifier: BSD-3-Clause
//
// A marked MPI job on the stand-in's devices: two ranks for each. In "solve" rank r adds 10 (r + 1)
// numbers, and reads 100 bytes of memory.
#include <mpi.h>
#include <roofmark/roofmark.h>

#include "tests/collectors/cupti/stand_in.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto context = stand_in::CreateContext(rank / 2);
  ROOF_REGION_BEGIN("solve");
  stand_in::Launch(context, stand_in::kAdd, 10 * (static_cast<uint64_t>(rank) + 1));
  stand_in::Launch(context, stand_in::kRead, 100);
  ROOF_REGION_END("solve");
  MPI_Finalize();
}
