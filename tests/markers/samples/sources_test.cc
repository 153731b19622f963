// SPDX-License-Identifier: BSD-3-Clause
//
// One thread's samples by either method. What is executed for them is counted, not timed: where the
// kernel ends a thread at any system call but read, write and exit, samples are taken and fetched.
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "lib/core/thread.h"
#include "markers/samples/perf_ring.h"
#include "markers/samples/signal_timer.h"
#include "tests/support/sanitizers.h"

namespace roofmark::samples {
namespace {

constexpr uint64_t kPeriodNs = 1'000'000;

void WorkFor(uint64_t ns) {
  const uint64_t end = *ThreadCpuNs(ThisThread()) + ns;
  while (*ThreadCpuNs(ThisThread()) < end) {
    volatile int sum = 0;
    for (int i = 0; i < 100'000; ++i) sum = sum + i;
  }
}

// In a child, which ends with the number of samples that Drain() gave without a system call. The
// loads and stores of a full buffer are so executed, too.
template <typename Source>
[[noreturn]] void DrainWithoutSystemCalls(Source& source, uint64_t work_ns) {
  std::vector<uint64_t> addresses;
  addresses.reserve(100'000);
  Drained drained;
  WorkFor(work_ns);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) _exit(77);
  if constexpr (std::is_same_v<Source, PerfRing>) {
    source.Drain({addresses, addresses}, drained);
  } else {
    source.Drain(addresses, drained);
  }
  const bool sane = addresses.size() == drained.samples - drained.nowhere;
  syscall(SYS_exit, !sane ? 200 : static_cast<int>(std::min<size_t>(addresses.size(), 100)));
  __builtin_unreachable();
}

template <typename Body>
int InChild(Body body) {
  const pid_t child = fork();
  if (child == 0) body();
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::optional<PerfRing> RingHere(PerfRing::Failure& failure) {
  return PerfRing::Open(ThisThread(), kPeriodNs, false, &failure);
}

TEST(PerfRing, DrainingTakesNoSystemCall) {
  PerfRing::Failure failure;
  if (!RingHere(failure)) GTEST_SKIP() << "perf_event_open: " << std::strerror(failure.error);
  const int samples = InChild([] {
    PerfRing::Failure none;
    std::optional<PerfRing> ring = RingHere(none);
    if (!ring) _exit(201);
    DrainWithoutSystemCalls(*ring, 100'000'000);
  });
  if (samples == 77) GTEST_SKIP() << "the kernel has no seccomp";
  // A hypervisor that takes the CPU away takes samples away with it.
  EXPECT_GE(samples, 5) << "of 100 ms at 1 kHz; below 0: the signal that ended the child";
  EXPECT_LE(samples, 100);
}

TEST(PerfRing, WhatDoesNotFitIsCounted) {
  PerfRing::Failure failure;
  constexpr uint64_t kShort = 20'000;
  uint64_t lost = 0;
  // A busy or virtual machine samples less often than it was told to.
  for (uint64_t rings = 2; rings <= 64 && lost <= PerfRing::Capacity() / 10; rings *= 2) {
    std::optional<PerfRing> ring = PerfRing::Open(ThisThread(), kShort, false, &failure);
    if (!ring) GTEST_SKIP() << "perf_event_open: " << std::strerror(failure.error);
    std::vector<uint64_t> addresses;
    Drained drained;
    WorkFor(kShort * PerfRing::Capacity() * rings);
    ring->Drain({addresses, addresses}, drained);
    EXPECT_LE(drained.samples, PerfRing::Capacity());
    WorkFor(kShort * 100);  // the record of what was lost comes with the next sample
    ring->Drain({addresses, addresses}, drained);
    EXPECT_GT(drained.samples, 0u);
    lost = drained.lost;
  }
  EXPECT_GT(lost, PerfRing::Capacity() / 10);
}

TEST(PerfRing, OfAThreadThatThereIsNotIsRefused) {
  PerfRing::Failure failure;
  EXPECT_FALSE(PerfRing::Open(0x7ffffff0, kPeriodNs, false, &failure));
  EXPECT_NE(failure.error, 0);
}

TEST(SignalTimer, DrainingTakesNoSystemCall) {
#if ROOFMARK_TEST_TSAN
  GTEST_SKIP() << "the sanitizer holds signals back until the next system call";
#endif
  const int samples = InChild([] {
    int error = 0;
    if (!SignalTimer::Install().empty()) _exit(202);
    auto timer = SignalTimer::Start(ThisThread(), SignalTimer::PeriodFor(kPeriodNs), &error);
    if (!timer) _exit(203);
    DrainWithoutSystemCalls(*timer, 300'000'000);
  });
  if (samples == 77) GTEST_SKIP() << "the kernel has no seccomp";
  EXPECT_GE(samples, 1) << "of 300 ms at the kernel's tick, which a busy machine seldom meets";
  EXPECT_LE(samples, 100);
}

TEST(SignalTimer, StepsAsideForAHandlerOfTheProgram) {
  ASSERT_EQ(SignalTimer::Install(), "");
  EXPECT_TRUE(SignalTimer::IsInstalled());
  signal(SIGURG, [](int) {});
  EXPECT_FALSE(SignalTimer::IsInstalled());
  EXPECT_EQ(SignalTimer::Install(), "the program handles SIGURG itself");
  SignalTimer::Uninstall();
  EXPECT_NE(signal(SIGURG, SIG_IGN), SIG_DFL) << "the program's handler was taken away";
  ASSERT_EQ(SignalTimer::Install(), "");
  SignalTimer::Uninstall();
  EXPECT_EQ(signal(SIGURG, SIG_DFL), SIG_IGN) << "what was there before was not given back";
}

// A signal of the same number that is not a timer's of roofmark leads nowhere.
TEST(SignalTimer, ForeignSignalsAreIgnored) {
  ASSERT_EQ(SignalTimer::Install(), "");
  raise(SIGURG);
  struct sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGURG;
  event.sigev_value.sival_ptr = reinterpret_cast<void*>(16);
  timer_t timer;
  ASSERT_EQ(timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer), 0);
  const itimerspec soon = {{0, 1'000'000}, {0, 1'000'000}};
  timer_settime(timer, 0, &soon, nullptr);
  WorkFor(50'000'000);
  timer_delete(timer);
  SignalTimer::Uninstall();
}

}  // namespace
}  // namespace roofmark::samples
