// SPDX-License-Identifier: BSD-3-Clause
//
// The decoder against Zydis over every encoding of the one-byte, 0F, 0F38 and 0F3A maps, legacy and
// VEX, that Zydis accepts.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/collectors/counting/decoder/zydis_expected.h"

namespace roofmark {
namespace {

class Sweep {
 public:
  void Try(std::vector<uint8_t> bytes) {
    bytes.insert(bytes.end(), {0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31});
    const auto compared = AgainstZydis(std::move(bytes));
    if (!compared) return;
    ++tried_;
    if (compared->got != compared->expected &&
        reported_.insert(compared->name + compared->got).second)
      ADD_FAILURE() << compared->Text();
  }
  size_t tried() const { return tried_; }

 private:
  size_t tried_ = 0;
  std::set<std::string> reported_;  // one report per mnemonic and answer
};

// Register and memory operands with every value of the reg field.
template <typename F>
void ForEachModrm(bool all, F f) {
  for (int modrm = 0; modrm < 256; ++modrm)
    if (all || (modrm & 7) == 1) f(static_cast<uint8_t>(modrm));
}

TEST(DecoderAgainstZydis, LegacyEncodings) {
  Sweep sweep;
  const std::vector<std::vector<uint8_t>> maps = {{}, {0x0F}, {0x0F, 0x38}, {0x0F, 0x3A}};
  const std::vector<std::vector<uint8_t>> prefixes = {{},     {0x66},       {0xF3},
                                                      {0xF2}, {0x66, 0xF2}, {0x2E, 0x67}};
  for (const auto& prefix : prefixes)
    for (int rex : {0, 0x40, 0x48})
      for (const auto& map : maps)
        for (int opcode = 0; opcode < 256; ++opcode) {
          bool x87 = map.empty() && opcode >= 0xD8 && opcode <= 0xDF;
          ForEachModrm(x87, [&](uint8_t modrm) {
            std::vector<uint8_t> bytes = prefix;
            if (rex) bytes.push_back(static_cast<uint8_t>(rex));
            bytes.insert(bytes.end(), map.begin(), map.end());
            bytes.insert(bytes.end(), {static_cast<uint8_t>(opcode), modrm});
            sweep.Try(bytes);
          });
        }
  EXPECT_GT(sweep.tried(), 100000u);
}

TEST(DecoderAgainstZydis, VexEncodings) {
  Sweep sweep;
  for (int map = 1; map <= 3; ++map)
    for (int rest = 0; rest < 16; ++rest)  // W, L, pp
      for (int vvvv : {15, 9})
        for (int opcode = 0; opcode < 256; ++opcode)
          ForEachModrm(false, [&](uint8_t modrm) {
            uint8_t last = static_cast<uint8_t>((rest & 8) << 4 | vvvv << 3 | (rest & 7));
            uint8_t first = static_cast<uint8_t>(0xE0 | map);
            // A gather needs an index in SIB: modrm 4 instead of 1.
            sweep.Try({0xC4, first, last, static_cast<uint8_t>(opcode), modrm});
            sweep.Try({0xC4, first, last, static_cast<uint8_t>(opcode),
                       static_cast<uint8_t>((modrm & 0xF8) | 4), 0x10});
            if (map == 1 && !(rest & 8))
              sweep.Try(
                  {0xC5, static_cast<uint8_t>(last | 0x80), static_cast<uint8_t>(opcode), modrm});
          });
  EXPECT_GT(sweep.tried(), 20000u);
}

}  // namespace
}  // namespace roofmark
