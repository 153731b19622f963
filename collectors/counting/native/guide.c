/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the dispatcher asks: where a thread is, and what to do with its system calls. With the lock
 * held, without libc. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* CLONE_THREAD */
#endif
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/files.h"
#include "collectors/counting/native/signals.h"
#include "collectors/counting/native/threads.h"

enum { kRdx = 2, kRsp = 4, kRsi = 6, kRdi = 7, kR8 = 8, kR10 = 10 };
enum { kArchSetGs = 0x1001, kSignalOfIds = 33 };

static unsigned find_code(void* cookie, uint64_t pc) {
  (void)cookie;
  if (roof_native_process.sandboxed) return ROOF_LEAVE_SANDBOX;
  return roof_native_allow_file_at(roof_native_process.native, pc);
}

static int follow_layers(const struct roof_native_area* area, uint32_t owner, uint64_t sp) {
  struct roof_native_thread* thread = area->user;
  struct roof_contexts* contexts = &roof_native_process.contexts;
  struct roof_layers* layers = &contexts->threads[thread->slot].layers;
  if (thread->fresh && owner != ROOF_OWN && owner != ROOF_SERVICE && !area->by_linkage) {
    roof_layers_leave(layers);
    thread->fresh = 0;
  }
  if (owner == ROOF_PROGRAM && !area->by_linkage)
    return roof_layers_call_back(layers, &contexts->memory, sp);
  if (owner == ROOF_RUNTIME) roof_contexts_lead(contexts, thread->slot);
  if (owner != ROOF_SERVICE && owner != ROOF_PROGRAM)
    return roof_layers_reach(layers, &contexts->memory, owner, sp);
  roof_layers_return(layers, sp);
  return 1;
}

/* The team went on, and the thread did not stop in between: what it did since counts to the wrong
 * region. */
static void check_path(const struct roof_native_area* area) {
  const struct roof_native_thread* thread = area->user;
  const struct roof_contexts* contexts = &roof_native_process.contexts;
  const struct roof_context* context = area->context;
  const struct roof_thread* known = &contexts->threads[thread->slot];
  if (area->epoch == roof_native_epoch(area->native) || context->layer != ROOF_LAYER_WORK) return;
  if (thread == roof_native_process.main || known->own_path) return;
  if (roof_native_base_of(context->path) == contexts->team_path &&
      context->extent == roof_contexts_extent(contexts, known))
    return;
  roof_native_note_gap(context->path, ROOF_LEAVE_PATH);
  roof_native_note_gap(contexts->team_path, ROOF_LEAVE_PATH);
}

static struct roof_native_area* arrive(void* cookie, struct roof_native_area* area, uint32_t owner,
                                       uint64_t stack_pointer) {
  struct roof_native_thread* thread = area->user;
  (void)cookie;
  if (area->pc != thread->call_next) check_path(area);
  thread->call_next = 0;
  if (roof_native_process.sandboxed && !roof_native_gs_by_instruction) return NULL;
  if (!follow_layers(area, owner, stack_pointer)) return NULL;
  return roof_native_choose_area(thread);
}

static int full(void* cookie, struct roof_native_area* area) {
  const struct roof_native_thread* thread = area->user;
  (void)cookie;
  return roof_native_burst_is_over(&roof_native_process.bursts, thread->burst);
}

/* Where a jump within its file led: the border that it crossed, if it did. */
static int follow_jump(struct roof_contexts* contexts, uint32_t slot,
                       const struct roof_native_crossing* crossing, uint64_t to, uint64_t sp) {
  const uint32_t entered = roof_native_nest_reached(&contexts->nests, crossing, to);
  return (entered == crossing->from ||
          roof_contexts_cross(contexts, slot, crossing->from, entered, sp)) &&
         roof_contexts_come_back(contexts, slot, 0, sp); /* longjmp, exceptions */
}

static int follow_crossing(const struct roof_native_area* area, uint32_t slot,
                           const struct roof_native_crossing* crossing) {
  struct roof_contexts* contexts = &roof_native_process.contexts;
  const uint64_t sp = area->registers[kRsp];
  switch (crossing->kind) {
    case ROOF_CROSSES_BY_CALL:
      return roof_contexts_call(contexts, slot, crossing->from, crossing->to, crossing->place, sp);
    case ROOF_CROSSES_BY_JUMP:
      return follow_jump(contexts, slot, crossing, area->pc, sp);
    case ROOF_CROSSES_BY_RETURN:
      return roof_contexts_come_back(contexts, slot, area->pc, sp);
    case ROOF_CROSSES_BY_BEGIN:
      return roof_contexts_begin(contexts, slot, crossing->to, sp);
    default:
      return roof_contexts_cross(contexts, slot, crossing->from, crossing->to, sp);
  }
}

/* A handler on a stack of its own is inside whatever it interrupted. */
static int is_elsewhere(const struct roof_native_thread* thread, uint64_t stack_pointer) {
  const struct roof_native_thread* outer = thread->outer;
  return outer && stack_pointer >= outer->other_stack && stack_pointer < outer->other_stack_end;
}

