// SPDX-License-Identifier: BSD-3-Clause
//
// The operands against Zydis: over the encodings of all maps, and over the code of real libraries.
#include <dlfcn.h>
#include <elf.h>
#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tests/collectors/counting/decoder/zydis_operands.h"
#include "tests/support/pairs.h"

namespace roofmark {
namespace {

bool MovesSpecialRegister(const Disassembled& d) {
  for (int i = 0; i < d.instruction.operand_count_visible; ++i) {
    if (d.operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER) continue;
    switch (ZydisRegisterGetClass(d.operands[i].reg.value)) {
      case ZYDIS_REGCLASS_SEGMENT:
      case ZYDIS_REGCLASS_CONTROL:
      case ZYDIS_REGCLASS_DEBUG:
        return true;
      default:
        break;
    }
  }
  return false;
}

// What nobody follows; see operands.h. Not `mov` or `call` as such: these must be known.
bool MayBeUnknown(const Disassembled& d) {
  static const std::set<std::string> kNames = {
      // States as a whole.
      "fldenv", "fnstenv", "frstor", "fnsave", "fninit", "fnclex", "emms", "zeroall", "fxsave",
      "fxrstor", "fxsave64", "fxrstor64",
      // Relics.
      "fbld", "fbstp", "enter", "xlat", "feni8087_nop", "fdisi8087_nop", "fsetpm287_nop",
      // Names of x87 operations that no assembler writes.
      "fxch", "fcom", "fcomp", "fstp", "fstpnce", "ffreep",
      // AMD's of SSE4a and XOP; cache lines; protection keys; the machine.
      "extrq", "insertq", "permil2ps", "permil2pd", "clflush", "clflushopt", "clwb", "clzero",
      "movdiri", "movdir64b", "rdpkru", "wrpkru", "cpuid", "rdtsc", "rdtscp", "rdpmc", "rdpru",
      "rdpid", "ptwrite", "serialize", "hlt", "ud0", "ud1", "ud2", "cli", "sti", "clac", "stac",
      "monitor", "mwait", "monitorx", "mwaitx", "umonitor", "umwait", "tpause", "pconfig", "vmfunc",
      "mfunc", "xstore", "iret", "iretd", "iretq", "tdcall", "seamret", "invpcid", "uiret",
      "testui", "senduipi", "enqcmd", "enqcmds", "xresldtrk", "rdfsbase", "rdgsbase", "wrfsbase",
      "wrgsbase"};
  switch (d.instruction.meta.category) {
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_IO:
    case ZYDIS_CATEGORY_IOSTRINGOP:
    case ZYDIS_CATEGORY_XSAVE:
    case ZYDIS_CATEGORY_XSAVEOPT:
    case ZYDIS_CATEGORY_RDRAND:
    case ZYDIS_CATEGORY_RDSEED:
    case ZYDIS_CATEGORY_CET:
    case ZYDIS_CATEGORY_SEGOP:
      return true;
    default:
      return kNames.count(d.name) || MovesSpecialRegister(d) ||
             d.instruction.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
  }
}

class Comparison {
 public:
  // The first instruction in `bytes`. Returns its length, or 0 if Zydis does not know it.
  size_t Try(const uint8_t* bytes, size_t size) {
    Disassembled d;
    std::vector<uint8_t> head(bytes, bytes + std::min<size_t>(size, 15));
    if (!Disassemble(head, &d)) return 0;
    const size_t length = d.instruction.length;
    if (IsLeftOut(d) || d.instruction.meta.isa_ext == ZYDIS_ISA_EXT_MPX) return length;
    if (d.instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
        d.instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_VEX)
      return length;
    head.resize(length);
    if (seen_.emplace(head.begin(), head.end()).second) Compare(head, d);
    return length;
  }
  size_t compared() const { return seen_.size(); }
  size_t unknown() const { return unknown_; }

