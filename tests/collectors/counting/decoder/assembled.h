// SPDX-License-Identifier: BSD-3-Clause
//
// Instructions as GNU as and objdump write them, and what is known of their operands.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_ASSEMBLED_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_ASSEMBLED_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/collectors/counting/decoder/operands_text.h"

namespace roofmark {

// Of "48 89 c3".
inline std::vector<uint8_t> BytesOf(const std::string& hex) {
  std::vector<uint8_t> bytes;
  for (size_t at = 0; at < hex.size(); at += 3)
    bytes.push_back(static_cast<uint8_t>(std::stoul(hex.substr(at, 2), nullptr, 16)));
  return bytes;
}

// As roof_find_operands.
using FindOperands = int (*)(const uint8_t* bytes, unsigned size, roof_operands* out);

struct KnownOperands {
  const char* bytes;
  const char* assembly;
  const char* operands;  // as in operands_text.h
  unsigned latency;
};

inline void ExpectOperands(const KnownOperands& known, FindOperands find) {
  const std::vector<uint8_t> bytes = BytesOf(known.bytes);
  roof_operands operands;
  EXPECT_TRUE(find(bytes.data(), static_cast<unsigned>(bytes.size()), &operands)) << known.assembly;
  EXPECT_EQ(SetsOf(operands).Text(), known.operands) << known.assembly;
  EXPECT_EQ(operands.latency, known.latency) << known.assembly;
}

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_ASSEMBLED_H_
