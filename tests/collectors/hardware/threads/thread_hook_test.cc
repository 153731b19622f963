// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/thread_hook.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

#include "collectors/hardware/threads/periodic_thread.h"
#include "tests/support/sanitizers.h"

namespace roofmark::threads {
namespace {

std::atomic<int> g_started{0};

// In a process of its own: a program that took all keys never gets one back.
[[noreturn]] void WithoutKeys() {
  pthread_key_t first;
  if (pthread_key_create(&first, nullptr) != 0) _exit(2);
  for (pthread_key_t key; pthread_key_create(&key, nullptr) == 0;) {
  }
  static const ThreadEvents events{[]() noexcept { ++g_started; }, []() noexcept {}};
  SetThreadEvents(ThreadListener::kCounters, &events);
  const auto body = [](void* given) -> void* {
    const auto key = *static_cast<pthread_key_t*>(given);
    if (pthread_getspecific(key) != nullptr) _exit(3);
    pthread_setspecific(key, given);
    AnnounceEnd();
    if (pthread_getspecific(key) != given) _exit(4);
    return nullptr;
  };
  pthread_t thread;
  if (pthread_create(&thread, nullptr, body, &first) != 0) _exit(5);
  pthread_join(thread, nullptr);
  _exit(g_started == 1 ? 0 : 6);
}

TEST(ThreadHook, LeavesTheKeysOfAProgramAloneThatTookAll) {
#if ROOFMARK_TEST_SANITIZED
  GTEST_SKIP() << "the sanitizer stands in front of pthread_create";
#endif
  EXPECT_EXIT(WithoutKeys(), testing::ExitedWithCode(0), "");
}

// Each listener is told, whether or not there is another one.
TEST(ThreadHook, ListenersAreIndependent) {
#if ROOFMARK_TEST_SANITIZED
  GTEST_SKIP() << "the sanitizer stands in front of pthread_create";
#endif
  static std::atomic<int> counters{0}, samples{0};
  static const ThreadEvents of_counters{[]() noexcept { ++counters; },
                                        []() noexcept { counters += 10; }};
  static const ThreadEvents of_samples{[]() noexcept { ++samples; },
                                       []() noexcept { samples += 10; }};
  const auto run_thread = [] {
    pthread_t thread;
    const auto body = [](void*) -> void* { return nullptr; };
    ASSERT_EQ(pthread_create(&thread, nullptr, body, nullptr), 0);
    pthread_join(thread, nullptr);
  };
  SetThreadEvents(ThreadListener::kSamples, &of_samples);
  run_thread();
  EXPECT_EQ(counters, 0);
  EXPECT_EQ(samples, 11);
  SetThreadEvents(ThreadListener::kCounters, &of_counters);
  run_thread();
  EXPECT_EQ(counters, 11);
  EXPECT_EQ(samples, 22);
  SetThreadEvents(ThreadListener::kSamples, nullptr);
  run_thread();
  EXPECT_EQ(counters, 22);
  EXPECT_EQ(samples, 22);
  SetThreadEvents(ThreadListener::kCounters, nullptr);
}

TEST(PeriodicThread, CallsUntilItIsStopped) {
  std::atomic<int> calls{0};
  PeriodicThread thread;
  ASSERT_TRUE(thread.Start(
      std::chrono::milliseconds(1), [](void* given) { ++*static_cast<std::atomic<int>*>(given); },
      &calls));
  while (calls < 3) sched_yield();
  thread.Stop();
  const int last = calls;
  usleep(20'000);
  EXPECT_EQ(calls, last);
  thread.Stop();
}

}  // namespace
}  // namespace roofmark::threads
