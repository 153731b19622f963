// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_END_CHILD_H_
#define ROOFMARK_TESTS_SUPPORT_END_CHILD_H_

#include <sys/types.h>

namespace roofmark::test {

// Ends a child that a test forked without what its parent has to do at its end. Where executed
// lines are counted (preset coverage) the counts are written first, which _exit does not.
[[noreturn]] void EndChild(int status);

// Like fork(), but the child ends when the thread that made it does, however that ends: no test
// leaves a process behind that takes a core. A test without a child ends, too: it would kill all
// processes in the place of -1.
pid_t ForkForTest();

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_END_CHILD_H_
