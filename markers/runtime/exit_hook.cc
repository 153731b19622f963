// SPDX-License-Identifier: BSD-3-Clause
//
// Forked processes mostly end by _exit, which executes no destructor: those of Python's
// multiprocessing do, and all that must not execute what their parent registered with atexit. A
// handler of a signal may call it, too, while the thread that it interrupted has the heap's lock:
// then nothing is written, and what was recorded stays in the spool.
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include "markers/runtime/runtime.h"

#define ROOFMARK_HOOK extern "C" __attribute__((visibility("default"), noreturn))

namespace {

_Unwind_Reason_Code LookForHandler(_Unwind_Context* frame, void* found) {
  int is_interrupted = 0;
  _Unwind_GetIPInfo(frame, &is_interrupted);
  if (is_interrupted == 0) return _URC_NO_REASON;
  *static_cast<bool*>(found) = true;
  return _URC_END_OF_STACK;
}

bool IsInHandler() {
  bool found = false;
  _Unwind_Backtrace(&LookForHandler, &found);
  return found;
}

// The function behind this one. It is looked up when the library is loaded: where a process ends,
// the loader's lock can be that of a thread which was not forked with it.
void (*g_next)(int) = nullptr;

__attribute__((constructor)) void LookUp() {
  g_next = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "_exit"));
}

[[noreturn]] void End(int status) {
  if (roofmark::runtime::IsRecordedFork() && !IsInHandler()) roofmark::runtime::ForkEnds();
  if (g_next != nullptr) g_next(status);
  for (;;) syscall(SYS_exit_group, status);
}

}  // namespace

ROOFMARK_HOOK void _exit(int status) { End(status); }
ROOFMARK_HOOK void _Exit(int status) noexcept { End(status); }
