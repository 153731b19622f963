// SPDX-License-Identifier: BSD-3-Clause
#include "lib/assembly/assembly.h"

#include <Zydis/Zydis.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lib/assembly/arithmetic.h"

namespace roofmark::assembly {
namespace {

using Operands = std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT>;

uint32_t BitsOf(const ZydisDecodedOperand& operand) {
  if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER) return 0;
  return ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, operand.reg.value);
}

bool IsVector(const ZydisDecodedOperand& operand) {
  const uint32_t bits = BitsOf(operand);
  return bits == 128 || bits == 256 || bits == 512;
}

// Of the widest vector register that the instruction names.
uint32_t VectorBits(const ZydisDecodedInstruction& instruction, const Operands& operands) {
  uint32_t bits = 0;
  for (size_t i = 0; i < instruction.operand_count_visible; ++i) {
    if (IsVector(operands[i])) bits = std::max(bits, BitsOf(operands[i]));
  }
  return bits;
}

Lanes LanesOf(uint32_t bits) {
  if (bits == 512) return Lanes::k512;
  return bits == 256 ? Lanes::k256 : Lanes::k128;
}

Flow FlowOf(const ZydisDecodedInstruction& instruction) {
  switch (instruction.meta.category) {
    case ZYDIS_CATEGORY_CALL:
      return Flow::kCall;
    case ZYDIS_CATEGORY_RET:
      return Flow::kReturn;
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_UNCOND_BR:
      return Flow::kBranch;
    default:
      return Flow::kNext;
  }
}

uint64_t TargetOf(const ZydisDecodedInstruction& instruction, const Operands& operands,
                  uint64_t offset) {
  if (instruction.operand_count == 0 || operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE) return 0;
  if (operands[0].imm.is_relative == 0) return 0;
  return offset + instruction.length + static_cast<uint64_t>(operands[0].imm.value.s);
}

void ReadMask(const ZydisDecodedInstruction& instruction, std::string_view mnemonic,
              const Operands& operands, Instruction& into) {
  if (instruction.avx.mask.mode > ZYDIS_MASK_MODE_DISABLED &&
      instruction.avx.mask.reg != ZYDIS_REGISTER_K0) {
    into.masked = true;
    into.mask = ZydisRegisterGetString(instruction.avx.mask.reg);
  } else if (mnemonic.starts_with("vmaskmov") && instruction.operand_count_visible == 3 &&
             operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
    into.masked = true;
    into.mask = ZydisRegisterGetString(operands[1].reg.value);
  }
}

// By the letter of the type at the end: "vgatherdpd" has elements of 64 bits.
uint32_t GatheredBits(std::string_view mnemonic) {
  return mnemonic.ends_with("d") && !mnemonic.ends_with("dd") && !mnemonic.ends_with("qd") ? 64
         : mnemonic.ends_with("q")                                                         ? 64
                                                                                           : 32;
}

void ReadWork(const ZydisDecodedInstruction& instruction, const Operands& operands,
              Instruction& into) {
  const std::string_view mnemonic = ZydisMnemonicGetString(instruction.mnemonic);
  ReadMask(instruction, mnemonic, operands, into);
  const uint32_t bits = VectorBits(instruction, operands);
  into.gathers = mnemonic.find("gather") != std::string_view::npos &&
                 mnemonic.find("pf") == std::string_view::npos;
  into.scatters = mnemonic.find("scatter") != std::string_view::npos &&
                  mnemonic.find("pf") == std::string_view::npos;
  if (into.gathers || into.scatters) {
    into.lane_count = std::max(1u, bits / GatheredBits(mnemonic));
    return;
  }
  const Arithmetic arithmetic = ArithmeticOf(mnemonic);
  if (arithmetic.flops == 0) return;
  into.lanes = arithmetic.packed && bits > 0 ? LanesOf(bits) : Lanes::kScalar;
  into.lane_count = into.lanes == Lanes::kScalar ? 1 : bits / arithmetic.element_bits;
  into.flops = arithmetic.flops * into.lane_count;
}

class Reader {
 public:
  explicit Reader(Sizes sizes) {
    ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&formatter_, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_FORCE_SIZE,
                              sizes == Sizes::kAll ? ZYAN_TRUE : ZYAN_FALSE);
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
                              ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE,
                              ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_DISP_PADDING,
                              ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(&formatter_, ZYDIS_FORMATTER_PROP_IMM_PADDING,
                              ZYDIS_PADDING_DISABLED);
  }

  // The code is not empty.
  Instruction Next(std::string_view code, uint64_t offset) const {
    ZydisDecodedInstruction instruction;
    Operands operands;
    Instruction into;
    into.offset = offset;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder_, code.data(), code.size(), &instruction,
                                             operands.data()))) {
      into.bytes = 1;
      into.text = fmt::format(".byte 0x{:02x}", static_cast<unsigned char>(code[0]));
      return into;
    }
    into.bytes = instruction.length;
    into.flow = FlowOf(instruction);
    into.target = TargetOf(instruction, operands, offset);
    into.text = TextOf(instruction, operands, offset, into.target != 0);
    ReadWork(instruction, operands, into);
    return into;
  }

 private:
  // Places of data stay relative to the instruction: where a module lies is not known.
  std::string TextOf(const ZydisDecodedInstruction& instruction, const Operands& operands,
                     uint64_t offset, bool has_target) const {
    std::array<char, 256> text = {};
    const ZyanU64 address = has_target ? offset : ZYDIS_RUNTIME_ADDRESS_NONE;
    ZydisFormatterFormatInstruction(&formatter_, &instruction, operands.data(),
                                    instruction.operand_count_visible, text.data(), text.size(),
                                    address, nullptr);
    return text.data();
  }

  ZydisDecoder decoder_;
  ZydisFormatter formatter_;
};

}  // namespace

bool CanRead() { return true; }

std::string WhyNot() { return {}; }

std::vector<Instruction> Read(std::string_view code, uint64_t offset, Sizes sizes) {
  static const Reader kBrief(Sizes::kWhereNeeded), kLong(Sizes::kAll);
  const Reader& reader = sizes == Sizes::kAll ? kLong : kBrief;
  std::vector<Instruction> instructions;
  while (!code.empty()) {
    instructions.push_back(reader.Next(code, offset));
    code.remove_prefix(instructions.back().bytes);
    offset += instructions.back().bytes;
  }
  return instructions;
}

}  // namespace roofmark::assembly
