/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI program with one region. */
#include <roofmark/roofmark.h>
#include <stdio.h>

int MPI_Init(int* argc, char*** argv);
int MPI_Finalize(void);

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ROOF_REGION_BEGIN("solve");
  ROOF_REGION_END("solve");
  MPI_Finalize();
  puts("done");
  return 0;
}
