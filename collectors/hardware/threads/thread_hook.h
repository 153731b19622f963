// SPDX-License-Identifier: BSD-3-Clause
//
// Threads are noticed where they are created: the library exports pthread_create, which calls the
// next one (libc's, or another tool's) and sees to it that the new thread announces itself before
// its first own instruction and after its last.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_THREAD_HOOK_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_THREAD_HOOK_H_

#include <pthread.h>
#include <sys/types.h>

namespace roofmark::threads {

struct ThreadEvents {
  void (*started)() noexcept;  // on the new thread
  void (*ended)() noexcept;    // on the thread that ends, among its thread-specific destructors
};

// Who is told; each independent of the others.
enum class ThreadListener { kCounters, kSamples, kEngine };
inline constexpr int kThreadListeners = 3;

// Until one is set pthread_create does nothing of its own. `events` must live for ever; nullptr:
// off.
void SetThreadEvents(ThreadListener listener, const ThreadEvents* events) noexcept;

// Threads that were created through the hook and have not announced themselves yet.
int ThreadsOnTheWay() noexcept;

// For threads that were not created through the hook: `ended` will be called for the caller too.
void AnnounceEnd() noexcept;

enum class Stack { kSmall, kOfTheProgram };

// A thread of roofmark: it is not counted, with all signals blocked. False without resources for
// it. At most a few at a time.
bool CreateUncounted(pthread_t* thread, void* (*body)(void*), void* argument,
                     Stack stack = Stack::kSmall) noexcept;
bool IsUncounted(pid_t tid) noexcept;

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_THREAD_HOOK_H_
