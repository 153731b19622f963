// SPDX-License-Identifier: BSD-3-Clause
//
// Which x86-64 code only prepares or decides something. Pure. Source: as branch.h.
#ifndef ROOFMARK_LIB_BINARY_PREPARING_H_
#define ROOFMARK_LIB_BINARY_PREPARING_H_

#include <string_view>

namespace roofmark::binary {

// Whether all these instructions are compares, branches, constants, no-ops, or loads of constants
// and of what was put on the stack: what compilers move to other places. False for code that
// computes or stores anything, and for instructions that are not known here.
bool OnlyPrepares(std::string_view code);

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_PREPARING_H_
