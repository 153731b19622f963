// SPDX-License-Identifier: BSD-3-Clause
#include "lib/assembly/assembly.h"

namespace roofmark::assembly {

bool CanRead() { return false; }

std::string WhyNot() {
  return "this roofmark was built without Zydis (Debian: libzydis-dev), so it shows bytes instead "
         "of instructions and knows neither their lanes nor their FLOPs";
}

std::vector<Instruction> Read(std::string_view, uint64_t, Sizes) { return {}; }

}  // namespace roofmark::assembly
