// SPDX-License-Identifier: BSD-3-Clause
//
// The runtime's functions that begin constructs: LLVM's own, and those by which it stands in for
// libgomp. Each notes the call, and goes on in the runtime's with all registers and the place to
// which the call returns as they were.
//
// In a library of its own, which programs must not be linked with: linkers would take these
// functions for the runtime, and leave the runtime out.
#include <cstdint>

#include "lib/core/next_function.h"
#include "markers/constructs/fork_call.h"
#include "markers/openmp_wait/gomp_calls.h"

namespace {

using roofmark::ForkCall;
using roofmark::Next;

__thread ForkCall t_fork __attribute__((tls_model("initial-exec")));

// ident_t of LLVM's runtime.
struct Ident {
  int32_t reserved[4];
  const char* location;
};
const char* LocationOf(const void* ident) {
  return ident == nullptr ? nullptr : static_cast<const Ident*>(ident)->location;
}

// Where a function's arguments have the body: those of LLVM begin with an Ident.
enum Takes { kIdentAndBody, kIdent, kBody };

struct Interposed {
  Next next;
  Takes takes;
};

// In place of a function that is in no library: nobody calls one, since programs have it of the
// runtime.
void Nothing() {}

}  // namespace

extern "C" __attribute__((visibility("default"))) void roofmark_take_fork_call(ForkCall* call) {
  *call = t_fork;
  t_fork = {};
}

// Returns the runtime's function.
extern "C" __attribute__((visibility("hidden"), used)) void* roofmark_note_fork(
    const void* first, Interposed* function, const void* third, void* caller) {
  switch (function->takes) {
    case kIdentAndBody:
      t_fork = {third, LocationOf(first)};
      break;
    case kIdent:
      t_fork = {nullptr, LocationOf(first)};
      break;
    case kBody:
      t_fork = {first, nullptr};
      break;
  }
  void* next = function->next.Get(caller);
  return next == nullptr ? reinterpret_cast<void*>(&Nothing) : next;
}

// clang-format off
#define ROOFMARK_PUSH(reg) "push %" reg "\n.cfi_adjust_cfa_offset 8\n"
#define ROOFMARK_POP(reg) "pop %" reg "\n.cfi_adjust_cfa_offset -8\n"
#define ROOFMARK_FORK(name, takes)                                                             \
  extern "C" __attribute__((visibility("hidden"))) Interposed roofmark_fork_##name;            \
  Interposed roofmark_fork_##name = {Next(#name), takes};                                      \
  __asm__(".text\n.globl " #name "\n.type " #name ",@function\n"                               \
          #name ":\n.cfi_startproc\nendbr64\n"                                                 \
          ROOFMARK_PUSH("rdi") ROOFMARK_PUSH("rsi") ROOFMARK_PUSH("rdx") ROOFMARK_PUSH("rcx")  \
          ROOFMARK_PUSH("r8") ROOFMARK_PUSH("r9") ROOFMARK_PUSH("rax")                         \
          "lea roofmark_fork_" #name "(%rip), %rsi\nmov 56(%rsp), %rcx\n"                      \
          "call roofmark_note_fork\nmov %rax, %r11\n"                                          \
          ROOFMARK_POP("rax") ROOFMARK_POP("r9") ROOFMARK_POP("r8")                            \
          ROOFMARK_POP("rcx") ROOFMARK_POP("rdx") ROOFMARK_POP("rsi") ROOFMARK_POP("rdi")      \
          "jmp *%r11\n.cfi_endproc\n.size " #name ", .-" #name "\n");
#define ROOFMARK_FORK_OF_GOMP(name, arguments) ROOFMARK_FORK(name, kBody)
// clang-format on

ROOFMARK_FORK(__kmpc_fork_call, kIdentAndBody)
ROOFMARK_FORK(__kmpc_fork_teams, kIdentAndBody)
ROOFMARK_FORK(__kmpc_serialized_parallel, kIdent)
ROOFMARK_GOMP_FORKS(ROOFMARK_FORK_OF_GOMP)
