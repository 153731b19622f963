/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that a process makes, and ways to end. */
#define _GNU_SOURCE
#include <errno.h>
#include <roofmark/roofmark.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

extern char** environ;

/* Inside a region, from which the child leaves. */
void Guest_forks(void) {
  ROOF_REGION_BEGIN("parent");
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    Visit();
    ROOF_REGION_END("parent");
    printf("child, next %d\n", LowestFree());
    exit(5);
  }
  PrintEnd(child);
  ROOF_REGION_END("parent");
}

void Guest_forks_twice(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      Visit();
      raise(SIGTERM);
    }
    PrintEnd(grandchild);
    exit(0);
  }
  PrintEnd(child);
}

void Guest_vforks(void) {
  fflush(stdout);
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", "echo executed; exit 4", (char*)NULL);
    _exit(127);
  }
  PrintEnd(child);
  Visit();
}

void Guest_executes(void) {
  ROOF_REGION_BEGIN("never left");
  fflush(stdout);
  execl("/bin/sh", "sh", "-c", "echo $$ | grep -c .; ls /proc/self/fd | tr '\\n' ' '; exit 3",
        (char*)NULL);
}

void Guest_spawns(void) {
  fflush(stdout);
  char* const words[] = {(char*)"sh", (char*)"-c", (char*)"echo spawned; exit 6", NULL};
  pid_t child = 0;
  Check(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ) == 0, "posix_spawn");
  PrintEnd(child);
  char* const nothing[] = {(char*)"nothing", NULL};
  printf("missing: %d\n", posix_spawn(&child, "/nothing", NULL, NULL, nothing, environ) == ENOENT);
}

void Guest_asks_shell(void) {
  fflush(stdout);
  printf("system: %d\n", WEXITSTATUS(system("echo said; exit 9")));
  FILE* pipe = popen("cat; echo more", "r");
  char line[64];
  while (pipe != NULL && fgets(line, sizeof line, pipe) != NULL) printf("read %s", line);
  printf("pclose: %d\n", pipe == NULL ? -1 : WEXITSTATUS(pclose(pipe)));
}

/* The parent of daemon() has gone before the daemon says anything: a pipe tells when it has. */
void Guest_daemon_mode(void) {
  int ends[2];
  Check(pipe(ends) == 0, "pipe");
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    Check(daemon(/*nochdir=*/1, /*noclose=*/1) == 0, "daemon");
    Visit();
    /* Nobody orders what it says and what the parent says. */
    Check(freopen("/dev/null", "w", stdout) != NULL && write(ends[1], "d", 1) == 1, "write");
    exit(0);
  }
  close(ends[1]);
  PrintEnd(child);
  char said = '-';
  Check(read(ends[0], &said, 1) == 1, "read");
  printf("daemon said %c\n", said);
}

void Guest_exits_fast(void) {
  fflush(stdout);
  _exit(11);
}

void Guest_exits_quickly(void) {
  fflush(stdout);
  quick_exit(12);
}

void Guest_aborts(void) {
  fflush(stdout);
  abort();
}

void Guest_killed(void) {
  ROOF_REGION_BEGIN("never left");
  fflush(stdout);
  kill(getpid(), SIGKILL);
}

void Guest_setuids(void) {
  Visit();
  if (geteuid() == 0) Check(setgid(65534) == 0 && setuid(65534) == 0, "setuid");
  Visit();
  printf("root %d\n", geteuid() == 0);
}
