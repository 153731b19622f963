// SPDX-License-Identifier: BSD-3-Clause
//
// Random programs: translated they write down the addresses that are seen when the CPU executes
// them natively, one instruction at a time. Zydis says which memory each instruction accesses;
// registers are read before it.
#include <gtest/gtest.h>
#include <ucontext.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "collectors/counting/cache/record.h"
#include "tests/collectors/counting/native/frame.h"
#include "tests/collectors/counting/native/programs.h"

namespace roofmark {
namespace {

bool IsNonTemporal(ZydisMnemonic mnemonic) {
  const std::string name = ZydisMnemonicGetString(mnemonic);
  return name.rfind("movnt", 0) == 0 || name.rfind("vmovnt", 0) == 0;
}

bool IsNamedPacked(ZydisMnemonic mnemonic) {
  const std::string name = ZydisMnemonicGetString(mnemonic);
  return name.find("compress") != std::string::npos || name.find("expand") != std::string::npos;
}

bool TouchesNothing(const ZydisDecodedInstruction& in) {
  switch (in.meta.category) {
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
      return true;
    default:
      break;
  }
  const std::string name = ZydisMnemonicGetString(in.mnemonic);
  return name.rfind("clflush", 0) == 0 || name == "clwb" || name == "cldemote";
}

class Oracle {
 public:
  Oracle() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  void Step(const ucontext_t* context) {
    const auto pc = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
    ASSERT_TRUE(ZYAN_SUCCESS(
        ZydisDecoderDecodeFull(&decoder_, reinterpret_cast<const void*>(pc), 15, &in_, operands_)));
    if (TouchesNothing(in_)) return;
    const bool streams = IsNonTemporal(in_.mnemonic);
    for (const bool store : {false, true}) {
      for (int i = 0; i < in_.operand_count; ++i) {
        const ZydisDecodedOperand& operand = operands_[i];
        const auto wanted =
            store ? ZYDIS_OPERAND_ACTION_MASK_WRITE : ZYDIS_OPERAND_ACTION_MASK_READ;
        if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY ||
            operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN || !(operand.actions & wanted))
          continue;
        const roof_access kind = !store ? ROOF_LOAD : streams ? ROOF_NT_STORE : ROOF_STORE;
        Add(context, operand, kind, AddressOf(context, pc, operand, store));
      }
    }
  }

  Records records;

 private:
  // Programs have no index.
  uint64_t AddressOf(const ucontext_t* context, uint64_t pc, const ZydisDecodedOperand& operand,
                     bool store) const {
    const ZydisRegister base = operand.mem.base;
    const auto distance = static_cast<uint64_t>(operand.mem.disp.value);
    if (base == ZYDIS_REGISTER_RIP) return pc + in_.length + distance;
    uint64_t address = GeneralRegister(context, base) + distance;
    const bool hidden = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    if (hidden && store) address -= operand.size / 8;
    if (!hidden && base == ZYDIS_REGISTER_RSP && in_.mnemonic == ZYDIS_MNEMONIC_POP) address += 8;
    return address;
  }

  void Add(const ucontext_t* context, const ZydisDecodedOperand& operand, roof_access kind,
           uint64_t address) {
    const ZydisRegister mask = in_.avx.mask.reg;
    const std::string name = ZydisMnemonicGetString(in_.mnemonic);
    if (name.rfind("vmaskmovp", 0) == 0 || name.rfind("vpmaskmov", 0) == 0)
      return AddSigns(context, operand, kind, address);
    const bool masked = in_.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
                        mask > ZYDIS_REGISTER_K0 && mask <= ZYDIS_REGISTER_K7 &&
                        in_.avx.broadcast.mode == ZYDIS_BROADCAST_MODE_INVALID;
    if (!masked) return Add(kind, address, operand.size / 8);
    AddLanes(operand, kind, address,
             MaskRegister(context, static_cast<unsigned>(mask - ZYDIS_REGISTER_K0)));
  }

