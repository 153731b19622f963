/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank r has r + 1 threads of its own; thread t of them visits "work" t + 1 times. */
#include <mpi.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <stdint.h>

static pthread_barrier_t all_here; /* all live at the same time: none takes over another's record */

static void* Work(void* times) {
  pthread_barrier_wait(&all_here);
  for (intptr_t i = 0; i < (intptr_t)times; ++i) {
    ROOF_REGION_BEGIN("work");
    ROOF_REGION_END("work");
  }
  pthread_barrier_wait(&all_here);
  return NULL;
}

int main(int argc, char** argv) {
  enum { kMost = 16 };
  pthread_t threads[kMost];
  int rank, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ROOF_REGION_BEGIN("main");
  ROOF_REGION_END("main");
  pthread_barrier_init(&all_here, NULL, (unsigned)rank + 1);
  for (int t = 0; t <= rank && t < kMost; ++t) {
    pthread_create(&threads[t], NULL, Work, (void*)(intptr_t)(t + 1));
  }
  for (int t = 0; t <= rank && t < kMost; ++t) pthread_join(threads[t], NULL);
  MPI_Finalize();
  return 0;
}
