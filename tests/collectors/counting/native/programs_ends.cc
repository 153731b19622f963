// SPDX-License-Identifier: BSD-3-Clause
//
// The branches of random programs.
#include <cstring>

#include "tests/collectors/counting/native/programs.h"

namespace roofmark {

// mov r15d, n; the body; sub r15d, 1; jnz. Or loop and jrcxz in place of the last two.
void Programs::Loop() {
  const bool by_count = Random(4) == 0;
  if (by_count) {
    Append({0xB9, 1 + Random(20), 0, 0, 0});
    if (Random(2)) {
      Append({0x90, 0xE0 + Random(3), 0xFD});  // nop; loopne, loope or loop
    } else {
      Append({0x90, 0x67, 0xE2, 0xFC});  // with ecx
    }
    return;
  }
  Append({0x41, 0xBF, 1 + Random(40), 0, 0, 0});
  const size_t begin = at_;
  Body(4);
  Append({0x41, 0x83, 0xEF, 1});
  Append({0x0F, 0x85});
  const auto distance = static_cast<int32_t>(begin) - static_cast<int32_t>(at_) - 4;
  std::memcpy(arena_.code() + at_, &distance, sizeof distance);
  at_ += 4;
}

// lea r15, [rip + distance]
void Programs::AppendLea(size_t block) {
  Append({0x4C, 0x8D, 0x3D});
  AppendTarget(block);
}

// To one of the functions, and on to the next block.
void Programs::Call(size_t function) {
  switch (Random(5)) {
    case 0:  // sometimes with the prefixes of calls of __tls_get_addr, or of a linker
      switch (Random(3)) {
        case 0:
          Append({0x66, 0x66, 0x48});
          break;
        case 1:
          Append({0x67});
          break;
        default:
          break;
      }
      Append({0xE8});
      AppendTarget(function);
      break;
    case 1:  // lea r15, [rip + distance]; call r15
      AppendLea(function);
      Append({0x41, 0xFF, 0xD7});
      break;
    case 2:  // call of what is on the stack: lea, push, call [rsp], pop r15
      AppendLea(function);
      Append({0x41, 0x57, 0xFF, 0x14, 0x24, 0x41, 0x5F});
      break;
    case 3:  // call [rip + 2], as of a function by its name; jmp over the address
      if (Random(2)) Append({0x66, 0x48});
      Append({0xFF, 0x15, 2, 0, 0, 0, 0xEB, 8});
      fixups_.push_back({at_, function, true});
      AppendAddress(nullptr);
      break;
    default:  // lea; mov [r14 + 64], r15; call [r14 + 64]
      AppendLea(function);
      Append({0x4D, 0x89, 0x7E, 64, 0x41, 0xFF, 0x56, 64});
      break;
  }
}

void Programs::Jump(size_t later) {
  switch (Random(5)) {
    case 0:  // sometimes with the prefix of a linker
      if (Random(2)) Append({0x67});
      Append({0xE9});
      AppendTarget(later);
      break;
    case 1:  // jrcxz or jecxz over a jump
      if (Random(2)) Append({0x67});
      Append({0xE3, 5, 0xE9});
      AppendTarget(later);
      break;
    case 2:  // through memory
      Append({0xFF, 0x25, 0, 0, 0, 0});
      fixups_.push_back({at_, later, true});
      AppendAddress(nullptr);
      break;
    case 3:  // lea; notrack jmp r15
      AppendLea(later);
      Append({0x3E, 0x41, 0xFF, 0xE7});
      break;
    default:  // lea; push r15; ret, sometimes repeated
      AppendLea(later);
      Append({0x41, 0x57});
      if (Random(2)) Append({0xF3});
      Append({0xC3});
      break;
  }
}

// A way to a later block. The last two blocks are functions.
void Programs::End(size_t block, size_t blocks) {
  const size_t to = block + 1 + Random(static_cast<unsigned>(blocks - 3 - block) + 1);
  const size_t later = to > blocks - 3 ? blocks - 3 : to;
  switch (Random(4)) {
    case 0:
      Jump(later);
      break;
    case 1:
    case 2:
      Call(blocks - 1 - Random(2));
      break;
    default:
      Append({0x0F, 0x80 + Random(16)});
      AppendTarget(later);
      break;
  }
}

}  // namespace roofmark
