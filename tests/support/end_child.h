// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_END_CHILD_H_
#define ROOFMARK_TESTS_SUPPORT_END_CHILD_H_

namespace roofmark::test {

// Ends a child that a test forked without what its parent has to do at its end. Where executed
// lines are counted (preset coverage) the counts are written first, which _exit does not.
[[noreturn]] void EndChild(int status);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_END_CHILD_H_
