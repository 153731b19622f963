// SPDX-License-Identifier: BSD-3-Clause
//
// A marked OpenMP program, with or without MPI, that retires what machine_facts.h says on the
// virtual machine that VPMU_MACHINE names: each thread of each rank other counts. Rank 0 plays the
// memory of both packages, so that what the controllers see does not depend on who runs where.
//   solve              all ranks, 2 threads each, one Move
//   solve/odd          odd ranks: on a package that two ranks share, perhaps not its owner; a Move
//   last               the last rank alone, after all others left their regions: ten Moves
// Between the regions the packages move a hundred times as much.
#include <omp.h>
#include <roofmark/roofmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/collectors/perf_event/machine_facts.h"
#ifdef WITH_MPI
#include <mpi.h>
#endif

namespace {

void Meet() {
#ifdef WITH_MPI
  MPI_Barrier(MPI_COMM_WORLD);
#endif
}

void Play(const roofmark::facts::Machine& machine, int rank, int ranks) {
  const auto move = [&](uint64_t times) {
    Meet();
    if (rank == 0) roofmark::facts::Move(machine, times);
    Meet();
  };
  move(100);
  ROOF_REGION_BEGIN("solve");
#pragma omp parallel num_threads(2)
  roofmark::facts::Retire(machine, static_cast<uint64_t>(rank),
                          static_cast<uint64_t>(omp_get_thread_num()));
  move(1);
  if (rank % 2 == 1) ROOF_REGION_BEGIN("odd");
  move(1);
  if (rank % 2 == 1) ROOF_REGION_END("odd");
  Meet();
  ROOF_REGION_END("solve");
  move(100);
  if (rank == ranks - 1) ROOF_REGION_BEGIN("last");
  move(10);
  if (rank == ranks - 1) ROOF_REGION_END("last");
  move(100);
}

}  // namespace

int main([[maybe_unused]] int argc, [[maybe_unused]] char** argv) {
  int rank = 0, ranks = 1;
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#endif
  const std::string folder = std::getenv("VPMU_MACHINE");
  const auto machine = roofmark::facts::Of(folder.substr(folder.rfind('/') + 1));
  if (rank == 0 && machine.takes_turns) vpmu_freeze();
  Play(machine, rank, ranks);
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  if (rank == 0) std::puts("done");
  return 0;
}