 private:
  void Compare(const std::vector<uint8_t>& bytes, const Disassembled& d) {
    roof_operands operands;
    const bool avx512 = d.instruction.meta.isa_ext == ZYDIS_ISA_EXT_AVX512VEX;
    if (!roof_find_operands(bytes.data(), static_cast<unsigned>(bytes.size()), &operands)) {
      ++unknown_;
      if (!avx512 && !MayBeUnknown(d)) Report(bytes, d, "unknown", "");
      return;
    }
    RegisterSets got = SetsOf(operands);
    got.data |= std::exchange(got.merge, {});  // Zydis does not tell them apart
    got.data.reset(ROOF_R_X87_FLAGS);          // nor does it name these
    got.write.reset(ROOF_R_X87_FLAGS);
    const RegisterSets expected = ExpectedSets(d);
    if (!(got == expected)) Report(bytes, d, got.Text(), expected.Text());
    const unsigned flags = operands.flags & (ROOF_BRANCHES | ROOF_INDIRECT | ROOF_LOCKED);
    if (flags != ExpectedFlags(d))
      Report(bytes, d, "flags " + std::to_string(flags),
             "flags " + std::to_string(ExpectedFlags(d)));
  }
  void Report(const std::vector<uint8_t>& bytes, const Disassembled& d, const std::string& got,
              const std::string& expected) {
    if (!reported_.insert(d.name).second) return;  // one report per mnemonic
    std::string text;
    for (uint8_t byte : bytes) {
      text += "0123456789abcdef"[byte >> 4];
      text += "0123456789abcdef"[byte & 15];
    }
    ADD_FAILURE() << d.name << " " << text << "\n  decoder: " << got << "\n  Zydis:   " << expected;
  }
  std::unordered_set<std::string> seen_;
  std::set<std::string> reported_;
  size_t unknown_ = 0;
};

void TryAll(std::vector<uint8_t> bytes, Comparison* comparison) {
  const size_t modrm_at = bytes.size();
  const bool x87 = bytes.back() >= 0xD8 && bytes.back() <= 0xDF;
  for (int modrm = 0; modrm < 256; ++modrm) {
    // Registers 1, 4 and 5 stand for all; 4 and 5 are special as bases.
    const int rm = modrm & 7;
    if (!x87 && rm != 1 && rm != 4 && rm != 5) continue;
    bytes.resize(modrm_at);
    bytes.push_back(static_cast<uint8_t>(modrm));
    bytes.insert(bytes.end(), {0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31});
    comparison->Try(bytes.data(), bytes.size());
  }
}

TEST(OperandsAgainstZydis, LegacyEncodings) {
  Comparison comparison;
  const std::vector<std::vector<uint8_t>> maps = {{}, {0x0F}, {0x0F, 0x38}, {0x0F, 0x3A}};
  const std::vector<std::vector<uint8_t>> prefixes = {{}, {0x66}, {0xF3}, {0xF2}};
  for (const auto& prefix : prefixes)
    for (int rex : {0, 0x40, 0x48, 0x47})
      for (const auto& map : maps)
        for (int opcode = 0; opcode < 256; ++opcode) {
          std::vector<uint8_t> bytes = prefix;
          if (rex) bytes.push_back(static_cast<uint8_t>(rex));
          bytes.insert(bytes.end(), map.begin(), map.end());
          bytes.push_back(static_cast<uint8_t>(opcode));
          TryAll(bytes, &comparison);
        }
  EXPECT_GT(comparison.compared(), 150000u);
}

TEST(OperandsAgainstZydis, LockedEncodings) {
  Comparison comparison;
  for (const std::vector<uint8_t>& map : {std::vector<uint8_t>{}, std::vector<uint8_t>{0x0F}})
    for (int rex : {0, 0x48, 0x47})
      for (int opcode = 0; opcode < 256; ++opcode) {
        std::vector<uint8_t> bytes = {0xF0};
        if (rex) bytes.push_back(static_cast<uint8_t>(rex));
        bytes.insert(bytes.end(), map.begin(), map.end());
        bytes.push_back(static_cast<uint8_t>(opcode));
        TryAll(bytes, &comparison);
      }
  EXPECT_GT(comparison.compared(), 5000u);  // Zydis refuses the prefix elsewhere
}

TEST(OperandsAgainstZydis, VexEncodings) {
  using Registers = std::vector<std::pair<int, int>>;  // vvvv; R, X and B
  const Registers registers = test::Exhaustive()
                                  ? Registers{{15, 0xE0}, {15, 0x00}, {9, 0xE0}, {9, 0x00}}
                                  : Registers{{15, 0xE0}, {9, 0x00}};
  Comparison comparison;
  for (int map = 1; map <= 3; ++map)
    for (int rest = 0; rest < 16; ++rest)  // W, L, pp
      for (const auto& [vvvv, inverted] : registers)
        for (int opcode = 0; opcode < 256; ++opcode) {
          const uint8_t last = static_cast<uint8_t>((rest & 8) << 4 | vvvv << 3 | (rest & 7));
          const uint8_t code = static_cast<uint8_t>(opcode);
          TryAll({0xC4, static_cast<uint8_t>(inverted | map), last, code}, &comparison);
          if (map == 1 && !(rest & 8)) TryAll({0xC5, last, code}, &comparison);
        }
  EXPECT_GT(comparison.compared(), 50000u);
}

struct Code {
  std::string file;
  const uint8_t* begin;
  size_t size;
};

int Collect(dl_phdr_info* info, size_t, void* codes) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
    static_cast<std::vector<Code>*>(codes)->push_back(
        {info->dlpi_name, reinterpret_cast<const uint8_t*>(info->dlpi_addr + header.p_vaddr),
         header.p_memsz});
  }
  return 0;
}

// Everything that is loaded: the C, C++ and mathematical libraries, Zydis, this program; and
// OpenBLAS where there is one.
TEST(OperandsAgainstZydis, CodeOfLibraries) {
  const size_t kBytesOfOne = test::Exhaustive() ? 1u << 20 : 1u << 18;
  dlopen("libopenblas.so.0", RTLD_LAZY);
  std::vector<Code> codes;
  dl_iterate_phdr(Collect, &codes);
  Comparison comparison;
  for (const Code& code : codes) {
    const size_t size = std::min(code.size, kBytesOfOne);
    for (size_t at = 0; at < size;) {
      const size_t length = comparison.Try(code.begin + at, size - at);
      at += length ? length : 1;  // data and AVX-512 amid the code
    }
  }
  EXPECT_GT(comparison.compared(), 100000u);
  // Bytes that are no code look like rare instructions.
  EXPECT_LT(comparison.unknown(), comparison.compared() / 50);
  RecordProperty("compared", static_cast<int>(comparison.compared()));
  RecordProperty("unknown", static_cast<int>(comparison.unknown()));
}

}  // namespace
}  // namespace roofmark
