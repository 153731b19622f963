/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places and limits that leave little room. What is set before the program starts stands in
 * guest_test.cc. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

static void Report(const char* what, int error) {
  printf("%s: %s\n", what, error == 0 ? "done" : strerror(error));
}

static void SetLimit(int which, rlim_t soft, rlim_t hard) {
  const struct rlimit limit = {soft, hard};
  Check(setrlimit((__rlimit_resource_t)which, &limit) == 0, "setrlimit");
}

static void* VisitsInThread(void* value) {
  Visit();
  return value;
}

static int StartThread(void) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  pthread_t thread;
  const int error = pthread_create(&thread, &small, VisitsInThread, NULL);
  if (error == 0) pthread_join(thread, NULL);
  return error;
}

/* A little of everything. */
static void Work(void) {
  Visit();
  Report("a thread", StartThread());
  char* memory = malloc(1 << 20);
  if (memory != NULL) memset(memory, 1, 1 << 20);
  Report("memory", memory == NULL ? errno : 0);
  free(memory);
  int files[2];
  for (int i = 0; i < 2; ++i) {
    files[i] = open("/dev/null", O_RDWR);
    Report("a file", files[i] < 0 ? errno : 0);
  }
  for (int i = 0; i < 2; ++i) close(files[i]);
  Visit();
}

/* All that are allowed can be had. */
static void OpensAll(void) {
  int files = 0, open_files[64];
  while (files < 64 && (open_files[files] = open("/dev/null", O_RDWR)) >= 0) ++files;
  Visit();
  Report("a thread", StartThread());
  printf("%d files: %s\n", files, strerror(errno));
  while (files > 0) close(open_files[--files]);
}

void Guest_limited_files(void) {
  Work();
  OpensAll();
  Work();
}

/* As above, but the program may raise the limit. */
void Guest_softly_limited_files(void) { Guest_limited_files(); }

void Guest_limited_addresses(void) { Work(); }
void Guest_limited_data(void) { Work(); }
void Guest_limited_stack(void) { Work(); }
/* It may not grow beyond what it has already, and the program ends on it. */
void Guest_lowered_stack(void) {
  Visit();
  SetLimit(RLIMIT_STACK, 16384, RLIM_INFINITY);
  Work();
}
void Guest_limited_locks(void) { Work(); }
void Guest_read_only_directory(void) {
  Work();
  Report("a new file", open("new", O_CREAT | O_WRONLY, 0600) < 0 ? 1 : 0);
}
void Guest_gone_before(void) { Work(); }

void Guest_limited_file_size(void) {
  Work();
  FILE* file = tmpfile();
  Check(file != NULL, "tmpfile");
  signal(SIGXFSZ, SIG_IGN);
  Report("writing", write(fileno(file), "x", 1) < 0 ? errno : 0);
  signal(SIGXFSZ, SIG_DFL);
  fclose(file);
}

/* The standard streams are closed. */
void Guest_closed_before(void) {
  Visit();
  int right = 1;
  for (int fd = 0; fd < 3; ++fd) right &= open("/dev/null", O_RDWR) == fd;
  Visit();
  _exit(right ? 0 : 99);
}

/* As a user without privileges, who is not exempt. */
void Guest_limited_processes(void) {
  Visit();
  if (geteuid() == 0) Check(setgid(65534) == 0 && setuid(65534) == 0, "setuid");
  SetLimit(RLIMIT_NPROC, 0, 0);
  Work();
  Report("a process", fork() < 0 ? errno : 0);
}

static volatile sig_atomic_t g_late;

static void NotesThatItIsLate(int signal) {
  (void)signal;
  g_late = 1;
}

void Guest_limited_time(void) {
  signal(SIGXCPU, NotesThatItIsLate);
  SetLimit(RLIMIT_CPU, 1, 300);
  while (!g_late) Visit();
  printf("late\n");
}

void Guest_limited_signals(void) {
  SetLimit(RLIMIT_SIGPENDING, 0, 0);
  Work();
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &one, NULL);
  const union sigval nothing = {0};
  Report("a queued signal", sigqueue(getpid(), SIGRTMIN, nothing) < 0 ? errno : 0);
}

void Guest_limited_queues(void) {
  SetLimit(RLIMIT_MSGQUEUE, 0, 0);
  Work();
  char name[64];
  snprintf(name, sizeof name, "/guest.%d", (int)getpid());
  const mqd_t queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, NULL);
  Report("a queue", queue < 0 ? errno : 0);
}
