// SPDX-License-Identifier: BSD-3-Clause
//
// What Zydis implies of an instruction, beside what the decoder says: the mnemonic and the operands
// are read by name, without opcodes.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_ZYDIS_EXPECTED_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_ZYDIS_EXPECTED_H_

#include <Zydis/Zydis.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/collectors/counting/decoder/decoder_text.h"

namespace roofmark {

struct Disassembled {
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  std::string name;  // without the v of VEX
};

inline bool Disassemble(const std::vector<uint8_t>& bytes, Disassembled* out) {
  static const ZydisDecoder decoder = [] {
    ZydisDecoder d;
    ZydisDecoderInit(&d, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return d;
  }();
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes.data(), bytes.size(), &out->instruction,
                                           out->operands)))
    return false;
  out->name = ZydisMnemonicGetString(out->instruction.mnemonic);
  bool vex = out->instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX;
  if (vex && out->name[0] == 'v') out->name.erase(0, 1);
  return true;
}

// "fmadd231pd" -> "fmadd", "pd".
inline void Split(const std::string& name, std::string* stem, std::string* suffix) {
  *suffix = name.size() > 2 ? name.substr(name.size() - 2) : "";
  *stem = name.size() > 2 ? name.substr(0, name.size() - 2) : name;
  while (!stem->empty() && std::isdigit(static_cast<unsigned char>(stem->back()))) stem->pop_back();
}

inline int KindOf(const std::string& stem) {
  static const std::set<std::string> kAdd = {"add", "sub", "hadd", "hsub", "addsub"};
  static const std::set<std::string> kFma = {"fmadd",  "fmsub",    "fnmadd",
                                             "fnmsub", "fmaddsub", "fmsubadd"};
  if (kAdd.count(stem)) return ROOF_ADD;
  if (kFma.count(stem)) return ROOF_FMA;
  if (stem == "mul") return ROOF_MUL;
  if (stem == "div" || stem == "rcp") return ROOF_DIV;
  if (stem == "sqrt" || stem == "rsqrt") return ROOF_SQRT;
  return -1;
}

inline std::string VectorFlops(const Disassembled& d) {
  std::string stem, suffix;
  Split(d.name, &stem, &suffix);
  unsigned bits = d.operands[0].size;
  if (stem == "dp") {
    unsigned precision = suffix == "pd" ? ROOF_DP : ROOF_SP;
    unsigned mask = static_cast<unsigned>(
                        d.operands[d.instruction.operand_count_visible - 1].imm.value.u >> 4) &
                    (precision == ROOF_DP ? 3u : 15u);
    unsigned products = static_cast<unsigned>(__builtin_popcount(mask)) * bits / 128;
    unsigned width = bits == 256 ? ROOF_256 : ROOF_128;
    if (products == 0) return "";
    std::string text = FlopText(precision, width, ROOF_MUL, products);
    if (products > bits / 128)
      text += " " + FlopText(precision, width, ROOF_ADD, products - bits / 128);
    return text;
  }
  int kind = KindOf(stem);
  if (kind < 0 || (suffix[0] != 'p' && suffix[0] != 's') || (suffix[1] != 'd' && suffix[1] != 's'))
    return "";
  unsigned precision = suffix[1] == 'd' ? ROOF_DP : ROOF_SP;
  unsigned per_lane = kind == ROOF_FMA ? 2 : 1;
  if (suffix[0] == 's') return FlopText(precision, ROOF_SCALAR, kind, per_lane);
  return FlopText(precision, bits == 256 ? ROOF_256 : ROOF_128, kind,
                  per_lane * bits / (precision == ROOF_DP ? 64 : 32));
}

inline std::string X87Flops(const std::string& name) {
  static const std::set<std::string> kAdd = {"fadd",  "faddp", "fiadd",  "fsub",  "fsubp",
                                             "fisub", "fsubr", "fsubrp", "fisubr"};
  static const std::set<std::string> kDiv = {"fdiv", "fdivp", "fidiv", "fdivr", "fdivrp", "fidivr"};
  int kind = -1;
  if (kAdd.count(name)) kind = ROOF_ADD;
  if (kDiv.count(name)) kind = ROOF_DIV;
  if (name == "fmul" || name == "fmulp" || name == "fimul") kind = ROOF_MUL;
  if (name == "fsqrt") kind = ROOF_SQRT;
  return kind < 0 ? "" : FlopText(ROOF_DP, ROOF_SCALAR, static_cast<unsigned>(kind), 1);
}

inline bool IsX87(const Disassembled& d) {
  return d.instruction.meta.isa_ext == ZYDIS_ISA_EXT_X87 || d.name == "fisttp";
}

// Dot products of integers, as named without v.
inline bool IsVnni(const std::string& name) {
  return name.rfind("pdpb", 0) == 0 || name.rfind("pdpw", 0) == 0;
}
inline std::string VnniText(const std::string& name, unsigned lanes) {
  return "vnni=" + std::to_string((name[3] == 'b' ? 8 : 4) * lanes);
}

