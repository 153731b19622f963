// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/thread_hook.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>

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

}  // namespace
}  // namespace roofmark::threads
