// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/own_stack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <new>

#include "lib/core/stack_bounds.h"

namespace roofmark {
namespace {

size_t PageSize() noexcept { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

// A context takes a kilobyte: both lie above the stack, not on that of the caller.
struct Contexts {
  void (*body)(void*);
  void* argument;
  ucontext_t caller, callee;
};

// makecontext() passes numbers of type int.
void Enter(unsigned high, unsigned low) {
  const auto* call = reinterpret_cast<const Contexts*>(uintptr_t{high} << 32 | low);
  call->body(call->argument);
}

void BlockAllThatCanWait(sigset_t& before) noexcept {
  constexpr int kRaised[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
  sigset_t signals;
  sigfillset(&signals);
  for (const int raised : kRaised) sigdelset(&signals, raised);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
}

}  // namespace

// Elsewhere it is unknown what is left: handlers and coroutines have stacks of their own.
bool OwnStack::ThreadHas(size_t needed) noexcept {
  const StackBounds& bounds = StackBoundsOfThisThread();
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return bounds.Has(here) && here - bounds.low >= needed;
}

bool OwnStack::ThreadMayUseIt() noexcept {
  if (syscall(SYS_gettid) != getpid()) return true;
  const StackBounds& bounds = StackBoundsOfThisThread();
  rlimit stack, addresses;
  return getrlimit(RLIMIT_STACK, &stack) == 0 && bounds.high - bounds.low <= stack.rlim_cur &&
         getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur == RLIM_INFINITY;
}

OwnStack::OwnStack(size_t needed, Signals signals) noexcept : needed_(needed), signals_(signals) {
  const size_t page = PageSize();
  size_ = page + 2 * needed_ + (sizeof(Contexts) + page - 1) / page * page;
  void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  if (mprotect(memory, page, PROT_NONE) != 0) {
    munmap(memory, size_);
    return;
  }
  memory_ = static_cast<char*>(memory);
}

OwnStack::~OwnStack() {
  if (memory_ != nullptr) munmap(memory_, size_);
}

// swapcontext() would let the waiting signals in before it is back on the stack of the caller.
void OwnStack::Switch(void (*body)(void*), void* argument) noexcept {
  char* stack = memory_ + PageSize();
  const size_t size = 2 * needed_;
  auto& contexts = *new (stack + size) Contexts{body, argument, {}, {}};
  sigset_t before;
  if (signals_ == Signals::kWait) BlockAllThatCanWait(before);
  getcontext(&contexts.callee);
  contexts.callee.uc_stack.ss_sp = stack;
  contexts.callee.uc_stack.ss_size = size;
  contexts.callee.uc_link = &contexts.caller;
  const auto address = reinterpret_cast<uintptr_t>(&contexts);
  makecontext(&contexts.callee, reinterpret_cast<void (*)()>(&Enter), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
  swapcontext(&contexts.caller, &contexts.callee);
  if (signals_ == Signals::kWait) pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace roofmark
