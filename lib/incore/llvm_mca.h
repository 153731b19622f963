// SPDX-License-Identifier: BSD-3-Clause
//
// What llvm-mca is asked, and what it answers. Nothing is executed here. It knows the ports and the
// latencies of a CPU; all loads hit the first level, no store feeds a load, every branch goes the
// usual way.
#ifndef ROOFMARK_LIB_INCORE_LLVM_MCA_H_
#define ROOFMARK_LIB_INCORE_LLVM_MCA_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"
#include "lib/incore/loop_view.h"

namespace roofmark::incore {

// The body as assembler text. Empty: there is no body, or its instructions cannot be read.
std::string AssemblerText(const LoopView& view);

// So many iterations that the first ones do not matter, and that it takes tenths of a second.
uint32_t IterationsFor(const LoopView& view);

struct McaAnswer {
  PortBound bound;
  std::string cpu;                 // whose model it is, in LLVM's words
  std::vector<std::string> ports;  // and other units
};
// Of its option -json, versions 14 to 19. The error is a clause.
Result<McaAnswer> ReadMcaAnswer(std::string_view json);

// "16.0.6" of what --version prints; empty if it does not say.
std::string ReadMcaVersion(std::string_view text);

}  // namespace roofmark::incore

#endif  // ROOFMARK_LIB_INCORE_LLVM_MCA_H_
