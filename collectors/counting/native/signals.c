/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* names of registers */
#endif
#include "collectors/counting/native/signals.h"

#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "collectors/counting/native/actions.h"
#include "collectors/counting/native/emit.h"
#include "collectors/counting/native/handlers.h"

enum { kInfoBytes = 128, kCancellation = 32 };

/* An instruction raised it: it cannot wait. */
static int is_fault(int number, const siginfo_t* info) {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGTRAP:
    case SIGSYS:
      return info->si_code > 0;
    default:
      return 0;
  }
}

static void let_wait(struct roof_native_room* room, int number, const siginfo_t* info,
                     ucontext_t* context) {
  room->pending = (uint64_t)number;
  memcpy(room->info, info, kInfoBytes);
  memcpy(&room->mask, &context->uc_sigmask, sizeof room->mask);
  sigfillset(&context->uc_sigmask);
}

void roof_native_send_pending(struct roof_native_room* room) {
  const uint64_t number = room->pending;
  room->pending = 0;
  syscall(SYS_rt_tgsigqueueinfo, room->process, room->thread, number, room->info);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &room->mask, NULL, sizeof room->mask);
}

static void take_flags(greg_t* to, uint64_t ax, int with_overflow) {
  enum { kInAh = 0xD5, kOverflow = 0x800 };
  *to = (*to & ~(greg_t)kInAh) | (greg_t)(ax >> 8 & kInAh);
  if (with_overflow) *to = (*to & ~(greg_t)kOverflow) | (ax & 1 ? kOverflow : 0);
}

/* General registers by their encoding. */
static const int kGeneral[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                               REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                               REG_R12, REG_R13, REG_R14, REG_R15};
enum { kChangedByDispatcher = 12 };

/* Translated code was interrupted: `state` says where the registers of the program are. */
static void show_translated(greg_t* registers, uint64_t pc, unsigned state) {
  const struct roof_native_area* area = roof_native_this_area();
  const uint64_t rax = (uint64_t)registers[REG_RAX];
  registers[REG_RIP] = (greg_t)(state & ROOF_MARK_TARGET ? rax : pc);
  if (state & (ROOF_MARK_FLAGS | ROOF_MARK_FLAGS_BUT_OF))
    take_flags(&registers[REG_EFL], rax, (state & ROOF_MARK_FLAGS) != 0);
  if (state & ROOF_MARK_RAX) registers[REG_RAX] = (greg_t)area->spill[0];
  if (state & ROOF_MARK_RCX) registers[REG_RCX] = (greg_t)area->spill[0];
  if (state & ROOF_MARK_RAX_BEHIND) registers[REG_RAX] = (greg_t)area->spill[1];
  if (state & (ROOF_MARK_LOOKUP | ROOF_MARK_STUB)) registers[REG_RAX] = (greg_t)area->registers[0];
  if (state & ROOF_MARK_LOOKUP) {
    registers[REG_RCX] = (greg_t)area->registers[1];
    registers[REG_RDX] = (greg_t)area->registers[2];
  }
  if (!(state & ROOF_MARK_KEPT)) return;
  registers[kGeneral[state >> 16 & 15]] = (greg_t)area->spill[2];
  registers[kGeneral[state >> 20 & 15]] = (greg_t)area->spill[3];
}

/* The dispatcher was interrupted where the area has all that it changes. */
static void show_dispatched(greg_t* registers) {
  const struct roof_native_area* area = roof_native_this_area();
  for (unsigned i = 0; i < kChangedByDispatcher; ++i)
    registers[kGeneral[i]] = (greg_t)area->registers[i];
  registers[REG_EFL] = (greg_t)((const uint64_t*)area->stack)[-1];
  registers[REG_RIP] = (greg_t)area->pc;
}

static void remember_stack(struct roof_native_thread* thread, const ucontext_t* context,
                           uint64_t frame) {
  const uint64_t begin = (uint64_t)(uintptr_t)context->uc_stack.ss_sp;
  const uint64_t end = begin + context->uc_stack.ss_size;
  const int other = frame >= begin && frame < end;
  thread->handler_frame = frame;
  thread->other_stack = other ? begin : 0;
  thread->other_stack_end = other ? end : 0;
}

int roof_native_is_in_handler(struct roof_native_thread* thread, uint64_t stack_pointer) {
  if (!thread->handler_frame) return 0;
  const int there = !thread->other_stack || (stack_pointer >= thread->other_stack &&
                                             stack_pointer < thread->other_stack_end);
  if (there && stack_pointer <= thread->handler_frame) return 1;
  thread->handler_frame = 0;
  return 0;
}

/* Of code that was interrupted in this area, or natively, and goes on natively from here on. */
static void note_native(struct roof_native_thread* thread, const struct roof_native_area* area,
                        unsigned reason) {
  if (!roof_native_hold()) return;
  roof_native_note_gap(area ? roof_native_path_of(area) : roof_native_region_of(thread), reason);
  if (!thread->left && thread->always) ++roof_native_process.lost;
  thread->left = ROOF_LEAVE_CONTEXT + 1;
  roof_native_let_go();
}

/* In a sandbox no call is made. */
static void block_all(void) {
  const uint64_t all = ~UINT64_C(0);
  if (!roof_native_process.sandboxed)
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, sizeof all);
}

