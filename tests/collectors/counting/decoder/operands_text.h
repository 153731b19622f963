// SPDX-License-Identifier: BSD-3-Clause
//
// Operands as text: "address: rax r9; data: xmm1; merge: xmm2; write: xmm2; loads; pops 1".
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_OPERANDS_TEXT_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_OPERANDS_TEXT_H_

#include <bitset>
#include <cstdint>
#include <string>

#include "collectors/counting/decoder/operands.h"

namespace roofmark {

inline std::string RegisterName(unsigned which) {
  static const char* const kGeneral[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                         "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
  if (which < ROOF_R_VECTOR) return kGeneral[which];
  if (which < ROOF_R_X87) return "xmm" + std::to_string(which - ROOF_R_VECTOR);
  if (which < ROOF_R_MMX) return "st" + std::to_string(which - ROOF_R_X87);
  if (which < ROOF_R_CARRY) return "mm" + std::to_string(which - ROOF_R_MMX);
  if (which >= ROOF_R_MASK) return "k" + std::to_string(which - ROOF_R_MASK);
  return which == ROOF_R_CARRY ? "carry" : which == ROOF_R_FLAGS ? "flags" : "x87flags";
}

// Registers by what is done with them.
struct RegisterSets {
  using Set = std::bitset<ROOF_REGISTERS>;
  Set address, data, merge, write;
  bool loads = false, stores = false;
  int8_t pops = 0;

  bool operator==(const RegisterSets& other) const {
    return address == other.address && data == other.data && merge == other.merge &&
           write == other.write && loads == other.loads && stores == other.stores &&
           pops == other.pops;
  }

  std::string Text() const {
    std::string text;
    const auto append = [&](const std::string& part) {
      if (!text.empty()) text += "; ";
      text += part;
    };
    const auto add = [&](const char* what, const Set& set) {
      if (set.none()) return;
      append(what);
      for (unsigned i = 0; i < ROOF_REGISTERS; ++i)
        if (set[i]) text += " " + RegisterName(i);
    };
    add("address:", address);
    add("data:", data);
    add("merge:", merge);
    add("write:", write);
    if (loads) append("loads");
    if (stores) append("stores");
    if (pops) append("pops " + std::to_string(pops));
    return text;
  }
};

inline RegisterSets SetsOf(const roof_operands& operands) {
  RegisterSets sets;
  for (unsigned i = 0; i < operands.reads; ++i)
    (operands.role[i] == ROOF_FOR_ADDRESS ? sets.address
     : operands.role[i] == ROOF_FOR_DATA  ? sets.data
                                          : sets.merge)
        .set(operands.read[i]);
  for (unsigned i = 0; i < operands.writes; ++i) sets.write.set(operands.write[i]);
  sets.loads = operands.flags & ROOF_LOADS;
  sets.stores = operands.flags & ROOF_STORES;
  sets.pops = operands.x87_pops;
  return sets;
}

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_COLLECTORS_COUNTING_DECODER_OPERANDS_TEXT_H_
