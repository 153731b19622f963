// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_GATES_H_
#define ROOFMARK_TESTS_SUPPORT_GATES_H_

#include <cstdlib>
#include <string_view>

namespace roofmark::test {

// Tests labelled `long` take their short forms (continuous integration).
inline bool ShortGates() {
  const char* gates = std::getenv("ROOFMARK_GATES");
  return gates != nullptr && std::string_view(gates) == "short";
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_GATES_H_
