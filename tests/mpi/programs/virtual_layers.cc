// SPDX-License-Identifier: BSD-3-Clause
//
// A marked OpenMP program that retires what machine_facts.h says on the virtual machine that
// VPMU_MACHINE names: as its own work, inside an MPI call, and inside the OpenMP runtime.
//   reduce    each rank once as thread 0, and once as kInMpi for each call of its own operation
//   barrier   each of two threads once; both as kInRuntime at a barrier between
// Rank 0 prints how often all ranks were called back by MPI.
#include <mpi.h>
#include <omp.h>
#include <roofmark/roofmark.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/collectors/perf_event/machine_facts.h"

namespace {

constexpr uint64_t kInMpi = 50, kInRuntime = 60;

const roofmark::facts::Machine& TheMachine() {
  static const auto machine = [] {
    const char* folder = std::getenv("VPMU_MACHINE");
    const std::string_view name = folder == nullptr ? "" : folder;
    return roofmark::facts::Of(name.substr(name.rfind('/') + 1));
  }();
  return machine;
}

int g_called_back = 0;

void Operation(void* in, void* in_out, int* count, MPI_Datatype*) {
  ++g_called_back;
  roofmark::facts::Retire(TheMachine(), kInMpi, 0);
  for (int i = 0; i < *count; ++i) static_cast<int*>(in_out)[i] += static_cast<int*>(in)[i];
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void SpinInTheRuntime() {
  roofmark::facts::Retire(TheMachine(), kInRuntime, 0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto own = static_cast<uint64_t>(rank);
  MPI_Op operation;
  MPI_Op_create(&Operation, 1, &operation);

  int one = 1, ranks = 0;
  ROOF_REGION_BEGIN("reduce");
  roofmark::facts::Retire(TheMachine(), own, 0);
  MPI_Allreduce(&one, &ranks, 1, MPI_INT, operation, MPI_COMM_WORLD);
  ROOF_REGION_END("reduce");

  ROOF_REGION_BEGIN("barrier");
#pragma omp parallel num_threads(2)
  {
    roofmark::facts::Retire(TheMachine(), own, static_cast<uint64_t>(omp_get_thread_num()));
#pragma omp barrier
  }
  ROOF_REGION_END("barrier");

  int called_back = 0;
  MPI_Reduce(&g_called_back, &called_back, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Op_free(&operation);
  MPI_Finalize();
  if (rank == 0) std::printf("%d %d\n", ranks, called_back);
  return 0;
}
