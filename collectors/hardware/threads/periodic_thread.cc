// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/periodic_thread.h"

#include "collectors/hardware/threads/thread_hook.h"

namespace roofmark::threads {

bool PeriodicThread::Start(std::chrono::milliseconds interval, void (*body)(void*),
                           void* argument) noexcept {
  interval_ = interval;
  body_ = body;
  argument_ = argument;
  stop_ = false;
  running_ = CreateUncounted(&thread_, &Run, this);
  return running_;
}

void* PeriodicThread::Run(void* self) {
  static_cast<PeriodicThread*>(self)->Loop();
  return nullptr;
}

void PeriodicThread::Loop() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, interval_, [this] { return stop_; })) {
    lock.unlock();
    body_(argument_);
    lock.lock();
  }
}

void PeriodicThread::Stop() noexcept {
  if (!running_) return;
  running_ = false;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  pthread_join(thread_, nullptr);
}

}  // namespace roofmark::threads
