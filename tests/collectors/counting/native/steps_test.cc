// SPDX-License-Identifier: BSD-3-Clause
//
// Random programs: translated they count what is seen when the CPU executes them natively, one
// instruction at a time. What each instruction does is told here by its name; masks are read from
// the registers as they are before it.
#include <gtest/gtest.h>
#include <ucontext.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "tests/collectors/counting/decoder/zydis_expected.h"
#include "tests/collectors/counting/native/frame.h"
#include "tests/collectors/counting/native/programs.h"

namespace roofmark {
namespace {

// Precision of "...ps": its letters; lanes have so many bits.
struct Named {
  std::string stem;
  unsigned precision = 0, bits = 0;
  bool packed = false;
};

bool ReadName(std::string name, Named* out) {
  for (const char* of : {"132", "213", "231"})
    if (const auto at = name.find(of); at != std::string::npos) name.erase(at, 3);
  if (name.size() < 4) return false;
  const std::string suffix = name.substr(name.size() - 2);
  if (suffix != "pd" && suffix != "ps" && suffix != "sd" && suffix != "ss") return false;
  out->packed = suffix[0] == 'p';
  out->precision = suffix[1] == 'd' ? ROOF_DP : ROOF_SP;
  out->bits = suffix[1] == 'd' ? 64 : 32;
  out->stem = name.substr(0, name.size() - 2);
  for (const char* kind : {"rcp14", "rsqrt14"})
    if (out->stem == kind) out->stem.resize(out->stem.size() - 2);
  return true;
}

// What the instruction counts, by name.
class Oracle {
 public:
  Oracle() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  void Step(const ucontext_t* context) {
    const auto pc = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
    Disassembled d;
    ASSERT_TRUE(ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, reinterpret_cast<const void*>(pc),
                                                    15, &d.instruction, d.operands)));
    ++counts[ROOF_C_INSTRUCTIONS];
    d.name = ZydisMnemonicGetString(d.instruction.mnemonic);
    if (d.instruction.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX) {
      AddEvex(context, d);
    } else {
      AddOthers(pc, d);
    }
  }

  std::map<unsigned, uint64_t> counts;  // by counter; classes of FLOPs and instructions

 private:
  // Lanes of `lanes` that the instruction's mask selects.
  static unsigned Active(const ucontext_t* context, const Disassembled& d, unsigned lanes) {
    uint64_t active = lanes == 64 ? ~uint64_t{0} : (uint64_t{1} << lanes) - 1;
    const ZydisRegister mask = d.instruction.avx.mask.reg;
    if (mask > ZYDIS_REGISTER_K0 && mask <= ZYDIS_REGISTER_K7)
      active &= MaskRegister(context, static_cast<unsigned>(mask - ZYDIS_REGISTER_K0));
    return static_cast<unsigned>(std::popcount(active));
  }

  void AddEvex(const ucontext_t* context, const Disassembled& d) {
    const unsigned width = d.operands[0].size;
    if (IsVnni(d.name.substr(1))) {
      counts[ROOF_C_VNNI_OPERATIONS] += (d.name[4] == 'b' ? 8 : 4) * Active(context, d, width / 32);
      return;
    }
    if (d.name == "vdpbf16ps") {
      counts[ROOF_C_BF16_FLOPS] += 4 * Active(context, d, width / 32);
      return;
    }
    Named named;
    if (!ReadName(d.name.substr(1), &named)) return;
    const int kind = KindOf(named.stem);
    if (kind < 0) return;
    const unsigned lanes = named.packed ? width / named.bits : 1;
    const unsigned each = kind == ROOF_FMA ? 2 : 1;
    const unsigned column = !named.packed  ? ROOF_SCALAR
                            : width == 128 ? ROOF_128
                            : width == 256 ? ROOF_256
                                           : ROOF_512;
    counts[static_cast<unsigned>(ROOF_C_FLOPS(named.precision, column, kind))] +=
        each * Active(context, d, lanes);
  }

  // The decoder is compared with Zydis elsewhere.
  void AddOthers(uint64_t pc, const Disassembled& d) {
    roof_instruction decoded;
    roof_class meaning;
    roof_decode(reinterpret_cast<const uint8_t*>(pc), d.instruction.length, &decoded);
    roof_classify(&decoded, &meaning);
    for (int i = 0; i < meaning.terms; ++i)
      counts[meaning.term[i].counter] += meaning.term[i].operations;
  }

  ZydisDecoder decoder_;
};

TEST(NativeSteps, TranslatedProgramsCountWhatTheCpuExecutes) {
  if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  const char* text = std::getenv("ROOFMARK_TEST_STEPPED_PROGRAMS");
  const uint64_t most = text ? std::strtoull(text, nullptr, 10) : 150;
  const Arena arena;
  Programs programs(arena, 77);
  uint64_t flops = 0;
  for (uint64_t tried = 1; tried <= most; ++tried) {
    Translator translator(arena, 1 << 21);
    programs.Make();
    MachineState stepped = programs.Start(tried);
    Oracle oracle;
    if (!RunInSteps(&stepped, arena.code(), arena,
                    [&](const ucontext_t* context) { oracle.Step(context); }))
      continue;
    MachineState translated = programs.Start(tried);
    ASSERT_TRUE(RunTranslated(translator.area(), &translated, arena.code())) << programs.Text();
    const auto counts = translator.Counts();
    for (unsigned i = 0; i <= ROOF_C_INSTRUCTIONS; ++i) {
      ASSERT_EQ(counts[i], oracle.counts[i]) << "counter " << i << "\n" << programs.Text();
      if (i < ROOF_C_INSTRUCTIONS) flops += counts[i];
    }
  }
  EXPECT_GT(flops, most);
}

}  // namespace
}  // namespace roofmark
