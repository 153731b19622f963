// SPDX-License-Identifier: BSD-3-Clause
//
// What x86-64 machine code says: the text of its instructions, and what of each is floating-point
// work. Read by Zydis; a build without it has neither. Pure.
#ifndef ROOFMARK_LIB_ASSEMBLY_ASSEMBLY_H_
#define ROOFMARK_LIB_ASSEMBLY_ASSEMBLY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::assembly {

enum class Flow : uint8_t { kNext, kBranch, kCall, kReturn };

// How many operands an instruction works on at once.
enum class Lanes : uint8_t { kNone, kScalar, k128, k256, k512 };  // kNone: no arithmetic of FP

struct Instruction {
  uint64_t offset = 0;
  uint32_t bytes = 0;
  std::string text;  // in Intel syntax; targets of branches are offsets
  Flow flow = Flow::kNext;
  uint64_t target = 0;  // of a branch or a call whose bytes say it; 0: they do not
  // Floating-point arithmetic: additions, multiplications, divisions, roots and fused pairs.
  Lanes lanes = Lanes::kNone;
  uint32_t lane_count = 0;  // operands at once; of gathers and scatters, too
  uint32_t flops = 0;       // all lanes together; a fused pair has two for each
  bool gathers = false, scatters = false;
  bool masked = false;  // by a register: fewer lanes may work
  std::string mask;     // its name: "k1"; "ymm2" where the sign bits decide
};

// Whether this build reads instructions. If not, why_not says what it lacks.
bool CanRead();
std::string WhyNot();

// How memory operands are written.
enum class Sizes : uint8_t {
  kWhereNeeded,  // for people: `[rax]` where a register says how much is read
  kAll,          // for assemblers: `qword ptr [rax]`
};

// The instructions of `code`, which lies at this offset. What is none is one byte as `.byte 0x06`.
// Empty if this build cannot read them.
std::vector<Instruction> Read(std::string_view code, uint64_t offset,
                              Sizes sizes = Sizes::kWhereNeeded);

}  // namespace roofmark::assembly

#endif  // ROOFMARK_LIB_ASSEMBLY_ASSEMBLY_H_
