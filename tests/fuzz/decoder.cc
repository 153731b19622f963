// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as instructions: the decoder says what Zydis implies.
#include "collectors/counting/decoder/operands.h"
#include "tests/collectors/counting/decoder/zydis_expected.h"
#include "tests/fuzz/input.h"

using namespace roofmark;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Of any length, and cut anywhere.
  roof_instruction instruction;
  roof_class meaning;
  if (roof_decode(data, static_cast<unsigned>(size), &instruction)) {
    roof_classify(&instruction, &meaning);
  }
  roof_operands operands;
  const bool known = roof_find_operands(data, static_cast<unsigned>(size), &operands);
  fuzz::Demand(known || operands.reads + operands.writes == 0, "operands of the unknown");
  const auto compared = AgainstZydis(std::vector<uint8_t>(data, data + size));
  if (compared) fuzz::Demand(compared->got == compared->expected, compared->Text());
  return 0;
}
