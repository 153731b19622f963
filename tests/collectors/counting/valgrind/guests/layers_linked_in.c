/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI and an OpenMP runtime that are linked into the executable, as far as the engine can see:
 * these functions have the names of theirs. */
#include <setjmp.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"

#ifdef __clang__
#define OUT_OF_LINE __attribute__((noinline))
#else
#define OUT_OF_LINE __attribute__((noipa))
#endif

OUT_OF_LINE static void add(long n) {
  __attribute__((unused)) volatile double sum = 0;
  for (long i = 0; i < n; ++i) sum += 1.0;
}

OUT_OF_LINE int internal_progress(void) {
  add(50);
  return 0;
}

OUT_OF_LINE int MPI_Barrier(int communicator) {
  add(20);
  return communicator + internal_progress();
}

/* Ends with a jump: the return to the program is in another function. */
OUT_OF_LINE int MPI_Wait(void) {
  add(7);
  return internal_progress();
}

static jmp_buf escape;
OUT_OF_LINE int MPI_Abort(int communicator) {
  add(communicator);
  longjmp(escape, 1);
}

OUT_OF_LINE void GOMP_barrier(void) { add(400); }

OUT_OF_LINE void GOMP_parallel(void (*function)(void*), void* data) {
  add(300);
  function(data);
  add(300);
}

OUT_OF_LINE static void body(void* data) {
  add(*(long*)data);
  GOMP_barrier();
  add(*(long*)data);
}

int main(void) {
  long part = 1000;
  guest_team(1);
  MPI_Barrier(0);
  add(1);
  MPI_Wait();
  add(1);
  if (!setjmp(escape)) MPI_Abort(3);
  add(1);
  GOMP_parallel(body, &part);
  add(1);
  guest_team(0);
  return guest_report();
}
