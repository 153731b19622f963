/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Valgrind blocks all signals for a fork and, where the kernel refuses it (a limit on processes),
 * leaves them blocked: the program gets none any more, and the first fault by which its stack would
 * grow ends it. The mask is restored here. */
#include "collectors/counting/valgrind/tool/failed_fork.h"

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

/* Valgrind's core has it; its headers for tools do not. */
extern Int VG_(sigprocmask)(Int how, const vki_sigset_t* set, vki_sigset_t* old);

/* One thread at a time runs, and a fork lets no other one in. */
static vki_sigset_t mask;

static Bool may_fork(UInt number) {
  return number == __NR_fork || number == __NR_vfork || number == __NR_clone;
}

static void before(ThreadId tid, UInt number, UWord* args, UInt count) {
  (void)tid, (void)args, (void)count;
  if (may_fork(number)) VG_(sigprocmask)(VKI_SIG_SETMASK, NULL, &mask);
}

static void after(ThreadId tid, UInt number, UWord* args, UInt count, SysRes result) {
  (void)tid, (void)args, (void)count;
  if (may_fork(number) && sr_isError(result)) VG_(sigprocmask)(VKI_SIG_SETMASK, &mask, NULL);
}

void failed_fork_watch(void) { VG_(needs_syscall_wrapper)(before, after); }
