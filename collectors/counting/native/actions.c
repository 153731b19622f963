/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sa_restorer */
#endif
#include "collectors/counting/native/actions.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collectors/counting/native/signals.h"

enum { kSignals = 65, kFirstOfLibc = 32, kLastOfLibc = 33 };

static roof_native_sigaction next_sigaction;
static struct sigaction actions[kSignals]; /* as the program set them */
static uint32_t actions_locked;

static void lock_actions(sigset_t* before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, before);
  while (__atomic_exchange_n(&actions_locked, 1, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
}
static void unlock_actions(const sigset_t* before) {
  __atomic_store_n(&actions_locked, 0, __ATOMIC_RELEASE);
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

static int is_function(const struct sigaction* action) {
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/* SA_RESETHAND is not left to the kernel, which would apply it to a signal that has to wait. */
void roof_native_call_handler(int number, siginfo_t* info, void* context) {
  const struct sigaction action = actions[number];
  if (action.sa_flags & (int)SA_RESETHAND) {
    struct sigaction reset = {.sa_handler = SIG_DFL};
    sigemptyset(&reset.sa_mask);
    next_sigaction(number, &reset, NULL);
  }
  if (is_function(&action)) action.sa_sigaction(number, info, context);
}

int roof_native_is_handler(uint64_t address) {
  return address == (uint64_t)(uintptr_t)roof_native_on_signal;
}

/* As the program set it, with what the kernel makes of flags and libc of the restorer. */
static struct sigaction as_set(const struct sigaction* known, const struct sigaction* in_force) {
  const int changed = SA_SIGINFO | (int)SA_RESETHAND;
  if (in_force->sa_sigaction != roof_native_on_signal) return *in_force;
  struct sigaction action = *known;
  action.sa_flags = (in_force->sa_flags & ~changed) | (known->sa_flags & changed);
  action.sa_restorer = in_force->sa_restorer;
  return action;
}

int roof_native_is_child(void) {
  return (uint64_t)getpid() != roof_native_process.main->room->process;
}

static int set_in_child(int number, const struct sigaction* action, struct sigaction* old) {
  struct sigaction before;
  const int error = next_sigaction(number, action, &before);
  if (!error && old) *old = as_set(&actions[number], &before);
  return error;
}

int roof_native_set_handler(int number, const struct sigaction* action, struct sigaction* old) {
  struct sigaction wrapped, before, known;
  sigset_t mask;
  if (number < 1 || number >= kSignals) return next_sigaction(number, action, old);
  if (roof_native_is_child()) return set_in_child(number, action, old);
  lock_actions(&mask);
  known = actions[number];
  if (action) {
    wrapped = actions[number] = *action;
    if (is_function(action)) {
      wrapped.sa_sigaction = roof_native_on_signal;
      wrapped.sa_flags = (action->sa_flags | SA_SIGINFO) & ~(int)SA_RESETHAND;
    }
  }
  const int error = next_sigaction(number, action ? &wrapped : NULL, &before);
  if (error) {
    actions[number] = known;
  } else if (old) {
    *old = as_set(&known, &before);
  }
  unlock_actions(&mask);
  return error;
}

/* As the kernel has it: libc's sigaction hides its own signals. */
struct kernel_action {
  void (*handler)(int, siginfo_t*, void*);
  uint64_t flags;
  void* restorer;
  uint64_t mask;
};

int roof_native_wrap_cancellation(void) {
  struct kernel_action action;
  sigset_t mask;
  int follows = 0;
  lock_actions(&mask);
  if (syscall(SYS_rt_sigaction, kFirstOfLibc, NULL, &action, sizeof action.mask) == 0) {
    follows = action.handler == roof_native_on_signal;
    if (!follows && action.handler) {
      actions[kFirstOfLibc].sa_sigaction = action.handler;
      actions[kFirstOfLibc].sa_flags = SA_SIGINFO;
      action.handler = roof_native_on_signal;
      follows = syscall(SYS_rt_sigaction, kFirstOfLibc, &action, NULL, sizeof action.mask) == 0;
    }
  }
  unlock_actions(&mask);
  return follows;
}

static sigset_t mask_before_fork; /* of the thread that has the lock */
static void before_fork(void) {
  sigset_t mask;
  lock_actions(&mask);
  mask_before_fork = mask;
  roof_native_before_fork();
}
static void let_signals_in(void) {
  const sigset_t mask = mask_before_fork;
  unlock_actions(&mask);
}
static void behind_fork(void) {
  roof_native_behind_fork();
  let_signals_in();
}
static void in_child(void) {
  roof_native_in_child();
  let_signals_in();
}

void roof_native_start_signals(roof_native_sigaction next) {
  struct sigaction action;
  next_sigaction = next;
  pthread_atfork(before_fork, behind_fork, in_child);
  for (int number = 1; number < kSignals; ++number) {
    if (number == kFirstOfLibc || number == kLastOfLibc) continue;
    if (next(number, NULL, &action) == 0 && is_function(&action))
      roof_native_set_handler(number, &action, NULL);
  }
}
