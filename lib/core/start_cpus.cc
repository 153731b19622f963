// SPDX-License-Identifier: BSD-3-Clause
//
// Constructors of libraries have no order that one of them could choose. Before the first of them
// the dynamic linker relocates all libraries, and calls the resolvers of indirect functions, which
// say where a function is (ELF gABI, STT_GNU_IFUNC). This one makes a system call on the way. It
// may call no other function: that may not be relocated yet.
#include "lib/core/start_cpus.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <set>

#include "lib/core/cpu_list.h"

#if defined(__clang__)
#define ROOFMARK_ALONE __attribute__((used, no_sanitize("all"), noinline))
#else
#define ROOFMARK_ALONE                                                \
  __attribute__((used, no_sanitize("address", "thread", "undefined"), \
                 optimize("no-stack-protector"), noinline))
#endif

namespace {

constexpr size_t kMostCpus = 8192;
unsigned char g_mask[kMostCpus / CHAR_BIT];
long g_bytes = 0;  // of it, or a negative error

void Nothing() {}

}  // namespace

extern "C" {

using roofmark_function = void (*)();

// sched_getaffinity(0, ...).
ROOFMARK_ALONE static roofmark_function roofmark_resolve_nothing() {
#if defined(__x86_64__)
  long result = SYS_sched_getaffinity;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(0L), "S"(sizeof g_mask), "d"(g_mask)
               : "rcx", "r11", "memory");
  g_bytes = result;
#elif defined(__aarch64__)
  register long number asm("x8") = SYS_sched_getaffinity;
  register long result asm("x0") = 0;
  register size_t size asm("x1") = sizeof g_mask;
  register unsigned char* mask asm("x2") = g_mask;
  asm volatile("svc 0" : "+r"(result) : "r"(number), "r"(size), "r"(mask) : "memory");
  g_bytes = result;
#endif
  return &Nothing;
}

__attribute__((ifunc("roofmark_resolve_nothing"), visibility("hidden"))) void roofmark_nothing();

// Its address has to be known when the library has been relocated.
__attribute__((used)) static const roofmark_function kRelocated = &roofmark_nothing;
}

namespace roofmark {

std::string StartCpuList() {
  // Nobody has bound the thread: then what libc says, and whatever stands in front of it.
  unsigned char now[sizeof g_mask];
  const long bytes = syscall(SYS_sched_getaffinity, 0, sizeof now, now);
  if (bytes > 0 && bytes == g_bytes && std::equal(now, now + bytes, g_mask)) {
    return AffinityCpuList();
  }
  std::set<uint32_t> cpus;
  for (long byte = 0; byte < g_bytes; ++byte) {
    for (uint32_t bit = 0; bit < CHAR_BIT; ++bit) {
      if ((g_mask[byte] >> bit & 1) != 0) cpus.insert(static_cast<uint32_t>(byte) * CHAR_BIT + bit);
    }
  }
  return FormatCpuList(cpus);
}

bool ReturnToStartCpus() noexcept {
  return g_bytes > 0 && syscall(SYS_sched_setaffinity, 0, g_bytes, g_mask) == 0;
}

}  // namespace roofmark