static struct roof_native_area* cross(void* cookie, struct roof_native_area* area,
                                      const struct roof_native_crossing* crossing) {
  struct roof_native_thread* thread = area->user;
  (void)cookie;
  if (roof_native_process.sandboxed && !roof_native_gs_by_instruction) return NULL;
  if (is_elsewhere(thread, area->registers[kRsp])) return roof_native_choose_area(thread);
  const struct roof_nesting* nesting = &roof_native_process.contexts.threads[thread->slot].nesting;
  struct roof_nesting_change change = {
      .context = area->context, .epoch = area->epoch, .depth = nesting->depth};
  if (nesting->depth) change.innermost = nesting->visit[nesting->depth - 1];
  change.ended = nesting->depth && change.innermost.stack_pointer < area->registers[kRsp];
  if (!follow_crossing(area, thread->slot, crossing)) return NULL;
  struct roof_native_area* next = roof_native_choose_area(thread);
  thread->last_way = NULL;
  if (next == area) roof_native_keep_way(area, crossing, &change);
  return next;
}

static void left(void* cookie, struct roof_native_area* area, unsigned reason) {
  struct roof_native_thread* thread = area->user;
  (void)cookie;
  if (roof_native_process.sandboxed &&
      (reason == ROOF_LEAVE_SYSTEM_CALL || reason == ROOF_LEAVE_NO_MEMORY))
    reason = ROOF_LEAVE_SANDBOX;
  roof_native_note_gap(roof_native_path_of(area), reason);
  if (!thread->left && thread->always) ++roof_native_process.lost;
  thread->left = reason + 1;
}

static void forget(uint64_t begin, uint64_t bytes) {
  roof_native_forget(roof_native_process.native, begin, begin + bytes);
}

/* Code that is mapped over, made writable or unmapped is not used any more. */
static void follow_memory(const uint64_t* registers) {
  switch (registers[0]) {
    case SYS_mmap:
      if (registers[kR10] & MAP_FIXED) forget(registers[kRdi], registers[kRsi]);
      break;
    case SYS_mremap:
      forget(registers[kRdi], registers[kRsi]);
      if (registers[kR10] & MREMAP_FIXED) forget(registers[kR8], registers[kRdx]);
      break;
    default: /* mprotect, pkey_mprotect, munmap */
      forget(registers[kRdi], registers[kRsi]);
      break;
  }
}

/* A thread that pthread_create makes begins translated, one that is made in another way does not.
 * Those of roofmark do no work of the program. */
static void follow_clone(const struct roof_native_area* area, uint64_t flags) {
  if (roof_native_is_own(area)) return;
  if (!(flags & CLONE_THREAD) || roof_native_process.asks.threads_on_the_way() > 0) return;
  roof_native_note_gap(roof_native_path_of(area), ROOF_LEAVE_THREAD);
}

/* Handlers that are set without the function sigaction are not followed. That function is
 * roofmark's, which sets handlers that are. */
static void follow_handler(const struct roof_native_area* area) {
  if (roof_native_is_own(area)) return;
  const uint64_t* action = (const uint64_t*)(uintptr_t)area->registers[kRsi];
  if (!action || area->registers[kRdi] == kSignalOfIds) return;
  if (action[0] == (uint64_t)(uintptr_t)SIG_DFL || action[0] == (uint64_t)(uintptr_t)SIG_IGN)
    return;
  if (roof_native_is_handler(action[0])) return;
  roof_native_note_gap(roof_native_path_of(area), ROOF_LEAVE_SIGNAL);
}

/* Who gives no filter asks whether there could be one, and restricts nothing. */
static int sets_sandbox(const uint64_t* registers) {
  const uint32_t first = (uint32_t)registers[kRdi]; /* the kernel looks at no more */
  if (registers[0] == SYS_prctl) {
    if (first != PR_SET_SECCOMP) return 0;
    return registers[kRsi] == SECCOMP_MODE_STRICT ||
           (registers[kRsi] == SECCOMP_MODE_FILTER && registers[kRdx]);
  }
  return first == SECCOMP_SET_MODE_STRICT || (first == SECCOMP_SET_MODE_FILTER && registers[kRdx]);
}

/* What it does not admit may end the process, so that the engine makes no calls from now on. */
static int follow_sandbox(const struct roof_native_area* area) {
  const int sets = sets_sandbox(area->registers);
  if (sets) roof_native_process.sandboxed = 1;
  return !sets;
}

static int system_call(void* cookie, struct roof_native_area* area) {
  struct roof_native_thread* thread = area->user;
  const uint64_t* registers = area->registers;
  (void)cookie;
  check_path(area);
  thread->call_next = area->pc + 2;
  switch (registers[0]) {
    case SYS_rt_sigreturn:
      return 0;
    case SYS_arch_prctl:
      return registers[kRdi] != kArchSetGs;
    case SYS_mmap:
    case SYS_mremap:
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_pkey_mprotect:
      follow_memory(registers);
      return 1;
    case SYS_clone:
      follow_clone(area, registers[kRdi]);
      return 1;
    case SYS_clone3:
      /* The kernel refuses others. */
      if (registers[kRdi] && registers[kRsi] >= sizeof(uint64_t))
        follow_clone(area, *(const uint64_t*)(uintptr_t)registers[kRdi]);
      return 1;
    case SYS_prctl:
    case SYS_seccomp:
      return follow_sandbox(area);
    case SYS_rt_sigaction:
      follow_handler(area);
      return 1;
    default:
      return 1;
  }
}

const struct roof_native_guide kRoofNativeGuide = {
    NULL, find_code,  arrive, full, cross, roof_native_way_led_to, roof_native_cross_again,
    left, system_call};
