// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/end_child.h"

#include <unistd.h>

#include <csignal>

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

}  // namespace roofmark::test
