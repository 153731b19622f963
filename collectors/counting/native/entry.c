/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The way from translated code to the dispatcher and back. Every register comes back as it was, so
 * the two languages meet in assembly. The program's stack is left alone: that of the area is used
 * in between. */
#include "collectors/counting/native/translator.h"

#define ROOF_SAME_PLACE(member, at) \
  _Static_assert(offsetof(struct roof_native_area, member) == (at), #member)
ROOF_SAME_PLACE(self, ROOF_AT_SELF);
ROOF_SAME_PLACE(stack, ROOF_AT_STACK);
ROOF_SAME_PLACE(table, ROOF_AT_TABLE);
ROOF_SAME_PLACE(miss, ROOF_AT_MISS);
ROOF_SAME_PLACE(link, ROOF_AT_LINK);
ROOF_SAME_PLACE(linked, ROOF_AT_LINKED);
ROOF_SAME_PLACE(pc, ROOF_AT_PC);
ROOF_SAME_PLACE(jump, ROOF_AT_JUMP);
ROOF_SAME_PLACE(xsave, ROOF_AT_XSAVE);
ROOF_SAME_PLACE(registers, ROOF_AT_REGISTERS);
ROOF_SAME_PLACE(spill, ROOF_AT_SPILL);
ROOF_SAME_PLACE(left_at, ROOF_AT_LEFT);
ROOF_SAME_PLACE(exits, ROOF_AT_EXITS);
ROOF_SAME_PLACE(system, ROOF_AT_SYSTEM);
ROOF_SAME_PLACE(call, ROOF_AT_CALL);
ROOF_SAME_PLACE(room, ROOF_AT_ROOM);
ROOF_SAME_PLACE(linkage, ROOF_AT_LINKAGE);
ROOF_SAME_PLACE(by_linkage, ROOF_AT_BY_LINKAGE);
ROOF_SAME_PLACE(position, ROOF_AT_POSITION);
ROOF_SAME_PLACE(full_entry, ROOF_AT_FULL_ENTRY);
ROOF_SAME_PLACE(full, ROOF_AT_FULL);
ROOF_SAME_PLACE(jumped, ROOF_AT_JUMPED);
ROOF_SAME_PLACE(cross, ROOF_AT_CROSS);
ROOF_SAME_PLACE(crossed, ROOF_AT_CROSSED);
ROOF_SAME_PLACE(frame_ends, ROOF_AT_FRAME_ENDS);
ROOF_SAME_PLACE(rounds, ROOF_AT_ROUNDS);
#define ROOF_SAME_IN_ROOM(member, at) \
  _Static_assert(offsetof(struct roof_native_room, member) == (at), #member)
ROOF_SAME_IN_ROOM(pending, ROOF_ROOM_PENDING);
ROOF_SAME_IN_ROOM(delivering, ROOF_ROOM_DELIVERING);
ROOF_SAME_IN_ROOM(process, ROOF_ROOM_PROCESS);
ROOF_SAME_IN_ROOM(thread, ROOF_ROOM_THREAD);
ROOF_SAME_IN_ROOM(mask, ROOF_ROOM_MASK);
ROOF_SAME_IN_ROOM(info, ROOF_ROOM_INFO);
ROOF_SAME_IN_ROOM(outside, ROOF_ROOM_OUTSIDE);
ROOF_SAME_IN_ROOM(passes, ROOF_ROOM_PASSES);
_Static_assert(sizeof(struct roof_native_area) <= ROOF_AT_COUNTS, "the counters begin behind it");

#define ROOF_TEXT_OF(x) #x
#define ROOF_TEXT(x) ROOF_TEXT_OF(x)
#define GS(at) "%gs:" ROOF_TEXT(at)
#define REGISTER(n) "%gs:" ROOF_TEXT(ROOF_AT_REGISTERS) "+8*" #n
#define ROOM(at) ROOF_TEXT(at) "(%rbx)"
#define HIDDEN(name) ".globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name ":\n"

__thread uint32_t roof_native_signals_wait __attribute__((tls_model("initial-exec")));

/* The header of no code is that of no address: -1 is no place in canonical memory. */
__asm__(
    ".pushsection .text\n.p2align 4\n"
    ".quad 0, 1\n"
    ".globl kRoofNativeNoCode\n.hidden kRoofNativeNoCode\nkRoofNativeNoCode:\n"
    "  ud2\n"

    ".p2align 4\n" HIDDEN(roof_native_leave)
    "  ret\n"
    ".popsection\n");

__asm__(
    ".pushsection .text\n"
    /* By an instruction, or by arch_prctl(ARCH_SET_GS, rdi). */
    ".p2align 4\n" HIDDEN(roof_native_set_gs)
    "  cmpl $0, roof_native_gs_by_instruction(%rip)\n"
    "  je 1f\n"
    "  wrgsbase %rdi\n"
    "  xor %eax, %eax\n"
    "  ret\n"
    "1:\n"
    "  mov %rdi, %rsi\n"
    "  mov $0x1001, %edi\n"
    "  mov $158, %eax\n"
    "  syscall\n"
    "  ret\n"

    ".p2align 4\n" HIDDEN(roof_native_enter)
    "  call roof_native_set_gs\n"
    "  test %eax, %eax\n"
    "  jz 1f\n"
    "  ret\n"
    "1:\n"
    "  mov roof_native_signals_wait@gottpoff(%rip), %rcx\n"
    "  movl $0, %fs:(%rcx)\n"
    "kRoofNativeEntry:\n" HIDDEN(roof_native_resume)
    "  mov %rax, " REGISTER(0) "\n"
    "  mov %rcx, " REGISTER(1) "\n"
    "  mov %rdx, " REGISTER(2) "\n"
    "  pop %rax\n"
    /* An indirect jump: rax has its target; rax, rcx and rdx are saved. */
    HIDDEN(roof_native_miss)
    "  movq $0, " GS(ROOF_AT_LINKED) "\n"
    "  movq $0, " GS(ROOF_AT_CALL) "\n"
    "  jmp roof_native_dispatch\n"

    ".p2align 4\n" HIDDEN(roof_native_linkage)
    "  movq $0, " GS(ROOF_AT_LINKED) "\n"
    "  movq $0, " GS(ROOF_AT_CALL) "\n"
    "  movq $1, " GS(ROOF_AT_BY_LINKAGE) "\n"
    "  jmp roof_native_go\n"

    /* A system call: rax has its record and is saved. */
    ".p2align 4\n" HIDDEN(roof_native_system)
    "  mov %rcx, " REGISTER(1) "\n"
    "  mov %rdx, " REGISTER(2) "\n"
    "  movq $0, " GS(ROOF_AT_LINKED) "\n"
    "  mov %rax, " GS(ROOF_AT_CALL) "\n"
    "  mov (%rax), %rax\n"
    "  jmp roof_native_dispatch\n"

    /* A full trail, or many rounds without one: the same. */
    ".p2align 4\n" HIDDEN(roof_native_full)
    "  mov %rcx, " REGISTER(1) "\n"
    "  mov %rdx, " REGISTER(2) "\n"
    "  movq $0, " GS(ROOF_AT_LINKED) "\n"
    "  movq $0, " GS(ROOF_AT_CALL) "\n"
    "  mov %rax, " GS(ROOF_AT_FULL) "\n"
    "  mov (%rax), %rax\n"
    "  jmp roof_native_dispatch\n"

    /* A border of nests: the same. */
    ".p2align 4\n" HIDDEN(roof_native_cross)
    "  mov %rcx, " REGISTER(1) "\n"
    "  mov %rdx, " REGISTER(2) "\n"
    "  movq $0, " GS(ROOF_AT_LINKED) "\n"
    "  movq $0, " GS(ROOF_AT_CALL) "\n"
    "  mov %rax, " GS(ROOF_AT_CROSSED) "\n"
    "  mov (%rax), %rax\n"
    "  jmp roof_native_dispatch\n"

    /* A direct jump: rax has its link and is saved. */
    ".p2align 4\n" HIDDEN(roof_native_link_miss)
    "  mov %rcx, " REGISTER(1) "\n"
    "  mov %rdx, " REGISTER(2) "\n"
    "  mov %rax, " GS(ROOF_AT_LINKED) "\n"
    "  movq $0, " GS(ROOF_AT_CALL) "\n"
    "  mov (%rax), %rax\n" HIDDEN(roof_native_dispatch)
    "  movq $0, " GS(ROOF_AT_BY_LINKAGE) "\n"
    "roof_native_go:\n"
    "  mov %rax, " GS(ROOF_AT_PC) "\n"
    "  mov %rbx, " REGISTER(3) "\n"
    "  mov %rsp, " REGISTER(4) "\n"
    "  mov %rbp, " REGISTER(5) "\n"
    "  mov %rsi, " REGISTER(6) "\n"
    "  mov %rdi, " REGISTER(7) "\n"
    "  mov %r8, " REGISTER(8) "\n"
    "  mov %r9, " REGISTER(9) "\n"
    "  mov %r10, " REGISTER(10) "\n"
    "  mov %r11, " REGISTER(11) "\n"
    "  mov " GS(ROOF_AT_STACK) ", %rsp\n"
    "  pushfq\n"
    "  sub $8, %rsp\n"
    "  cld\n"
    "  mov " GS(ROOF_AT_ROOM) ", %rbx\n"
    "  movq $0, " ROOM(ROOF_ROOM_OUTSIDE) "\n"
    "  incq " ROOM(ROOF_ROOM_PASSES) "\n"
    "  mov " GS(ROOF_AT_SELF) ", %rdi\n"
    "  call roof_native_find\n"
    "  test %rax, %rax\n"
    "  jnz 1f\n"
    "  mov " GS(ROOF_AT_XSAVE) ", %rbx\n"
    "  mov $-1, %eax\n"
    "  mov %eax, %edx\n"
    "  xsave64 (%rbx)\n"
    "  mov " GS(ROOF_AT_SELF) ", %rdi\n"
    "  call roof_native_translate\n"
    "  mov %rax, " GS(ROOF_AT_JUMP) "\n"
    "  mov $-1, %eax\n"
    "  mov %eax, %edx\n"
    "  xrstor64 (%rbx)\n"
    "  mov " GS(ROOF_AT_JUMP) ", %rax\n"
    "1:\n"
    "  mov %rax, " GS(ROOF_AT_JUMP) "\n"
    "2:\n"
    "  mov " GS(ROOF_AT_ROOM) ", %rbx\n"
    "  cmpq $0, " ROOM(ROOF_ROOM_PENDING) "\n"
    "kRoofNativeRestore:\n"
    "  jne 3f\n"
    "  add $8, %rsp\n"
    "  popfq\n"
    "  mov " REGISTER(4) ", %rsp\n"
    "  mov " REGISTER(0) ", %rax\n"
    "  mov " REGISTER(1) ", %rcx\n"
    "  mov " REGISTER(2) ", %rdx\n"
    "  mov " REGISTER(3) ", %rbx\n"
    "  mov " REGISTER(5) ", %rbp\n"
    "  mov " REGISTER(6) ", %rsi\n"
    "  mov " REGISTER(7) ", %rdi\n"
    "  mov " REGISTER(8) ", %r8\n"
    "  mov " REGISTER(9) ", %r9\n"
    "  mov " REGISTER(10) ", %r10\n"
    "  mov " REGISTER(11) ", %r11\n"
    "  jmp *" GS(ROOF_AT_JUMP) "\n"
    "kRoofNativeRestoreEnd:\n"

    /* Sends the signal again (rt_tgsigqueueinfo), and lets it in (rt_sigprocmask) where the stack is
     * that of the program. */
    "3:\n"
    "  movq $1, " ROOM(ROOF_ROOM_DELIVERING) "\n"
    "  mov " ROOM(ROOF_ROOM_PROCESS) ", %rdi\n"
    "  mov " ROOM(ROOF_ROOM_THREAD) ", %rsi\n"
    "  mov " ROOM(ROOF_ROOM_PENDING) ", %rdx\n"
    "  lea " ROOM(ROOF_ROOM_INFO) ", %r10\n"
    "  movq $0, " ROOM(ROOF_ROOM_PENDING) "\n"
    "  mov $297, %eax\n"
    "  syscall\n"
    "  mov " REGISTER(4) ", %rsp\n"
    "  mov $2, %edi\n"
    "  lea " ROOM(ROOF_ROOM_MASK) ", %rsi\n"
    "  xor %edx, %edx\n"
    "  mov $8, %r10d\n"
    "  mov $14, %eax\n"
    "  syscall\n"
    "  mov " GS(ROOF_AT_STACK) ", %rsp\n"
    "  sub $16, %rsp\n"
    "  movq $0, " ROOM(ROOF_ROOM_DELIVERING) "\n"
    "  jmp 2b\n"
    "kRoofNativeEntryEnd:\n"
    ".popsection\n");

extern const uint8_t kRoofNativeEntryEnd[] __attribute__((visibility("hidden")));

extern const uint8_t kRoofNativeRestore[] __attribute__((visibility("hidden")));
extern const uint8_t kRoofNativeRestoreEnd[] __attribute__((visibility("hidden")));

int roof_native_is_restoring(uint64_t at) {
  return at >= (uint64_t)(uintptr_t)kRoofNativeRestore &&
         at < (uint64_t)(uintptr_t)kRoofNativeRestoreEnd;
}

/* With the way in, on which gs is set: it is not to be changed there. */
int roof_native_is_entry(uint64_t at) {
  return at >= (uint64_t)(uintptr_t)&roof_native_set_gs &&
         at < (uint64_t)(uintptr_t)kRoofNativeEntryEnd;
}
