// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/papi/low_numbers.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "tests/support/end_child.h"

namespace roofmark::papi {
namespace {

constexpr size_t kEvents = 6;

std::vector<int> Free(int from, int to) {
  std::vector<int> numbers;
  for (int i = from; i < to; ++i) {
    if (fcntl(i, F_GETFD) < 0) numbers.push_back(i);
  }
  return numbers;
}

// In a process with few open files, whose limit stays as small as it is made.
void InChild(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    syscall(SYS_close_range, 3, ~0u, 0);
    body();
    fflush(stdout);
    test::EndChild(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "see above";
}

void Limit(rlim_t files) {
  const rlimit limit{files, files};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

// Nothing of what it did is left.
void ExpectTakenFor(int first_high, int all) {
  const std::vector<int> before = Free(0, all);
  {
    const LowNumbersTaken taken(kEvents);
    EXPECT_THAT(Free(0, first_high), testing::IsEmpty());
    std::vector<int> kept_open;
    for (const int number : before) {
      if (number < first_high && fcntl(number, F_GETFD) != FD_CLOEXEC) kept_open.push_back(number);
    }
    EXPECT_THAT(kept_open, testing::IsEmpty()) << "in programs that are executed";
  }
  EXPECT_EQ(Free(0, all), before);
}

TEST(LowNumbers, AreTakenForATimeOnly) {
  InChild([] {
    Limit(1024);
    ExpectTakenFor(256, 1024);
  });
}

TEST(LowNumbers, SoAreThoseBetweenOthers) {
  InChild([] {
    Limit(1024);
    for (const int step : {2, 3, 7, 50}) {
      syscall(SYS_close_range, 3, ~0u, 0);
      for (int number = 4; number < 400; number += step) dup2(1, number);
      ExpectTakenFor(256, 1024);
    }
    for (int number = 20; number < 1000; ++number) dup2(1, number);
    ExpectTakenFor(256, 1024);
  });
}

TEST(LowNumbers, AreFewerWhereFewAreAllowed) {
  for (const rlim_t limit : {4, 5, 7, 12, 32, 100, 511}) {
    InChild([limit] {
      Limit(limit);
      ExpectTakenFor(static_cast<int>(limit / 2), static_cast<int>(limit));
    });
  }
}

// There are few, and another thread opens files meanwhile.
TEST(LowNumbers, LeaveNumbersForOthers) {
  InChild([] {
    Limit(1024);
    for (int number = 10; number < 1000; ++number) dup2(1, number);
    std::atomic<bool> done{false};
    int failed = 0;
    std::thread other([&] {
      while (!done) {
        const int file = open("/", O_PATH | O_CLOEXEC);
        failed += file < 0 ? 1 : 0;
        close(file);
      }
    });
    for (int i = 0; i < 3000; ++i) const LowNumbersTaken taken(kEvents);
    done = true;
    other.join();
    EXPECT_EQ(failed, 0);
  });
}

// Refuses what an old kernel does not have.
void Refuse(const std::vector<uint32_t>& calls) {
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const uint32_t call : calls) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
}

TEST(LowNumbers, AreTakenOneByOneWhereTheKernelCanDoNoBetter) {
  const std::vector<std::vector<uint32_t>> refused = {
      {SYS_socketpair}, {SYS_sendmsg}, {SYS_close_range}, {SYS_socketpair, SYS_close_range}};
  for (const auto& calls : refused) {
    InChild([&calls] {
      Limit(1024);
      Refuse(calls);
      ExpectTakenFor(256, 1024);
    });
  }
}

// Each thread of a program pays this.
TEST(LowNumbers, TakeFewSystemCalls) {
  const pid_t child = fork();
  if (child == 0) {
    syscall(SYS_close_range, 3, ~0u, 0);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(77);
    raise(SIGSTOP);
    { const LowNumbersTaken taken(kEvents); }
    raise(SIGSTOP);
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (!WIFSTOPPED(status)) GTEST_SKIP() << "no process may be traced here";
  ASSERT_EQ(ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD),
            0);
  int stops = 0;  // one where a call begins, one where it ends
  do {
    ASSERT_EQ(ptrace(PTRACE_SYSCALL, child, nullptr, nullptr), 0);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSTOPPED(status));
    ++stops;
  } while (WSTOPSIG(status) != SIGSTOP);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  RecordProperty("calls", stops / 2);
  EXPECT_GT(stops / 2, 10);
  EXPECT_LE(stops / 2, 45);
}

}  // namespace
}  // namespace roofmark::papi
