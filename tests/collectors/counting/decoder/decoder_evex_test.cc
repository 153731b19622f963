// SPDX-License-Identifier: BSD-3-Clause
//
// EVEX-encoded instructions against what the names imply that Zydis gives them: every opcode of
// every map, with all prefixes, lengths and masks.
#include <gtest/gtest.h>

#include "collectors/counting/decoder/classify_evex.h"
#include "tests/collectors/counting/decoder/zydis_expected.h"

namespace roofmark {
namespace {

struct Lanes {
  unsigned precision, bits, lanes;
  bool scalar;
};

bool ReadSuffix(const std::string& suffix, unsigned vector_bits, Lanes* out) {
  if (suffix.size() != 2 || (suffix[0] != 'p' && suffix[0] != 's')) return false;
  out->scalar = suffix[0] == 's';
  if (suffix[1] == 'd') {
    *out = {ROOF_DP, 64, 0, out->scalar};
  } else if (suffix[1] == 's') {
    *out = {ROOF_SP, 32, 0, out->scalar};
  } else if (suffix[1] == 'h') {
    *out = {ROOF_HP, 16, 0, out->scalar};
  } else {
    return false;
  }
  out->lanes = out->scalar ? 1 : vector_bits / out->bits;
  return true;
}

std::string Flops(const Disassembled& d) {
  std::string name = d.name.substr(1), stem, suffix;
  const unsigned bits = d.instruction.avx.vector_length;
  const unsigned width = bits == 128 ? ROOF_128 : bits == 256 ? ROOF_256 : ROOF_512;
  const unsigned complex_width =
      name.size() > 3 && name.substr(name.size() - 3) == "csh" ? unsigned{ROOF_SCALAR} : width;
  const unsigned pairs = complex_width == ROOF_SCALAR ? 1 : bits / 32;
  if (name == "fmaddcph" || name == "fcmaddcph" || name == "fmaddcsh" || name == "fcmaddcsh")
    return FlopText(ROOF_HP, complex_width, ROOF_FMA, 8) + " lanes=" + std::to_string(pairs);
  if (name == "fmulcph" || name == "fcmulcph" || name == "fmulcsh" || name == "fcmulcsh")
    return FlopText(ROOF_HP, complex_width, ROOF_MUL, 2) + " " +
           FlopText(ROOF_HP, complex_width, ROOF_FMA, 4) + " lanes=" + std::to_string(pairs);
  if (IsVnni(name)) return VnniText(name, 1) + " lanes=" + std::to_string(bits / 32) + " other";
  if (name == "dpbf16ps") return "bf16=4 lanes=" + std::to_string(bits / 32);
  for (const char* digits : {"14", "28"})
    if (const auto at = name.find(digits); at != std::string::npos) name.erase(at, 2);
  Split(name, &stem, &suffix);
  Lanes lanes;
  const int kind = KindOf(stem);
  if (kind < 0 || !ReadSuffix(suffix, bits, &lanes)) return "";
  return FlopText(lanes.precision, lanes.scalar ? unsigned{ROOF_SCALAR} : width,
                  static_cast<unsigned>(kind), kind == ROOF_FMA ? 2 : 1) +
         " lanes=" + std::to_string(lanes.lanes);
}

bool MerelyMoves(const Disassembled& d) {
  const std::string name = d.name.substr(1);
  return IsMove(name) || name.find("compress") != std::string::npos ||
         name.find("expand") != std::string::npos || name.find("scatter") != std::string::npos;
}

// Down-converting stores and prefetching gathers have names of moves, too.
bool IsConversion(const std::string& name) {
  return name.rfind("vpmov", 0) == 0 || name.find("pf0") != std::string::npos ||
         name.find("pf1") != std::string::npos;
}

std::string Got(const std::vector<uint8_t>& bytes) {
  roof_instruction in;
  roof_evex_class meaning;
  if (!roof_decode(bytes.data(), static_cast<unsigned>(bytes.size()), &in)) return "too short";
  if (!roof_classify_evex(&in, &meaning)) return "unknown";
  roof_class plain = {0, meaning.terms, {meaning.term[0], meaning.term[1]}};
  std::string text = ClassText(plain);
  if (meaning.terms) text += " lanes=" + std::to_string(meaning.lanes);
  if (meaning.flags & ROOF_IS_FP_OTHER) Append(&text, "other");
  return text;
}

// Of those that many CPUs lack, and of integers that are multiplied as they are.
TEST(Decoder, LowPrecisions) {
  EXPECT_EQ(Got({0x62, 0xF2, 0x76, 0x48, 0x52, 0xC2}), "bf16=4 lanes=16") << "vdpbf16ps zmm";
  EXPECT_EQ(Got({0x62, 0xF2, 0x76, 0x29, 0x52, 0xC2}), "bf16=4 lanes=8") << "vdpbf16ps ymm {k1}";
  EXPECT_EQ(Got({0x62, 0xF5, 0x74, 0x48, 0x58, 0xC2}), "hp.512.add=1 lanes=32") << "vaddph zmm";
  EXPECT_EQ(Got({0x62, 0xF6, 0x75, 0x28, 0xB8, 0xC2}), "hp.256.fma=2 lanes=16") << "vfmadd231ph";
  EXPECT_EQ(Got({0x62, 0xF2, 0x75, 0x48, 0x50, 0xC2}), "vnni=8 lanes=16 other") << "vpdpbusd zmm";
  EXPECT_EQ(Got({0x62, 0xF2, 0x75, 0x48, 0x52, 0xC2}), "vnni=4 lanes=16 other") << "vpdpwssd zmm";
  EXPECT_EQ(Got({0x62, 0xF2, 0x75, 0x2A, 0x53, 0xC2}), "vnni=4 lanes=8 other")
      << "vpdpwssds ymm {k2}";
  EXPECT_EQ(DecodedText({0xC4, 0xE2, 0x75, 0x50, 0xC2}), "vnni=64 other") << "vpdpbusd ymm";
  EXPECT_EQ(DecodedText({0xC4, 0xE2, 0x71, 0x53, 0xC2}), "vnni=16 other") << "vpdpwssds xmm";
}

TEST(DecoderAgainstZydis, EvexEncodings) {
  size_t tried = 0, flops = 0;
  std::set<std::string> reported;
  for (int map = 1; map <= 6; ++map)
    for (int rest = 0; rest < 8; ++rest)  // W, pp
      for (int last = 0; last < 256;
           last += last % 16 ? 15 : 1)  // z, length, b, V', no mask and k1
        for (int opcode = 0; opcode < 256; ++opcode)
          for (const int modrm : {0xC1, 0x01, 0xC9, 0x09}) {
            std::vector<uint8_t> bytes = {0x62,
                                          static_cast<uint8_t>(0xF0 | map),
                                          static_cast<uint8_t>((rest & 4) << 5 | 0x7C | (rest & 3)),
                                          static_cast<uint8_t>(last | 8),
                                          static_cast<uint8_t>(opcode),
                                          static_cast<uint8_t>(modrm)};
            bytes.insert(bytes.end(), 6, 0x31);
            Disassembled d;
            if (!Disassemble(bytes, &d)) continue;
            const std::string got = Got(bytes);
            if (got == "unknown") {
              EXPECT_TRUE(d.name.rfind("v4f", 0) == 0 || d.name.rfind("vp4", 0) == 0) << d.name;
              continue;
            }
            ++tried;
            std::string expected = Flops(d);
            flops += !expected.empty();
            const bool move = MerelyMoves(d) && !IsConversion(d.name) && UsesMemory(d);
            if (expected.empty() && !move) expected = "other";
            if (got != expected && reported.insert(d.name + got).second)
              ADD_FAILURE() << d.name << ": decoder \"" << got << "\", Zydis implies \"" << expected
                            << "\"";
          }
  EXPECT_GT(tried, 10000u);
  EXPECT_GT(flops, 1000u);
}

}  // namespace
}  // namespace roofmark
