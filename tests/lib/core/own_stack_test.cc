// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/own_stack.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>

#include "tests/support/sanitizers.h"

namespace roofmark {
namespace {

uintptr_t Here() { return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)); }

// In a thread with so much stack.
void InThread(size_t stack, std::function<void()> body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void* given) -> void* {
                  (*static_cast<std::function<void()>*>(given))();
                  return nullptr;
                },
                &body),
            0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// The address sanitizer makes a thread of less stack end before its function is called, and AArch64
// has none with less than 128 KiB.
const size_t kLittle = std::max(static_cast<size_t>(ROOFMARK_TEST_ASAN ? 96 << 10 : 24 << 10),
                                static_cast<size_t>(sysconf(_SC_THREAD_STACK_MIN)));
constexpr size_t kNeeded = 128 << 10, kMuch = 1 << 20;

class OwnStackTest : public testing::Test {
 protected:
#if ROOFMARK_TEST_TSAN
  void SetUp() override { GTEST_SKIP() << "the thread sanitizer follows no change of stacks"; }
#endif
};

TEST_F(OwnStackTest, WithLittleLeftThereIsRoomNevertheless) {
  OwnStack stack(kNeeded);
  ASSERT_TRUE(stack.Exists());
  uintptr_t caller = 0, callee = 0;
  InThread(kLittle, [&] {
    caller = Here();
    stack.Call([&] {
      volatile char room[kNeeded];
      std::memset(const_cast<char*>(room), 1, sizeof room);
      callee = Here();
    });
  });
  EXPECT_GT(caller > callee ? caller - callee : callee - caller, kLittle);
}

TEST_F(OwnStackTest, WithEnoughLeftNothingIsSwitched) {
  OwnStack stack(kNeeded);
  uintptr_t caller = 0, callee = 0;
  InThread(kMuch, [&] {
    caller = Here();
    stack.Call([&] { callee = Here(); });
  });
  EXPECT_LE(callee, caller);
  EXPECT_LT(caller - callee, 4096u);
}

// As in a coroutine, or in a handler on its alternate stack.
TEST_F(OwnStackTest, OnAnotherStackNothingIsTakenForGranted) {
  OwnStack first(kNeeded), second(kNeeded);
  uintptr_t outer = 0, inner = 0;
  InThread(kLittle, [&] {
    first.Call([&] {
      outer = Here();
      second.Call([&] { inner = Here(); });
    });
  });
  EXPECT_GT(outer > inner ? outer - inner : inner - outer, 200u << 10);
}

volatile uintptr_t g_handled_at;

TEST_F(OwnStackTest, HandlersWaitForTheStackOfTheThread) {
  struct sigaction action = {}, before;
  action.sa_handler = [](int) { g_handled_at = Here(); };
  ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
  OwnStack stack(kNeeded);
  uintptr_t caller = 0, while_switched = 1;
  bool blocked_after = true;
  g_handled_at = 0;
  InThread(kLittle, [&] {
    caller = Here();
    stack.Call([&] {
      pthread_kill(pthread_self(), SIGUSR1);
      while_switched = g_handled_at;
    });
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    blocked_after = sigismember(&mask, SIGUSR1) != 0;
  });
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(while_switched, 0u);
  EXPECT_FALSE(blocked_after);
  ASSERT_NE(g_handled_at, 0u);
  EXPECT_LT(caller - g_handled_at, kLittle);
}

}  // namespace
}  // namespace roofmark