/* A handler that switches to another context, of a scheduler in the program, is not back when the
 * thread is translated again, and may come back on another thread: areas have other values then. */
static int has_worked_on(const struct roof_native_thread* thread, uint64_t passes) {
  return thread != roof_native_this_thread || thread->room->passes != passes;
}

/* 0: the thread cannot go on there. Until all signals are blocked one more handler may come, and
 * switch. */
static int end(struct roof_native_thread* thread, struct roof_native_area* area,
               uint64_t was_outside, uint64_t passes) {
  block_all();
  if (roof_native_hold()) {
    roof_native_is_out(thread);
    roof_native_let_go();
  }
  if (has_worked_on(thread, passes)) {
    roof_native_process.switches = 1;
    return 0;
  }
  if (area != roof_native_this_area() && roof_native_set_gs(area) != 0) return 0;
  thread->room->outside = was_outside;
  return 1;
}

/* libc's own one is not translated: it unwinds the stack, through the engine. Nor are those of a
 * program in which one came back as another context: executors would follow contexts. */
static int is_counted(const struct roof_native_thread* thread, int number) {
  return thread->inside && !thread->left && !roof_native_process.switches &&
         number != kCancellation && !roof_native_is_child();
}

/* 0: the thread goes on elsewhere, natively. `area`: in which it was interrupted; NULL: it executed
 * native code. */
static int call(struct roof_native_thread* thread, const struct roof_native_area* area,
                uint64_t passes, int number, siginfo_t* info, ucontext_t* context) {
  const int outermost = thread->handler_frame == 0;
  if (outermost) remember_stack(thread, context, (uint64_t)(uintptr_t)__builtin_frame_address(0));
  const uint64_t sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
  struct roof_native_thread* executor =
      is_counted(thread, number) ? roof_native_begin_handler(thread, sp) : NULL;
  /* It may never return. */
  if (!executor && area) note_native(thread, area, ROOF_LEAVE_SIGNAL);
  roof_native_call_handler(number, info, context);
  /* It may come back translated though it was left natively: as another context's executor. */
  roof_native_leave();
  const int is_back = !executor || roof_native_end_handler(executor, thread);
  if (!is_back || has_worked_on(thread, passes)) {
    roof_native_process.switches = 1;
    if (!area && roof_native_this_thread)
      note_native(roof_native_this_thread, NULL, ROOF_LEAVE_CONTEXT);
    return 0;
  }
  if (outermost) thread->handler_frame = 0;
  return 1;
}

/* Handlers see where the program is. What they leave unchanged goes on translated. */
static void interrupt_translated(struct roof_native_thread* thread, int number, siginfo_t* info,
                                 ucontext_t* context, uint64_t pc, unsigned state) {
  gregset_t real, shown;
  greg_t* registers = context->uc_mcontext.gregs;
  struct roof_native_area* area = roof_native_this_area();
  const uint64_t was_outside = thread->room->outside, passes = thread->room->passes;
  memcpy(real, registers, sizeof real);
  if (pc) {
    show_translated(registers, pc, state);
  } else {
    show_dispatched(registers);
  }
  thread->room->delivering = 0;
  if (is_fault(number, info) && number != SIGSEGV && number != SIGBUS &&
      info->si_addr == (void*)real[REG_RIP])
    info->si_addr = (void*)registers[REG_RIP];
  memcpy(shown, registers, sizeof shown);
  thread->room->outside = 1;
  if (call(thread, area, passes, number, info, context) &&
      memcmp(shown, registers, sizeof shown) == 0) {
    memcpy(registers, real, sizeof real);
    if (end(thread, area, was_outside, passes)) return;
    memcpy(registers, shown, sizeof shown);
  }
  /* From where it was shown to be. */
  if (roof_native_this_thread) note_native(roof_native_this_thread, area, ROOF_LEAVE_CONTEXT);
}

/* A handler that interrupted translated code has just begun, or is about to return there. */
static int is_between(const struct roof_native_room* room, int translated) {
  return !room->outside && !translated && !roof_native_is_child();
}

void roof_native_on_signal(int number, siginfo_t* info, void* given) {
  ucontext_t* context = given;
  struct roof_native_thread* thread = roof_native_this_thread;
  const int given_up =
      roof_native_process.off && roof_native_is_given_up(roof_native_process.native);
  if (!thread || (roof_native_process.off && !given_up)) {
    roof_native_call_handler(number, info, context);
    return;
  }
  struct roof_native_room* room = thread->room;
  const uint64_t at = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
  const uint64_t on_stack = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
  const uint64_t room_at = (uint64_t)(uintptr_t)room;
  const int is_entry = roof_native_is_entry(at);
  const int ready = roof_native_is_restoring(at) || (is_entry && room->delivering);
  const int inside =
      is_entry || (on_stack >= room_at && on_stack < room_at + roof_native_room_bytes());
  unsigned state = 0;
  const uint64_t pc = ready ? 0 : roof_native_locate(roof_native_process.native, at, &state);
  const int waits =
      ((inside && !ready) || roof_native_signals_wait || is_between(room, ready || pc)) &&
      !given_up && !is_fault(number, info);
  if (waits) {
    let_wait(room, number, info, context);
  } else if (ready || pc) {
    interrupt_translated(thread, number, info, context, pc, state);
  } else {
    call(thread, NULL, room->passes, number, info, context);
  }
}
