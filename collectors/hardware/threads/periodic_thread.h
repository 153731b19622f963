// SPDX-License-Identifier: BSD-3-Clause
//
// A thread of roofmark (thread_hook.h) that does something at intervals.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_PERIODIC_THREAD_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_PERIODIC_THREAD_H_

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace roofmark::threads {

class PeriodicThread {
 public:
  PeriodicThread() = default;
  PeriodicThread(const PeriodicThread&) = delete;
  PeriodicThread& operator=(const PeriodicThread&) = delete;

  // Calls body(argument), which must not throw, after each `interval` until Stop(). False without
  // resources for a thread.
  bool Start(std::chrono::milliseconds interval, void (*body)(void*), void* argument) noexcept;
  // Waits for a call that is under way.
  void Stop() noexcept;

 private:
  static void* Run(void* self);
  void Loop();

  std::chrono::milliseconds interval_{0};
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  pthread_t thread_{};
  bool running_ = false;
  bool stop_ = false;  // guarded by mutex_
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_PERIODIC_THREAD_H_
