/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands for libmpi_abi.so of an MPI that also has another ABI. Whoever takes it for that one calls
 * functions with handles that mean nothing here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int MPI_Init(int* argc, char*** argv) {
  (void)argc, (void)argv;
  return 0;
}
EXPORT int MPI_Finalize(void) { return 0; }
EXPORT int MPI_Get_library_version(char* text, int* length) {
  strcpy(text, "MPICH Version: 5.0.0");
  *length = (int)strlen(text);
  return 0;
}

#define NOT_CALLED(name)                             \
  EXPORT int name(void) {                            \
    fputs(#name " with a strange handle\n", stderr); \
    abort();                                         \
  }
NOT_CALLED(PMPI_Comm_rank)
NOT_CALLED(PMPI_Comm_size)
NOT_CALLED(PMPI_Comm_dup)
NOT_CALLED(PMPI_Comm_create_keyval)
NOT_CALLED(PMPI_Initialized)
NOT_CALLED(PMPI_Finalized)
