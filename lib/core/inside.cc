// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/inside.h"

#include <pthread.h>

#include <cerrno>

namespace roofmark {
namespace {

std::atomic<uint64_t> g_declined{0};

}  // namespace

__thread uint8_t t_inside = 0;

Inside::Inside() noexcept {
  if (!mark_) {
    g_declined.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  errno_ = errno;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state_);
  std::fegetenv(&environment_);
  std::fesetenv(FE_DFL_ENV);
}

Inside::~Inside() {
  if (!mark_) return;
  std::fesetenv(&environment_);
  errno = errno_;
  pthread_setcancelstate(cancel_state_, nullptr);
}

uint64_t Inside::Declined() noexcept { return g_declined.load(std::memory_order_relaxed); }

}  // namespace roofmark
