/* SPDX-License-Identifier: BSD-3-Clause
 *
 * guest MODE: see modes.inc. */
#include <errno.h>
#include <fcntl.h>
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

void Visit(void) {
  ROOF_REGION_BEGIN("visit");
  ROOF_REGION_BEGIN("inner");
  ROOF_REGION_WORK(10, 20);
  ROOF_REGION_END("inner");
  ROOF_REGION_END("visit");
}

void Check(int holds, const char* what) {
  if (holds) return;
  printf("failed: %s: %s\n", what, strerror(errno));
  exit(99);
}

int LowestFree(void) {
  const int fd = open("/dev/null", O_RDONLY);
  close(fd);
  return fd;
}

void PrintEnd(int pid) {
  int status = 0;
  Check(waitpid(pid, &status, 0) == pid, "waitpid");
  if (WIFSIGNALED(status)) {
    printf("signal %d\n", WTERMSIG(status));
  } else {
    printf("status %d\n", WEXITSTATUS(status));
  }
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } kModes[] = {
#define GUEST(kind, name) {#name, Guest_##name},
#include "modes.inc"
#undef GUEST
  };
  for (size_t i = 0; argc > 1 && i < sizeof kModes / sizeof kModes[0]; ++i) {
    if (strcmp(argv[1], kModes[i].name) != 0) continue;
    Visit();
    kModes[i].run();
    Visit();
    fflush(stdout);
    return 7;
  }
  return 98;
}
