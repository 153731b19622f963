// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_ROUNDS_H_
#define ROOFMARK_TESTS_SUPPORT_ROUNDS_H_

#include "tests/support/pairs.h"
#include "tests/support/sanitizers.h"

namespace roofmark::test {

// How often a random test tries, of `all` times: all with `./test -L exhaustive`, and a fifth
// otherwise, from the same seed. A sanitizer makes each several times as long.
inline int Rounds(int all) {
  if (ROOFMARK_TEST_SANITIZED) return all / 10;
  return Exhaustive() ? all : all / 5;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_ROUNDS_H_
