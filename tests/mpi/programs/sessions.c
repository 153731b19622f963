/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts and ends MPI by a session, and merges by itself. */
#include <mpi.h>
#include <roofmark/mpi.h>
#include <stdio.h>

int main(void) {
#if MPI_VERSION >= 4
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int rank;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "roofmark test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < 2; ++i) {
    ROOF_REGION_BEGIN("life");
    ROOF_REGION_END("life");
    const int reduced = roofmark_reduce(comm);
    if (rank == 0) printf("%d\n", reduced);
  }
  fflush(stdout);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
#else
  puts("no sessions");
#endif
  return 0;
}
