// SPDX-License-Identifier: BSD-3-Clause
//
// All functions of libc that set a signal handler, as hooks.h says. What each of them does is that
// of glibc (manual, "Signal Handling"; sysv_signal(3), sigset(3), siginterrupt(3)), by the function
// sigaction, which the engine follows. Which name a program's `signal` is depends on the standard
// that it was compiled for: -std=c99 with X/Open's definitions makes it __sysv_signal.
#include <signal.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include "collectors/counting/native/hooks.h"
#include "collectors/counting/native/next_of.h"

namespace roofmark::counting {
namespace {

using SetsHandler = sighandler_t (*)(int, sighandler_t);

// Calls that these signals interrupt do not go on: siginterrupt.
std::atomic<uint64_t> g_interrupting{0};

bool IsSignal(int number) noexcept { return number >= 1 && number < NSIG; }
uint64_t BitOf(int number) noexcept { return uint64_t{1} << (number - 1); }

struct sigaction HandledBy(sighandler_t handler, int flags) noexcept {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  return action;
}

// `next`: for what the engine need not know, and for errors.
bool IsForNext(int number, sighandler_t handler) noexcept {
  return ToldEngine() == nullptr || handler == SIG_ERR || !IsSignal(number);
}

sighandler_t Set(int number, const struct sigaction& action) noexcept {
  struct sigaction old = {};
  return ::sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

sighandler_t CallNext(SetsHandler next, int number, sighandler_t handler) noexcept {
  if (next != nullptr) return next(number, handler);
  errno = ENOSYS;
  return SIG_ERR;
}

// A handler stays, and calls that it interrupts go on.
sighandler_t SetAsBsd(int number, sighandler_t handler) noexcept {
  static std::atomic<SetsHandler> known{nullptr};
  if (IsForNext(number, handler)) return CallNext(NextOf("signal", known), number, handler);
  const bool interrupts = (g_interrupting.load(std::memory_order_relaxed) & BitOf(number)) != 0;
  struct sigaction action = HandledBy(handler, interrupts ? 0 : SA_RESTART);
  sigaddset(&action.sa_mask, number);
  return Set(number, action);
}

// A handler is there for one signal.
sighandler_t SetAsSystemV(int number, sighandler_t handler) noexcept {
  static std::atomic<SetsHandler> known{nullptr};
  if (IsForNext(number, handler)) return CallNext(NextOf("__sysv_signal", known), number, handler);
  return Set(number,
             HandledBy(handler, static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_INTERRUPT)));
}

// The signal is blocked (SIG_HOLD), or let in with this handler. Returned: SIG_HOLD where it was
// blocked.
sighandler_t SetAndLetIn(int number, sighandler_t handler) noexcept {
  static std::atomic<SetsHandler> known{nullptr};
  if (IsForNext(number, handler)) return CallNext(NextOf("sigset", known), number, handler);
  const bool holds = handler == SIG_HOLD;
  struct sigaction old = {};
  sigset_t one, before;
  sigemptyset(&one);
  sigaddset(&one, number);
  const struct sigaction action = HandledBy(handler, 0);
  if (::sigaction(number, holds ? nullptr : &action, &old) != 0 ||
      sigprocmask(holds ? SIG_BLOCK : SIG_UNBLOCK, &one, &before) != 0) {
    return SIG_ERR;
  }
  return sigismember(&before, number) == 1 ? SIG_HOLD : old.sa_handler;
}

int LetInterrupt(int number, int interrupts) noexcept {
  static std::atomic<int (*)(int, int)> known{nullptr};
  const auto next = NextOf("siginterrupt", known);
  if (next == nullptr) {
    errno = ENOSYS;
    return -1;
  }
  const int result = next(number, interrupts);
  if (result != 0) return result;
  if (interrupts != 0) {
    g_interrupting.fetch_or(BitOf(number), std::memory_order_relaxed);
  } else {
    g_interrupting.fetch_and(~BitOf(number), std::memory_order_relaxed);
  }
  if (ToldEngine() == nullptr) return 0;
  struct sigaction action = {};
  if (::sigaction(number, nullptr, &action) != 0) return -1;
  action.sa_flags = interrupts != 0 ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return ::sigaction(number, &action, nullptr);
}

}  // namespace

int NextSigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  static std::atomic<roof_native_sigaction> known{nullptr};
  const auto next = NextOf("sigaction", known);
  if (next != nullptr) return next(number, action, old);
  errno = ENOSYS;
  return -1;
}

}  // namespace roofmark::counting

extern "C" {

#define ROOF_HOOK __attribute__((visibility("default")))

ROOF_HOOK int sigaction(int number, const struct sigaction* action,
                        struct sigaction* old) noexcept {
  const roof_native_calls* calls = roofmark::counting::ToldEngine();
  return calls != nullptr ? calls->sigaction(number, action, old)
                          : roofmark::counting::NextSigaction(number, action, old);
}
ROOF_HOOK sighandler_t signal(int number, sighandler_t handler) noexcept {
  return roofmark::counting::SetAsBsd(number, handler);
}
ROOF_HOOK sighandler_t bsd_signal(int number, sighandler_t handler) noexcept {
  return roofmark::counting::SetAsBsd(number, handler);
}
ROOF_HOOK sighandler_t ssignal(int number, sighandler_t handler) noexcept {
  return roofmark::counting::SetAsBsd(number, handler);
}
ROOF_HOOK sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  return roofmark::counting::SetAsSystemV(number, handler);
}
// The name is glibc's. NOLINTNEXTLINE(bugprone-reserved-identifier)
ROOF_HOOK sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  return roofmark::counting::SetAsSystemV(number, handler);
}
ROOF_HOOK sighandler_t sigset(int number, sighandler_t handler) noexcept {
  return roofmark::counting::SetAndLetIn(number, handler);
}
ROOF_HOOK int siginterrupt(int number, int interrupts) noexcept {
  return roofmark::counting::LetInterrupt(number, interrupts);
}

}  // extern "C"
