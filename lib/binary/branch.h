// SPDX-License-Identifier: BSD-3-Clause
//
// What an x86-64 instruction at the end of straight code does to the flow of control. Pure. Source:
// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and appendix A.
#ifndef ROOFMARK_LIB_BINARY_BRANCH_H_
#define ROOFMARK_LIB_BINARY_BRANCH_H_

#include <cstdint>
#include <string_view>

namespace roofmark::binary {

struct Branch {
  enum class Kind { kNone, kConditional, kJump, kCall, kReturn };
  Kind kind = Kind::kNone;  // kNone: it is no branch, and its length is not known
  uint32_t bytes = 0;
};

// `code` begins with the instruction; 15 bytes are enough.
Branch ReadBranch(std::string_view code);

}  // namespace roofmark::binary

#endif  // ROOFMARK_LIB_BINARY_BRANCH_H_
