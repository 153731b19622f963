/* SPDX-License-Identifier: BSD-3-Clause
 *
 * without_huge_pages COMMAND...: runs it where the kernel gives 4 KiB pages only. */
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2 || prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) return 125;
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return 126;
}
