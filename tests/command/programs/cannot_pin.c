/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preloaded: nobody may choose where a thread runs, as in some sandboxes. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) {
  (void)thread, (void)size, (void)set;
  return EPERM;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set) {
  (void)pid, (void)size, (void)set;
  errno = EPERM;
  return -1;
}
