/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nest_walk SEED: sixteen functions, written out between labels, with loops in loops. By numbers
 * that follow from the seed they go round, call each other through pointers, call themselves, leave
 * a loop through a table, end by jumping to another function, or give up by longjmp. On two
 * threads. */
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWalks = 16, kNumbers = 2000, kDeepest = 6 };

uint64_t walk_state;
int64_t walk_left;
int32_t walk_depth;
static jmp_buf away;

void give_up(void) { longjmp(away, 1); }

__asm__(
    ".macro ONE\n\taddsd %xmm1, %xmm1\n.endm\n"
    /* The next number below a power of two, to eax; 0 when all have been taken. */
    ".macro NEXT mask\n\tcall walk_next\n\tand $\\mask, %eax\n.endm\n"
    /* ecx: how often the loop goes round that some functions begin with. */
    ".macro TO_ANY how\n\tNEXT 3\n\tlea 1(%rax), %ecx\n\tNEXT 15\n\tlea walks(%rip), %rdx\n"
    "\t\\how *(%rdx, %rax, 8)\n.endm\n"
    ".macro GLOBAL name\n.globl \\name\n\\name:\n.endm\n"
    ".macro WALK k\n"
    "GLOBAL walk_\\k\n"
    ".if \\k % 3 == 0\n\tONE\n\tdec %ecx\n\tjnz walk_\\k\n.endif\n"
    "GLOBAL walk_head_end_\\k\n"
    "\tpush %rbx\n\tpush %r12\n\tsub $8, %rsp\n\tONE\n"
    "\tdecl walk_depth(%rip)\n\tjle walk_out_\\k\n"
    "\tNEXT 3\n\tlea 1(%rax), %ebx\n"
    "GLOBAL walk_loop_\\k\n"
    "\tONE\n\tNEXT 3\n\tmov %eax, %r12d\n\ttest %eax, %eax\n\tjz 2f\n"
    "GLOBAL walk_inner_\\k\n"
    "\tONE\n\tNEXT 3\n\tcmp $2, %eax\n\tjne 1f\n\tTO_ANY call\n1:\tdec %r12d\n\tjnz "
    "walk_inner_\\k\n"
    "GLOBAL walk_inner_end_\\k\n"
    "2:\tNEXT 15\n\tcmp $9, %eax\n\tjne 3f\n\tlea walk_out_\\k(%rip), %rax\n\tjmp *%rax\n"
    "3:\tNEXT 7\n\tcmp $3, %eax\n\tjne 4f\n\tTO_ANY call\n4:\tdec %ebx\n\tjnz walk_loop_\\k\n"
    "GLOBAL walk_loop_end_\\k\n"
    "walk_out_\\k:\n\tincl walk_depth(%rip)\n"
    "\tNEXT 127\n\tcmp $77, %eax\n\tjne 5f\n\tand $-16, %rsp\n\tcall give_up\n"
    "5:\tONE\n\tadd $8, %rsp\n\tpop %r12\n\tpop %rbx\n"
    ".if \\k % 2\n\tNEXT 15\n\tcmp $7, %eax\n\tjne 6f\n\tTO_ANY jmp\n6:\n.endif\n"
    "\tret\n"
    "GLOBAL walk_end_\\k\n"
    ".endm\n"
    ".text\n"
    "walk_next:\n\txor %eax, %eax\n\tdecq walk_left(%rip)\n\tjle 1f\n"
    "\tmov walk_state(%rip), %rax\n\timul walk_factor(%rip), %rax\n\tinc %rax\n"
    "\tmov %rax, walk_state(%rip)\n\tshr $56, %rax\n1:\tret\n"
    ".irp k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n\tWALK \\k\n.endr\n"
    ".section .data.rel.ro, \"aw\"\n"
    "walk_factor: .quad 6364136223846793005\n"
    "walks:\n.irp k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n\t.quad "
    "walk_\\k\n.endr\n"
    ".text\n");

extern void walk_0(void), walk_7(void);

typedef void walk(void);

static void* walk_all(void* unused) {
  walk* const first[] = {walk_0, walk_7};
  (void)unused;
  for (volatile int i = 0; i < kWalks; ++i) {
    walk_left = kNumbers;
    walk_depth = kDeepest;
    if (setjmp(away)) continue;
    __asm__ volatile("mov $3, %%ecx\n\tcall *%0" ::"r"(first[i % 2])
                     : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm1", "cc",
                       "memory");
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t other;
  if (argc != 2) return 2;
  walk_state = strtoull(argv[1], NULL, 10);
  walk_all(NULL);
  if (pthread_create(&other, NULL, walk_all, NULL) != 0) return 3;
  pthread_join(other, NULL);
  puts("done");
  return 0;
}
