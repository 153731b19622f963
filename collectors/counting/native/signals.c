/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* names of registers */
#endif
#include "collectors/counting/native/signals.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "collectors/counting/native/emit.h"

enum { kSignals = 65, kInfoBytes = 128, kFirstOfLibc = 32, kLastOfLibc = 33 };

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
static void call_handler(int number, siginfo_t* info, void* context) {
  const struct sigaction action = actions[number];
  if (action.sa_flags & (int)SA_RESETHAND) {
    struct sigaction reset = {.sa_handler = SIG_DFL};
    sigemptyset(&reset.sa_mask);
    next_sigaction(number, &reset, NULL);
  }
  if (is_function(&action)) action.sa_sigaction(number, info, context);
}

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

/* While the handler runs the thread is taken as one that goes on natively: it may never return. */
static void begin(struct roof_native_thread* thread, const struct roof_native_area* area) {
  roof_native_hold();
  roof_native_note_gap(roof_native_path_of(area), ROOF_LEAVE_SIGNAL);
  if (!thread->left && thread->always) ++roof_native_process.lost;
  thread->left = ROOF_LEAVE_CONTEXT + 1;
  roof_native_let_go();
}

static void end(struct roof_native_thread* thread) {
  roof_native_hold();
  if (thread->left && thread->always) --roof_native_process.lost;
  thread->left = 0;
  roof_native_let_go();
}

/* Handlers see where the program is. What they leave unchanged goes on translated. */
static void interrupt_translated(struct roof_native_thread* thread, int number, siginfo_t* info,
                                 ucontext_t* context, uint64_t pc, unsigned state) {
  gregset_t real, shown;
  greg_t* registers = context->uc_mcontext.gregs;
  const struct roof_native_area* area = roof_native_this_area();
  const int outermost = thread->handler_frame == 0;
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
  if (outermost) remember_stack(thread, context, (uint64_t)(uintptr_t)__builtin_frame_address(0));
  begin(thread, area);
  call_handler(number, info, context);
  if (outermost) thread->handler_frame = 0;
  if (memcmp(shown, registers, sizeof shown) != 0) return; /* goes on natively */
  memcpy(registers, real, sizeof real);
  end(thread);
}

static void on_signal(int number, siginfo_t* info, void* given) {
  ucontext_t* context = given;
  struct roof_native_thread* thread = roof_native_this_thread;
  if (!thread || roof_native_process.off) {
    call_handler(number, info, context);
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
  const int waits = ((inside && !ready) || room->locked) && !is_fault(number, info);
  unsigned state = 0;
  const uint64_t pc =
      ready || waits ? 0 : roof_native_locate(roof_native_process.native, at, &state);
  if (waits) {
    let_wait(room, number, info, context);
  } else if (ready || pc) {
    interrupt_translated(thread, number, info, context, pc, state);
  } else {
    call_handler(number, info, context);
  }
}

int roof_native_is_handler(uint64_t address) { return address == (uint64_t)(uintptr_t)on_signal; }

/* A child of vfork shares this memory, and sets handlers for itself alone. */
static int is_child(void) { return (uint64_t)getpid() != roof_native_process.main->room->process; }

static int set_in_child(int number, const struct sigaction* action, struct sigaction* old) {
  struct sigaction before;
  const int error = next_sigaction(number, action, &before);
  if (!error && old) *old = before.sa_sigaction == on_signal ? actions[number] : before;
  return error;
}

int roof_native_set_handler(int number, const struct sigaction* action, struct sigaction* old) {
  struct sigaction wrapped, before, known;
  sigset_t mask;
  if (number < 1 || number >= kSignals) return next_sigaction(number, action, old);
  if (is_child()) return set_in_child(number, action, old);
  lock_actions(&mask);
  known = actions[number];
  if (action) {
    wrapped = actions[number] = *action;
    if (is_function(action)) {
      wrapped.sa_sigaction = on_signal;
      wrapped.sa_flags = (action->sa_flags | SA_SIGINFO) & ~(int)SA_RESETHAND;
    }
  }
  const int error = next_sigaction(number, action ? &wrapped : NULL, &before);
  if (error) {
    actions[number] = known;
  } else if (old) {
    *old = before.sa_sigaction == on_signal ? known : before;
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
    follows = action.handler == on_signal;
    if (!follows && action.handler) {
      actions[kFirstOfLibc].sa_sigaction = action.handler;
      actions[kFirstOfLibc].sa_flags = SA_SIGINFO;
      action.handler = on_signal;
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
}
static void behind_fork(void) {
  const sigset_t mask = mask_before_fork;
  unlock_actions(&mask);
}
/* A child is not recorded, and goes on natively. */
static void in_child(void) {
  roof_native_process.off = 1;
  behind_fork();
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