  // AVX2: a lane for each sign of the second operand.
  void AddSigns(const ucontext_t* context, const ZydisDecodedOperand& operand, roof_access kind,
                uint64_t address) {
    const std::string name = ZydisMnemonicGetString(in_.mnemonic);
    const unsigned width = name == "vmaskmovpd" || name == "vpmaskmovq" ? 8 : 4;
    const auto mask =
        VectorRegister(context, static_cast<unsigned>(ZydisRegisterGetId(operands_[1].reg.value)));
    for (unsigned at = 0; at < operand.size / 8u; at += width)
      if (mask[at + width - 1] & 0x80) Add(kind, address + at, width);
  }

  // A lane for each element of the operand that has most of them.
  void AddLanes(const ZydisDecodedOperand& operand, roof_access kind, uint64_t address,
                uint64_t mask) {
    unsigned lanes = operand.element_count;
    const ZydisDecodedOperand& first = operands_[0];
    if (lanes > 1 && first.type == ZYDIS_OPERAND_TYPE_REGISTER &&
        ZydisRegisterGetClass(first.reg.value) != ZYDIS_REGCLASS_MASK)
      lanes = first.element_count;
    const unsigned bytes = operand.size / lanes / 8;
    if (bytes == 0) return Add(kind, address, operand.size / 8);
    for (unsigned lane = 0, place = 0; lane < lanes; ++lane) {
      const bool active = mask >> lane & 1;
      if (active) Add(kind, address + uint64_t{place} * bytes, bytes);
      place += !IsNamedPacked(in_.mnemonic) || active;
    }
  }

  void Add(roof_access kind, uint64_t address, unsigned bytes) {
    records.push_back(address | ROOF_RECORD_TAG(kind, bytes));
  }

  ZydisDecoder decoder_;
  ZydisDecodedInstruction in_;
  ZydisDecodedOperand operands_[ZYDIS_MAX_OPERAND_COUNT];
};

// Places in the data, kinds and sizes.
std::string Describe(const Records& records, const Arena& arena) {
  static constexpr const char* kKinds[] = {"load", "store", "stream"};
  std::string text;
  for (const uint64_t record : records) {
    const uint64_t place = ROOF_RECORD_ADDRESS(record) - reinterpret_cast<uint64_t>(arena.data());
    const auto kind = record >> 63 ? 2 : record >> ROOF_RECORD_ADDRESS_BITS & 1;
    text += std::string(kKinds[kind]) + " " + std::to_string(static_cast<int64_t>(place)) + " " +
            std::to_string(ROOF_RECORD_EXTENT(record) + 1) + "\n";
  }
  return text;
}

// In segments or not.
class NativeTrail : public testing::TestWithParam<bool> {};

TEST_P(NativeTrail, TranslatedProgramsWriteDownWhatTheCpuAccesses) {
  if (const char* missing = roof_native_missing()) GTEST_SKIP() << missing;
  const char* text = std::getenv("ROOFMARK_TEST_STEPPED_PROGRAMS");
  const uint64_t most = text ? std::strtoull(text, nullptr, 10) : 300;
  const Arena arena;
  Programs programs(arena, 99);
  uint64_t accesses = 0;
  for (uint64_t tried = 1; tried <= most; ++tried) {
    Records records;
    Translator translator(arena, 1 << 21, &records, GetParam());
    programs.Make();
    MachineState stepped = programs.Start(tried);
    Oracle oracle;
    if (!RunInSteps(&stepped, arena.code(), arena,
                    [&](const ucontext_t* context) { oracle.Step(context); }))
      continue;
    MachineState translated = programs.Start(tried);
    ASSERT_TRUE(RunTranslated(translator.area(), &translated, arena.code())) << programs.Text();
    if (translator.area()->exits[ROOF_LEAVE_CONTROL]) continue;
    roof_native_flush(translator.area());
    ASSERT_EQ(Describe(records, arena), Describe(oracle.records, arena)) << programs.Text();
    accesses += records.size();
  }
  EXPECT_GT(accesses, 10 * most);
}

INSTANTIATE_TEST_SUITE_P(Segments, NativeTrail, testing::Bool());

}  // namespace
}  // namespace roofmark
