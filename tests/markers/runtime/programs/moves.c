/* SPDX-License-Identifier: BSD-3-Clause
 *
 * moves [ACTION ARGUMENT]...: visits a region, then does what daemons and servers do to a process
 * before it ends. */
#include <fcntl.h>
#include <roofmark/roofmark.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int Act(const char* action, const char* argument) {
  if (!strcmp(action, "chdir")) return chdir(argument);
  if (!strcmp(action, "mkdir")) return mkdir(argument, 0700);
  if (!strcmp(action, "chroot")) return chroot(argument) || chdir("/");
  if (!strcmp(action, "close")) { /* all but the streams, up to a number */
    for (int i = 3; i < atoi(argument); ++i) close(i);
    return 0;
  }
  if (!strcmp(action, "reuse")) { /* a file of data gets the number of stderr */
    close(STDERR_FILENO);
    return open(argument, O_WRONLY | O_CREAT, 0600) != STDERR_FILENO;
  }
  return 1;
}

int main(int argc, char** argv) {
  ROOF_REGION_BEGIN("step");
  ROOF_REGION_END("step");
  for (int i = 1; i + 1 < argc; i += 2) {
    if (Act(argv[i], argv[i + 1]) != 0) return 2;
  }
  return 0;
}
