// SPDX-License-Identifier: BSD-3-Clause
//
// A thread that has nothing to do beside a loop, as those of a library's pool.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int done;

static void* wait_for_work(void* unused) {
  while (!atomic_load(&done)) sched_yield();
  return unused;
}

static double __attribute__((noinline)) work(long n, double x) {
  for (long i = 0; i < n; ++i) x = x * 0.999 + 0.5;
  return x;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_work, NULL) != 0) return 2;
  const double x = work(30000000, 1);
  atomic_store(&done, 1);
  pthread_join(thread, NULL);
  return x > 0 ? 0 : 1;
}
