// SPDX-License-Identifier: BSD-3-Clause
//
// The registers that Zydis says an instruction reads and writes, in the terms of operands.h. Where
// these differ from what the manuals list, or where Zydis errs, a function below says why.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_ZYDIS_OPERANDS_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_ZYDIS_OPERANDS_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/collectors/counting/decoder/operands_text.h"
#include "tests/collectors/counting/decoder/zydis_expected.h"

namespace roofmark {

// None for registers that carry no value that is followed: segments, rip, control words.
inline std::optional<unsigned> RegisterOf(ZydisRegister reg) {
  const auto id = [&] { return static_cast<unsigned>(ZydisRegisterGetId(reg)); };
  switch (ZydisRegisterGetClass(reg)) {
    case ZYDIS_REGCLASS_GPR8:
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64:
      reg = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
      return ROOF_R_GENERAL + id();
    case ZYDIS_REGCLASS_X87:
      return ROOF_R_X87 + id();
    case ZYDIS_REGCLASS_MMX:
      return ROOF_R_MMX + id();
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
      return ROOF_R_VECTOR + id();
    default:
      return std::nullopt;
  }
}

inline void AddRegister(const ZydisDecodedOperand& operand, RegisterSets* sets) {
  const auto which = RegisterOf(operand.reg.value);
  if (!which) return;
  const bool reads = operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ;
  const bool writes = operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
  const bool may_write = writes && !(operand.actions & ZYDIS_OPERAND_ACTION_WRITE);
  const bool part = *which < ROOF_R_VECTOR && operand.size < 32;
  if (reads || may_write || (writes && part)) sets->data.set(*which);
  if (writes) sets->write.set(*which);
}

inline void AddMemory(const ZydisDecodedOperand& operand, RegisterSets* sets) {
  const bool computes = operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN;
  for (const ZydisRegister reg : {operand.mem.base, operand.mem.index})
    if (const auto which = RegisterOf(reg)) (computes ? sets->data : sets->address).set(*which);
  if (computes) return;
  if (operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ) sets->loads = true;
  if (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) sets->stores = true;
}

inline void AddFlags(const ZydisDecodedInstruction& instruction, RegisterSets* sets) {
  const auto& cpu = *instruction.cpu_flags;
  constexpr uint32_t kOthers =
      ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;
  const uint32_t written = cpu.modified | cpu.set_0 | cpu.set_1;
  if (cpu.tested & ZYDIS_CPUFLAG_CF) sets->data.set(ROOF_R_CARRY);
  if (cpu.tested & kOthers) sets->data.set(ROOF_R_FLAGS);
  if (written & ZYDIS_CPUFLAG_CF) sets->write.set(ROOF_R_CARRY);
  if (written & kOthers) sets->write.set(ROOF_R_FLAGS);
}

// Implicit pointers (of push, movs ...) are both operand and base: here they are the base.
inline void PointersAreAddresses(const Disassembled& d, RegisterSets* sets) {
  constexpr unsigned kPointers[] = {ROOF_R_RSP, ROOF_R_RSP + 2, ROOF_R_RSP + 3};  // rsp, rsi, rdi
  for (unsigned pointer : kPointers) {
    bool hidden = false, explicitly = false;
    for (int i = 0; i < d.instruction.operand_count; ++i) {
      const auto& operand = d.operands[i];
      if (operand.type != ZYDIS_OPERAND_TYPE_REGISTER || RegisterOf(operand.reg.value) != pointer)
        continue;
      hidden = hidden || operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
      const bool read = operand.actions & ZYDIS_OPERAND_ACTION_MASK_READ || operand.size < 32;
      explicitly = explicitly || (operand.visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN && read);
    }
    if (hidden && !explicitly && sets->address[pointer]) sets->data.reset(pointer);
  }
  // Zydis forgets that cmps and scas advance their pointers; that they test the flag which they
  // just wrote is no dependence.
  if (d.instruction.meta.category == ZYDIS_CATEGORY_STRINGOP &&
      (d.name.rfind("cmps", 0) == 0 || d.name.rfind("scas", 0) == 0)) {
    sets->write |= sets->address;
    sets->data.reset(ROOF_R_FLAGS);
  }
  // bextr clears CF, says the manual.
  if (d.name == "bextr") sets->write.set(ROOF_R_CARRY);
  // leave reads rsp only to overwrite it.
  if (d.name == "leave") sets->data.reset();
}

// What a scalar result keeps of its register in the legacy encoding; Zydis says so of some only.
inline bool KeepsDestination(const Disassembled& d) {
  static const std::set<std::string> kScalar = {
      "sqrtss",  "sqrtsd",  "rsqrtss", "rcpss",    "cvtss2sd", "cvtsd2ss", "roundss",
      "roundsd", "movhlps", "movlhps", "cvtpi2ps", "bsf",      "bsr"};
  static const std::set<std::string> kHalf = {"movlps", "movhps", "movlpd", "movhpd"};
  if (d.instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY) return false;
  if (kScalar.count(d.name)) return true;
  if (kHalf.count(d.name)) return d.operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER;
  return (d.name == "movss" || d.name == "movsd") && !UsesMemory(d) &&
         d.instruction.meta.category != ZYDIS_CATEGORY_STRINGOP;
}

// Results that do not depend on operands which are one register.
inline bool IsIdiom(const Disassembled& d) {
  static const std::set<std::string> kGeneral = {"xor", "sub"};
  static const std::set<std::string> kVector = {
      "pxor",    "xorps",   "xorpd",   "pandn",   "andnps",  "andnpd",  "psubb",   "psubw",
      "psubd",   "psubq",   "psubsb",  "psubsw",  "psubusb", "psubusw", "pcmpgtb", "pcmpgtw",
      "pcmpgtd", "pcmpgtq", "pcmpeqb", "pcmpeqw", "pcmpeqd", "pcmpeqq"};
  const int last = d.instruction.operand_count_visible - 1;
  if (last < 1 || d.operands[last].type != ZYDIS_OPERAND_TYPE_REGISTER ||
      d.operands[last - 1].type != ZYDIS_OPERAND_TYPE_REGISTER ||
      d.operands[last].reg.value != d.operands[last - 1].reg.value)
    return false;
  if (kGeneral.count(d.name)) return d.operands[0].size >= 32;
  return kVector.count(d.name) && RegisterOf(d.operands[0].reg.value) < ROOF_R_X87;
}

// Zydis counts st(i) from the top after a push, and has no top otherwise.
inline void CountFromTheTopBefore(const Disassembled& d, RegisterSets* sets) {
  static const std::set<std::string> kBoth = {"fsincos", "fptan", "fxtract"};
  const auto pushed = [&](unsigned from) {
    sets->write.reset(ROOF_R_X87 + from);
    sets->write.set(ROOF_R_X87 + 7);
  };
  const bool pops = !d.name.empty() && d.name.back() == 'p' && d.name != "fcmovnp";
  if (d.name.rfind("fld", 0) == 0 && d.name != "fldcw") {
    pushed(0);
    sets->pops = -1;
  } else if (d.name == "fild") {
    pushed(0);
    sets->pops = -1;
  } else if (kBoth.count(d.name)) {
    pushed(1);
    sets->pops = -1;
  } else if (d.name == "fincstp" || d.name == "fdecstp") {
    sets->pops = d.name == "fincstp" ? 1 : -1;
  } else if (d.name == "fcompp" || d.name == "fucompp") {
    sets->pops = 2;
  } else if ((pops && d.name != "fnop") || d.name == "fyl2x" || d.name == "fyl2xp1" ||
             d.name == "fpatan") {
    sets->pops = 1;
  }
  // These look at the register and write the status word.
  if (d.name == "ftst" || d.name == "fxam") sets->write.reset();
  if (d.name == "ffree") sets->data.reset();
}

inline RegisterSets ExpectedSets(const Disassembled& d) {
  RegisterSets sets;
  for (int i = 0; i < d.instruction.operand_count; ++i) {
    const auto& operand = d.operands[i];
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) AddRegister(operand, &sets);
    if (operand.type == ZYDIS_OPERAND_TYPE_MEMORY) AddMemory(operand, &sets);
  }
  AddFlags(d.instruction, &sets);
  PointersAreAddresses(d, &sets);
  if (KeepsDestination(d)) {
    sets.data |= sets.write;
    sets.data.reset(ROOF_R_FLAGS);  // bsf, bsr write it
  }
  if (IsIdiom(d)) sets.data.reset();
  if (IsX87(d)) CountFromTheTopBefore(d, &sets);
  const auto category = d.instruction.meta.category;
  if (category == ZYDIS_CATEGORY_PREFETCH || category == ZYDIS_CATEGORY_NOP ||
      category == ZYDIS_CATEGORY_WIDENOP || d.name == "cldemote" ||
      d.name.rfind("prefetch", 0) == 0)
    sets = {};
  return sets;
}

// What the flags say of branches and atomics.
inline unsigned ExpectedFlags(const Disassembled& d) {
  const auto& instruction = d.instruction;
  const auto category = instruction.meta.category;
  const bool jumps = category == ZYDIS_CATEGORY_UNCOND_BR || category == ZYDIS_CATEGORY_CALL;
  const bool exchanges = d.name == "xchg" && UsesMemory(d);
  unsigned flags = category == ZYDIS_CATEGORY_COND_BR ? ROOF_BRANCHES : 0;
  if (jumps && d.operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE) flags |= ROOF_INDIRECT;
  if (exchanges || instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) flags |= ROOF_LOCKED;
  return flags;
}

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_ZYDIS_OPERANDS_H_
