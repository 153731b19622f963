// SPDX-License-Identifier: BSD-3-Clause
//
// Which instructions random programs have.
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_ALLOWED_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_ALLOWED_H_

#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace roofmark {

// Gives another value each time, faults by its operands, changes what must stay, or accesses memory
// that no operand names.
inline bool IsExcluded(const ZydisDecodedInstruction& in) {
  static const std::set<std::string> kNames = {
      "in",   "out",  "div",  "idiv", "enter", "leave", "xlat",  "str",   "std",  "cli",
      "sti",  "clac", "stac", "clui", "stui",  "lsl",   "lar",   "hlt",   "sldt", "lldt",
      "smsw", "sgdt", "sidt", "ud0",  "ud1",   "ud2",   "fldcw", "clzero"};
  static constexpr std::array kStems = {
      "rd",      "wr",      "cpuid",       "xget",    "xset",     "xsave",     "xrstor",   "fxsave",
      "fxrstor", "fldenv",  "fnstenv",     "frstor",  "fnsave",   "ldmxcsr",   "vldmxcsr", "popf",
      "pushf",   "maskmov", "vmaskmovdqu", "monitor", "mwait",    "umon",      "umwait",   "tpause",
      "ver",     "enq",     "movdir",      "ptwrite", "mcommit",  "encl",      "vp4",      "v4f",
      "bnd",     "tile",    "ldtile",      "sttile",  "tdp",      "serialize", "hreset",   "llwp",
      "slwp",    "lwp",     "getsec",      "testui",  "senduipi", "xresldtrk", "xsusldtrk"};
  const std::string name = ZydisMnemonicGetString(in.mnemonic);
  switch (in.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_STRINGOP:
    case ZYDIS_CATEGORY_IOSTRINGOP:
    case ZYDIS_CATEGORY_CET:
    case ZYDIS_CATEGORY_PREFETCH:  // AMD's has forms that fault
      return true;
    default:
      break;
  }
  return (in.attributes &
          (ZYDIS_ATTRIB_IS_PRIVILEGED | ZYDIS_ATTRIB_HAS_SEGMENT | ZYDIS_ATTRIB_HAS_ADDRESSSIZE)) ||
         kNames.count(name) || std::any_of(kStems.begin(), kStems.end(), [&](const char* stem) {
           return name.rfind(stem, 0) == 0;
         });
}

inline bool IsKept(ZydisRegister reg) {
  const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
  return whole == ZYDIS_REGISTER_RSP || whole == ZYDIS_REGISTER_R14 || whole == ZYDIS_REGISTER_R15;
}

// Memory only in the data, and what is kept is not written. push and pop move rsp.
inline bool HasAllowedOperands(const ZydisDecodedInstruction& in,
                               const ZydisDecodedOperand* operands) {
  const bool stack = (in.mnemonic == ZYDIS_MNEMONIC_PUSH || in.mnemonic == ZYDIS_MNEMONIC_POP) &&
                     in.operand_width == 64;
  for (int i = 0; i < in.operand_count; ++i) {
    const ZydisDecodedOperand& operand = operands[i];
    const bool hidden = operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    if (operand.type == ZYDIS_OPERAND_TYPE_REGISTER) {
      if (ZydisRegisterGetClass(operand.reg.value) == ZYDIS_REGCLASS_SEGMENT) return false;
      // Where a bit of the prefix is set that has no meaning for it (as in 62 b1 cf 30 2a cc), Zen
      // 5 reads a stack pointer that lacks the last pushes and pops.
      if (in.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && IsKept(operand.reg.value)) return false;
      if (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE && IsKept(operand.reg.value) &&
          !(stack && hidden))
        return false;
    }
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY) continue;
    if (hidden && !stack) return false;
    if (operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN) continue;
    if (operand.mem.type != ZYDIS_MEMOP_TYPE_MEM || operand.mem.index != ZYDIS_REGISTER_NONE)
      return false;
    if (!hidden && operand.mem.base != ZYDIS_REGISTER_R14 &&
        operand.mem.base != ZYDIS_REGISTER_RIP && operand.mem.base != ZYDIS_REGISTER_RSP)
      return false;
    // The stack is not aligned for vectors, and a bit's number leads far away.
    if (operand.mem.base == ZYDIS_REGISTER_RSP && operand.size > 64) return false;
    if (in.meta.category == ZYDIS_CATEGORY_BITBYTE && !hidden &&
        operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
        std::string("bt") == std::string(ZydisMnemonicGetString(in.mnemonic)).substr(0, 2))
      return false;
  }
  return true;
}

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_NATIVE_ALLOWED_H_
