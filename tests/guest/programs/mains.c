/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Main threads that end before the process does, which ends with status 0 behind its last thread.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

#include "guest.h"

static void PrintAtExit(void) {
  puts("exit");
  fflush(stdout);
}

static void* WorkOn(void* main_thread) {
  if (main_thread) pthread_join(*(pthread_t*)main_thread, NULL);
  usleep(20000);
  Visit();
  puts("worked on");
  fflush(stdout);
  return NULL;
}

/* Each thread makes the next one and ends. */
static void* MakeNext(void* left) {
  pthread_t thread;
  char* next = left;
  Visit();
  if (*next == '\0') return WorkOn(NULL);
  Check(pthread_create(&thread, NULL, MakeNext, next + 1) == 0, "pthread_create");
  pthread_detach(thread);
  return NULL;
}

static void Begin(void* (*body)(void*), void* argument) {
  pthread_t thread;
  atexit(PrintAtExit);
  Check(pthread_create(&thread, NULL, body, argument) == 0, "pthread_create");
  pthread_detach(thread);
}

void Guest_main_exits(void) {
  Begin(WorkOn, NULL);
  pthread_exit(NULL);
}

void Guest_main_exits_in_a_region(void) {
  Begin(WorkOn, NULL);
  ROOF_REGION_BEGIN("until the end");
  thrd_exit(0);
}

void Guest_main_exits_alone(void) {
  atexit(PrintAtExit);
  pthread_exit(NULL);
}

void Guest_main_is_joined(void) {
  static pthread_t self;
  self = pthread_self();
  Begin(WorkOn, &self);
  pthread_exit(NULL);
}

void Guest_main_is_cancelled(void) {
  atexit(PrintAtExit);
  pthread_cancel(pthread_self());
  pause();
}

void Guest_main_exits_before_many(void) {
  static char links[] = "twenty threads more.";
  Begin(MakeNext, links);
  pthread_exit(NULL);
}

static void* ExitThere(void* none) {
  usleep(20000);
  exit(5);
  return none;
}

void Guest_main_exits_before_exit(void) {
  Begin(ExitThere, NULL);
  pthread_exit(NULL);
}
