/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a process finds: streams, descriptors, environment, limits. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

extern char** environ;

static int IsOurs(const char* entry) {
  return strncmp(entry, "ROOFMARK", 8) == 0 || strncmp(entry, "VPMU_", 5) == 0;
}

void Guest_environment(void) {
  for (char** entry = environ; *entry != NULL; ++entry) {
    if (!IsOurs(*entry)) puts(*entry);
  }
  char name[17] = "", directory[4096];
  prctl(PR_GET_NAME, name);
  printf("name %.5s, cwd %s, umask %o\n", name, getcwd(directory, sizeof directory) ? "ok" : "gone",
         (unsigned)umask(022));
  printf("priority %d, dumpable %d\n", getpriority(PRIO_PROCESS, 0), prctl(PR_GET_DUMPABLE));
  printf("group %d, session %d\n", getpgrp() == getpid(), getsid(0) == getpid());
}

/* Markers do not touch it, neither at first visits nor later. */
void Guest_errors(void) {
  for (int i = 0; i < 3; ++i) {
    errno = 1000 + i;
    Visit();
    printf("errno %d\n", errno);
  }
}

void Guest_streams(void) {
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) printf("read %s", line);
  fputs("said\n", stderr);
}

/* Those from 256 on may be roofmark's: directories that it needs after chdir(). */
static void PrintDescriptors(void) {
  for (int fd = 0; fd < 256; ++fd) {
    const int flags = fcntl(fd, F_GETFD);
    if (flags >= 0) printf("descriptor %d, close on exec %d\n", fd, flags & FD_CLOEXEC);
  }
}

/* Low numbers are the program's: some count on the next one. */
void Guest_descriptors(void) {
  PrintDescriptors();
  Visit();
  printf("next %d\n", LowestFree());
}

void Guest_closed_descriptors(void) {
  fflush(stdout);
  const int out = dup(1);
  for (int fd = 0; fd < 3; ++fd) close(fd);
  Visit();
  for (int fd = 0; fd < 3; ++fd) Check(open("/dev/null", O_RDWR) == fd, "a number is taken");
  Visit();
  dup2(out, 1);
  close(out);
  puts("their numbers are free");
}

/* As daemons do. */
void Guest_closes_all(void) {
  for (int fd = 3; fd < 1024; ++fd) close(fd);
  Visit();
  printf("next %d\n", LowestFree());
  Check(close_range(3, ~0u, 0) == 0, "close_range");
  Visit();
  printf("next %d\n", LowestFree());
}

/* One that has files of its own under all numbers. Whatever is read from one of them, or closed, is
 * missed at the end. */
enum { kFirst = 3, kNumbers = 600 };
static int g_taken[2];

static void TakeAllNumbers(void) {
  for (int fd = kFirst; fd < kNumbers; ++fd) {
    if (fd != g_taken[1]) dup2(g_taken[0], fd);
  }
}

static void* VisitThere(void* none) {
  Visit();
  return none;
}

static pthread_barrier_t g_both;

static void* VisitBeforeAndBehind(void* none) {
  Visit();
  pthread_barrier_wait(&g_both);
  pthread_barrier_wait(&g_both);
  Visit();
  return none;
}

void Guest_takes_all_numbers(void) {
  Visit();
  Check(pipe(g_taken) == 0 && write(g_taken[1], "twelve bytes", 12) == 12, "pipe");
  pthread_t before, behind;
  pthread_barrier_init(&g_both, NULL, 2);
  Check(pthread_create(&before, NULL, VisitBeforeAndBehind, NULL) == 0, "pthread_create");
  pthread_barrier_wait(&g_both);
  ROOF_REGION_BEGIN("takes numbers");
  TakeAllNumbers();
  ROOF_REGION_END("takes numbers");
  Visit();
  pthread_barrier_wait(&g_both);
  pthread_join(before, NULL);
  Check(pthread_create(&behind, NULL, VisitThere, NULL) == 0, "pthread_create");
  pthread_join(behind, NULL);
  fflush(stdout);
  const pid_t child = fork();
  if (child != 0) waitpid(child, NULL, 0);
  Visit();
  struct stat own, other;
  int taken = 0, bytes = 0;
  fstat(g_taken[0], &own);
  for (int fd = kFirst; fd < kNumbers; ++fd) {
    taken += fstat(fd, &other) == 0 && other.st_ino == own.st_ino;
  }
  ioctl(g_taken[0], FIONREAD, &bytes);
  printf("%s: %d of %d, %d bytes\n", child == 0 ? "child" : "parent", taken, kNumbers - kFirst,
         bytes);
}

void Guest_limits(void) {
  for (int which = 0; which < (int)RLIM_NLIMITS; ++which) {
    struct rlimit limit;
    Check(getrlimit((__rlimit_resource_t)which, &limit) == 0, "getrlimit");
    printf("limit %d: %lld of %lld\n", which, (long long)limit.rlim_cur, (long long)limit.rlim_max);
  }
}

/* Nobody leaves anything there while the program runs. */
void Guest_temporary_files(void) {
  const char* place = getenv("TMPDIR");
  DIR* directory = place == NULL ? NULL : opendir(place);
  Check(directory != NULL, "opendir");
  if (directory == NULL) return; /* clang-tidy does not know that it is not */
  int files = 0;
  for (const struct dirent* entry; (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    puts(entry->d_name);
    ++files;
  }
  closedir(directory);
  printf("%d files\n", files);
}

/* roofmark has no thread of its own. */
void Guest_threads_seen(void) {
  struct stat info;
  Check(stat("/proc/self/task", &info) == 0, "stat");
  printf("threads %d\n", (int)info.st_nlink - 2);
}

void Guest_gone_directory(void) {
  char place[] = "gone.XXXXXX";
  Check(mkdtemp(place) != NULL && chdir(place) == 0, "mkdtemp");
  char up[64];
  snprintf(up, sizeof up, "../%s", place);
  Check(rmdir(up) == 0, "rmdir");
  Visit();
  char directory[4096];
  printf("cwd %s\n", getcwd(directory, sizeof directory) == NULL ? "gone" : "there");
}
