// SPDX-License-Identifier: BSD-3-Clause
//
// What llvm-mca says of hot loops, where it is installed: an external program.
#ifndef ROOFMARK_COMMAND_LOOPS_MCA_H_
#define ROOFMARK_COMMAND_LOOPS_MCA_H_

#include <cstdint>
#include <string>

#include "lib/incore/loop_view.h"

namespace roofmark::cli {

// Whose model is wanted.
struct CpuWanted {
  std::string vendor;  // empty: it is not known
  uint32_t family = 0, model = 0;
};

// Gives each loop its bound, or the reason why it has none. Takes a tenth of a second for a loop,
// never more than 30 s in all.
void AskLlvmMca(const CpuWanted& cpu, incore::LoopsView& views);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_LOOPS_MCA_H_
