// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/end_child.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#ifdef ROOFMARK_WITH_GCOV
extern "C" void __gcov_dump(void);
#endif

namespace roofmark::test {

void EndChild(int status) {
#ifdef ROOFMARK_WITH_GCOV
  signal(SIGXFSZ, SIG_IGN);  // the test may have made files small
  __gcov_dump();
#endif
  _exit(status);
}

pid_t ForkForTest() {
  const pid_t child = fork();
  if (child < 0) abort();
  if (child == 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
  return child;
}

}  // namespace roofmark::test
