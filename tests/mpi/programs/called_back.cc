// SPDX-License-Identifier: BSD-3-Clause
//
// Stands for an MPI library: a call lasts as long as what its only argument does.
#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT int MPI_Barrier(void (*meanwhile)()) {
  if (meanwhile != nullptr) meanwhile();
  return 0;
}

// As in MPI libraries whose Fortran functions call the C ones.
EXPORT void mpi_barrier_(void (*meanwhile)(), int* error) { *error = MPI_Barrier(meanwhile); }
