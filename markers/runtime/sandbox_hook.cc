// SPDX-License-Identifier: BSD-3-Clause
//
// The two functions by which programs restrict their system calls: prctl, and syscall, by which
// libseccomp does. syscall may make a process that shares the stack, and a thread that has another
// one: it goes on in the next function without a frame of its own.
#include <dlfcn.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>

#include "markers/runtime/restriction.h"

#define ROOFMARK_HOOK extern "C" __attribute__((visibility("default")))

namespace {

using roofmark::runtime::BeforeFilter;
using roofmark::runtime::BeforeStrictMode;

using Prctl = int (*)(int, ...);
Prctl g_next_prctl = nullptr;

void BeforePrctl(int option, unsigned long mode, unsigned long program) noexcept {
  if (option != PR_SET_SECCOMP) return;
  if (mode == SECCOMP_MODE_STRICT) BeforeStrictMode();
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an argument of a system call
  if (mode == SECCOMP_MODE_FILTER) BeforeFilter(reinterpret_cast<const void*>(program));
}

}  // namespace

ROOFMARK_HOOK int prctl(int option, ...) noexcept {
  va_list more;
  va_start(more, option);
  const auto a = va_arg(more, unsigned long), b = va_arg(more, unsigned long),
             c = va_arg(more, unsigned long), d = va_arg(more, unsigned long);
  va_end(more);
  BeforePrctl(option, a, b);
  if (g_next_prctl != nullptr) return g_next_prctl(option, a, b, c, d);
  return static_cast<int>(syscall(SYS_prctl, option, a, b, c, d));
}

#if defined(__x86_64__)

extern "C" {
// Looked up when the library is loaded; before that it is the system call itself.
__attribute__((visibility("hidden"))) void* roofmark_next_syscall = nullptr;

__attribute__((visibility("hidden"))) void roofmark_before_syscall(long number, unsigned long a,
                                                                   unsigned long b,
                                                                   unsigned long c) noexcept {
  if (number == SYS_prctl) return BeforePrctl(static_cast<int>(a), b, c);
  if (a == SECCOMP_SET_MODE_STRICT) BeforeStrictMode();
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an argument of a system call
  if (a == SECCOMP_SET_MODE_FILTER) BeforeFilter(reinterpret_cast<const void*>(c));
}
}

// 157: prctl; 317: seccomp.
__asm__(
    ".pushsection .text\n.p2align 4\n"
    ".globl syscall\n.type syscall, @function\n"
    "syscall:\n"
    "  endbr64\n"
    "  cmp $317, %rdi\n"
    "  je 1f\n"
    "  cmp $157, %rdi\n"
    "  je 1f\n"
    "0:\n"
    "  mov roofmark_next_syscall(%rip), %rax\n"
    "  test %rax, %rax\n"
    "  je 2f\n"
    "  jmp *%rax\n"
    "1:\n"
    "  push %rdi\n  push %rsi\n  push %rdx\n  push %rcx\n  push %r8\n  push %r9\n"
    "  sub $8, %rsp\n"
    "  call roofmark_before_syscall\n"
    "  add $8, %rsp\n"
    "  pop %r9\n  pop %r8\n  pop %rcx\n  pop %rdx\n  pop %rsi\n  pop %rdi\n"
    "  jmp 0b\n"
    "2:\n"
    "  mov %rdi, %rax\n"
    "  mov %rsi, %rdi\n"
    "  mov %rdx, %rsi\n"
    "  mov %rcx, %rdx\n"
    "  mov %r8, %r10\n"
    "  mov %r9, %r8\n"
    "  mov 8(%rsp), %r9\n"
    "  syscall\n"
    "  cmp $-4095, %rax\n"
    "  jae 3f\n"
    "  ret\n"
    "3:\n"
    "  neg %eax\n"
    "  push %rax\n"
    "  call __errno_location@PLT\n"
    "  pop %rcx\n"
    "  mov %ecx, (%rax)\n"
    "  mov $-1, %rax\n"
    "  ret\n"
    ".size syscall, .-syscall\n"
    ".popsection\n");

#endif

namespace {

// Before the library's own beginning, whose calls are to take this way as well.
__attribute__((constructor(101))) void LookUp() {
  g_next_prctl = reinterpret_cast<Prctl>(dlsym(RTLD_NEXT, "prctl"));
#if defined(__x86_64__)
  roofmark_next_syscall = dlsym(RTLD_NEXT, "syscall");
#endif
}

}  // namespace