// Conversions from memory to a general register name no vector register.
inline bool UsesVectorRegister(const Disassembled& d) {
  if (d.instruction.meta.category == ZYDIS_CATEGORY_CONVERT && d.name.rfind("cvt", 0) == 0)
    return true;
  return std::any_of(d.operands, d.operands + d.instruction.operand_count, [](const auto& operand) {
    if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return false;
    ZydisRegisterClass c = ZydisRegisterGetClass(operand.reg.value);
    return c == ZYDIS_REGCLASS_MMX || c == ZYDIS_REGCLASS_XMM || c == ZYDIS_REGCLASS_YMM;
  });
}

inline bool UsesMemory(const Disassembled& d) {
  return std::any_of(d.operands, d.operands + d.instruction.operand_count, [](const auto& operand) {
    return operand.type == ZYDIS_OPERAND_TYPE_MEMORY &&
           operand.visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN;
  });
}

// Whether a memory form merely loads or stores.
inline bool IsMove(const std::string& name) {
  return (name.rfind("mov", 0) == 0 && name.rfind("movmsk", 0) != 0) ||
         name.find("broadcast") != std::string::npos || name.find("maskmov") == 0 ||
         name.find("pmaskmov") == 0 || name.find("gather") != std::string::npos || name == "lddqu";
}

inline bool IsX87Other(const Disassembled& d) {
  const std::string& n = d.name;
  static const std::set<std::string> kNone = {
      "fnop",          "fincstp",       "fdecstp",        "ffree",        "ffreep",
      "fninit",        "fnclex",        "fldcw",          "fnstcw",       "fldenv",
      "fnstenv",       "fnstsw",        "frstor",         "fnsave",       "fwait",
      "fsetpm287_nop", "fneni8087_nop", "fndisi8087_nop", "feni8087_nop", "fdisi8087_nop"};
  if (kNone.count(n)) return false;
  if (UsesMemory(d) && (n == "fld" || n == "fst" || n == "fstp")) return false;
  return true;
}

inline std::string Expected(const Disassembled& d) {
  static const std::set<std::string> kTranscendental = {"fsin",   "fcos",  "fsincos", "fptan",
                                                        "fpatan", "f2xm1", "fyl2x",   "fyl2xp1"};
  std::string text = IsX87(d) ? X87Flops(d.name) : VectorFlops(d);
  bool flops = !text.empty();
  if (IsVnni(d.name)) text = VnniText(d.name, d.operands[0].size / 32);
  bool transcendental = IsX87(d) && kTranscendental.count(d.name);
  bool nt = d.name.rfind("movnt", 0) == 0 && d.name != "movntdqa";
  nt = nt || d.name == "maskmovdqu" || d.name == "maskmovq";
  bool other = IsX87(d)
                   ? !flops && !transcendental && IsX87Other(d)
                   : !flops && UsesVectorRegister(d) && !nt && !(IsMove(d.name) && UsesMemory(d)) &&
                         d.name != "zeroupper" && d.name != "zeroall";
  if (other) Append(&text, "other");
  if (transcendental) Append(&text, "transcendental");
  switch (d.instruction.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
      Append(&text, "branch");
      break;
    default:
      break;
  }
  if (nt) Append(&text, "nt-store");
  bool string = d.instruction.meta.category == ZYDIS_CATEGORY_STRINGOP ||
                d.instruction.meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
  if (string && (d.instruction.attributes &
                 (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)))
    Append(&text, "repeated-string");
  if (d.name.find("gather") != std::string::npos) Append(&text, "gather");
  return text;
}

// Not modelled: 3DNow!, transactional memory, key locker, AMX, virtualisation.
inline bool IsLeftOut(const Disassembled& d) {
  switch (d.instruction.meta.isa_ext) {
    case ZYDIS_ISA_EXT_AMD3DNOW:
    case ZYDIS_ISA_EXT_RTM:
    case ZYDIS_ISA_EXT_KEYLOCKER:
    case ZYDIS_ISA_EXT_KEYLOCKER_WIDE:
    case ZYDIS_ISA_EXT_AMX_TILE:
    case ZYDIS_ISA_EXT_AMX_INT8:
    case ZYDIS_ISA_EXT_AMX_BF16:
    case ZYDIS_ISA_EXT_KNC:
    case ZYDIS_ISA_EXT_KNCE:
    case ZYDIS_ISA_EXT_KNCV:
    case ZYDIS_ISA_EXT_VTX:
      return true;
    default:
      return false;
  }
}

// Both answers about one instruction.
struct Compared {
  std::string name, bytes, got, expected;
  std::string Text() const {
    return bytes + " " + name + ": decoder \"" + got + "\", Zydis implies \"" + expected + "\"";
  }
};

// About the first instruction in `bytes`, if Zydis accepts it and it is legacy or VEX.
inline std::optional<Compared> AgainstZydis(std::vector<uint8_t> bytes) {
  Disassembled d;
  if (!Disassemble(bytes, &d) || IsLeftOut(d)) return std::nullopt;
  if (d.instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
      d.instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_VEX)
    return std::nullopt;
  bytes.resize(d.instruction.length);
  Compared compared;
  compared.name = d.name;
  for (uint8_t byte : bytes) {
    compared.bytes += "0123456789abcdef"[byte >> 4];
    compared.bytes += "0123456789abcdef"[byte & 15];
  }
  compared.expected =
      d.instruction.meta.isa_ext == ZYDIS_ISA_EXT_AVX512VEX ? "avx512" : Expected(d);
  compared.got = DecodedText(bytes);
  return compared;
}

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_ZYDIS_EXPECTED_H_
