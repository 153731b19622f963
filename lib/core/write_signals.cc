// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/write_signals.h"

#include <time.h>

#include <cerrno>

namespace roofmark {
namespace {

// Sent to the thread that writes. (A blocked SIGTTOU is not sent at all: the write is done.)
constexpr int kSent[] = {SIGPIPE, SIGXFSZ};

void Consume(int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  const timespec now{0, 0};
  while (sigtimedwait(&one, nullptr, &now) < 0 && errno == EINTR) {
  }
}

}  // namespace

WriteSignalsOff::WriteSignalsOff() noexcept {
  const int saved = errno;
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTTOU);
  for (const int signal : kSent) sigaddset(&blocked, signal);
  pthread_sigmask(SIG_BLOCK, &blocked, &mask_);
  sigpending(&pending_);
  errno = saved;
}

WriteSignalsOff::~WriteSignalsOff() {
  const int saved = errno;
  sigset_t raised;
  sigpending(&raised);
  for (const int signal : kSent) {
    if (sigismember(&raised, signal) == 1 && sigismember(&pending_, signal) == 0) Consume(signal);
  }
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  errno = saved;
}

}  // namespace roofmark
