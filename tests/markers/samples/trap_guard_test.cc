// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/trap_guard.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "lib/core/thread.h"

namespace roofmark::samples {
namespace {

constexpr uint64_t kPlace = 0x401000, kOther = 0x402000;

// As the kernel sends it when it does not know whose breakpoint was hit.
void Trap(uint64_t address) {
  siginfo_t info = {};
  info.si_signo = SIGTRAP;
  info.si_code = TRAP_BRKPT;
  info.si_addr = reinterpret_cast<void*>(address);
  ASSERT_EQ(syscall(SYS_rt_tgsigqueueinfo, getpid(), ThisThread(), SIGTRAP, &info), 0);
}

// The signal that ends a process that does this; 0 if none.
template <typename Body>
int EndOf(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

TEST(TrapGuard, IgnoresTrapsOfGuardedPlaces) {
  EXPECT_EQ(EndOf([] {
              GuardPlace(kPlace);
              GuardPlace(kOther);
              for (int i = 0; i < 3; ++i) Trap(kPlace);
              LetGoOfPlace(kOther);
              Trap(kPlace);
            }),
            0);
}

TEST(TrapGuard, AnyOtherTrapEndsTheProgram) {
  EXPECT_EQ(EndOf([] { Trap(kPlace); }), SIGTRAP) << "without a guard";
  EXPECT_EQ(EndOf([] {
              GuardPlace(kPlace);
              Trap(kOther);
            }),
            SIGTRAP);
  EXPECT_EQ(EndOf([] {
              GuardPlace(kPlace);
              Trap(0);
            }),
            SIGTRAP);
  EXPECT_EQ(EndOf([] {
              GuardPlace(kPlace);
              raise(SIGTRAP);
            }),
            SIGTRAP);
  EXPECT_EQ(EndOf([] {
              GuardPlace(kPlace);
              LetGoOfPlace(kPlace);
              Trap(kPlace);
            }),
            SIGTRAP);
#if defined(__x86_64__)
  EXPECT_EQ(EndOf([] {
              GuardPlace(kPlace);
              asm volatile("int3");
            }),
            SIGTRAP);
#endif
}

// A debugger within the program, say.
TEST(TrapGuard, AProgramThatHandlesTrapsGetsThemAll) {
  const auto install = [] { signal(SIGTRAP, [](int) { _exit(7); }); };
  EXPECT_EQ(EndOf([&] {
              install();
              GuardPlace(kPlace);
              Trap(kPlace);
            }),
            7);
  EXPECT_EQ(EndOf([&] {
              GuardPlace(kPlace);
              install();
              Trap(kPlace);
            }),
            7);
  EXPECT_EQ(EndOf([&] {
              GuardPlace(kPlace);
              install();
              LetGoOfPlace(kPlace);
              Trap(kPlace);
            }),
            7);
}

}  // namespace
}  // namespace roofmark::samples
