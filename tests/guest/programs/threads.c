/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads: many, small, cancelled, ended in all ways. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

enum { kCrowd = 256, kSuccession = 5200, kPools = 20, kWorkers = 8 };

static atomic_int g_done;
static pthread_barrier_t g_all;

static void* VisitOnce(void* value) {
  Visit();
  atomic_fetch_add(&g_done, 1);
  return value;
}

void Guest_thread_succession(void) {
  uintptr_t sum = 0;
  for (uintptr_t i = 0; i < kSuccession; ++i) {
    pthread_t thread;
    void* result = NULL;
    Check(pthread_create(&thread, NULL, VisitOnce, (void*)i) == 0, "pthread_create");
    Check(pthread_join(thread, &result) == 0, "pthread_join");
    sum += (uintptr_t)result;
  }
  printf("done %d, results %lu\n", g_done, (unsigned long)sum);
}

static void* VisitTogether(void* value) {
  pthread_barrier_wait(&g_all);
  ROOF_REGION_BEGIN("together");
  pthread_barrier_wait(&g_all);
  ROOF_REGION_END("together");
  return VisitOnce(value);
}

void Guest_thread_crowd(void) {
  pthread_t threads[kCrowd];
  pthread_barrier_init(&g_all, NULL, kCrowd);
  for (int i = 0; i < kCrowd; ++i) {
    Check(pthread_create(&threads[i], NULL, VisitTogether, NULL) == 0, "pthread_create");
  }
  for (int i = 0; i < kCrowd; ++i) pthread_join(threads[i], NULL);
  printf("done %d\n", g_done);
}

/* Pools that begin, work and die, their threads detached. */
void Guest_thread_pools(void) {
  for (int pool = 0; pool < kPools; ++pool) {
    ROOF_REGION_BEGIN("pool");
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < kWorkers; ++i) {
      pthread_t thread;
      Check(pthread_create(&thread, &detached, VisitOnce, NULL) == 0, "pthread_create");
    }
    while (atomic_load(&g_done) < (pool + 1) * kWorkers) usleep(100);
    ROOF_REGION_END("pool");
  }
  printf("done %d\n", g_done);
}

void Guest_small_stacks(void) {
  const size_t kSizes[] = {16 << 10, 20 << 10, 32 << 10, 64 << 10};
  for (size_t i = 0; i < sizeof kSizes / sizeof kSizes[0]; ++i) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    Check(pthread_attr_setstacksize(&small, kSizes[i]) == 0, "pthread_attr_setstacksize");
    pthread_t thread;
    Check(pthread_create(&thread, &small, VisitOnce, NULL) == 0, "pthread_create");
    pthread_join(thread, NULL);
  }
  printf("done %d\n", g_done);
}

static void Unwound(void* name) {
  Visit();
  printf("cleaned up %s\n", (const char*)name);
}

static sem_t g_waits;

static void* WaitsToBeCancelled(void* value) {
  pthread_cleanup_push(Unwound, (void*)"the thread");
  ROOF_REGION_BEGIN("cancelled");
  sem_post(&g_waits);
  for (;;) pause();
  ROOF_REGION_END("cancelled");
  pthread_cleanup_pop(0);
  return value;
}

/* A marker is no place where a thread can be cancelled: it has no result that tells so. */
static void* IsCancelledLater(void* value) {
  sem_wait(&g_waits);
  Visit();
  atomic_fetch_add(&g_done, 1);
  pthread_testcancel();
  return value;
}

static void* CancelsItself(void* value) {
  pthread_cancel(pthread_self());
  Visit();
  ROOF_REGION_BEGIN("first visit while cancelled");
  ROOF_REGION_END("first visit while cancelled");
  atomic_fetch_add(&g_done, 1);
  pthread_testcancel();
  return value;
}

void Guest_cancels(void) {
  void* (*const kBodies[])(void*) = {WaitsToBeCancelled, IsCancelledLater, CancelsItself};
  for (int i = 0; i < 3; ++i) {
    sem_init(&g_waits, 0, 0);
    pthread_t thread;
    Check(pthread_create(&thread, NULL, kBodies[i], NULL) == 0, "pthread_create");
    if (i == 0) sem_wait(&g_waits);
    if (i < 2) pthread_cancel(thread);
    void* result = NULL;
    pthread_join(thread, &result);
    printf("thread %d cancelled %d\n", i, result == PTHREAD_CANCELED);
  }
  printf("done %d\n", g_done);
}

static void* WaitsForAll(void* value) {
  pthread_barrier_wait(&g_all);
  Visit();
  pthread_barrier_wait(&g_all);
  return value;
}

/* A thread that begins while standard streams are closed takes none of their numbers. */
void Guest_thread_descriptors(void) {
  fflush(stdout);
  const int out = dup(1);
  for (int fd = 0; fd < 3; ++fd) close(fd);
  pthread_barrier_init(&g_all, NULL, 2);
  pthread_t thread;
  Check(pthread_create(&thread, NULL, WaitsForAll, NULL) == 0, "pthread_create");
  pthread_barrier_wait(&g_all);
  pthread_barrier_wait(&g_all);
  for (int fd = 0; fd < 3; ++fd) Check(open("/dev/null", O_RDWR) == fd, "a number is taken");
  pthread_join(thread, NULL);
  dup2(out, 1);
  close(out);
  printf("next %d\n", LowestFree());
}

static void* EndsTheProcess(void* value) {
  ROOF_REGION_BEGIN("in a thread");
  fflush(stdout);
  exit(13);
  return value;
}

void Guest_exits_from_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, EndsTheProcess, NULL);
  pthread_join(thread, NULL);
}

void Guest_exits_from_small_stack(void) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 16 << 10);
  pthread_t thread;
  Check(pthread_create(&thread, &small, EndsTheProcess, NULL) == 0, "pthread_create");
  pthread_join(thread, NULL);
}

static pthread_key_t g_key;

static void VisitsAtTheEnd(void* value) {
  Visit();
  printf("value %d\n", *(int*)value);
}

static void* HasAValue(void* value) {
  pthread_setspecific(g_key, value);
  Visit();
  return NULL;
}

/* Destructors of a thread's values run after everything else of it, and visit regions. */
void Guest_thread_data(void) {
  int values[3] = {1, 2, 3};
  pthread_key_create(&g_key, VisitsAtTheEnd);
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_create(&thread, NULL, HasAValue, &values[i]);
    pthread_join(thread, NULL);
  }
}
