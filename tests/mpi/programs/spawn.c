/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that starts two more of itself: another MPI_COMM_WORLD, of the same launcher. The merge
 * of its own is over both worlds together. */
#include <mpi.h>
#include <roofmark/mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Comm parent, others, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  others = parent;
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others,
                   MPI_ERRCODES_IGNORE);
  }
  const char* name = parent == MPI_COMM_NULL ? "parents" : "children";
  roofmark_begin(name);
  roofmark_end(name);
  MPI_Intercomm_merge(others, parent != MPI_COMM_NULL, &all);
  const int reduced = roofmark_reduce(all);
  int rank;
  MPI_Comm_rank(all, &rank);
  if (rank == 0) printf("%d\n", reduced);
  fflush(stdout);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&others);
  MPI_Finalize();
  return 0;
}
