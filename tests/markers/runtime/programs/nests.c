/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nests PART...: loops and functions written out, between labels, as nests. Every part executes
 * additions of which the tests know how many belong to which nest. "thread PART" does so on another
 * thread; between "marked" and "unmarked" it is in a region of markers. */
#define _GNU_SOURCE
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL(name) ".globl " name "\n" name ":\n\t"
#define ADD "addsd %xmm1, %xmm1\n\t"

__asm__(
    ".text\n"
    /* Once 1, 10 x (2 in the outer loop, 7 x 1 in the inner one), once 1. */
    LABEL("nested") ADD "mov $10, %eax\n\t" LABEL("outer") ADD "mov $7, %ecx\n\t" LABEL("inner") ADD
    "dec %ecx\n\tjnz inner\n\t" LABEL("inner_end") ADD "dec %eax\n\tjnz outer\n\t" LABEL("outer_end")
        ADD "ret\n\t"
    /* A loop of 5 x 1 that calls a function: that begins with a loop of 3 x 1, and has 1 behind it. */
    LABEL("calling") "mov $5, %eax\n\t" LABEL("call_loop") ADD
    "mov $3, %ecx\n\tcall leaf\n\tdec %eax\n\tjnz call_loop\n\t" LABEL("call_loop_end")
    "ret\n\t" LABEL("leaf") ADD "dec %ecx\n\tjnz leaf\n\t" LABEL("leaf_end") ADD "ret\n\t"
    /* Calls itself until edi is 0: 1 before and 1 behind. */
    LABEL("recur") ADD "dec %edi\n\tjz 1f\n\tcall recur\n\t1:" ADD "ret\n\t" LABEL("recur_end")
    /* 1, then it jumps to a function of 2. */
    LABEL("tail") ADD "jmp *tail_table(%rip)\n\t" LABEL("tail_end") LABEL("tail_target") ADD ADD
    "ret\n\t"
    /* A loop of 4 x 1 that is left through a table, for 1 behind it. */
    LABEL("cases") "mov $4, %eax\n\tlea case_table(%rip), %rdx\n\t" LABEL("case_loop") ADD
    "dec %eax\n\tsetz %cl\n\tmovzx %cl, %ecx\n\tjmp *(%rdx,%rcx,8)\n\t" LABEL("case_on")
    "jmp case_loop\n\t" LABEL("case_loop_end") LABEL("case_out") ADD "ret\n\t"
    /* A loop of 5 x 1 that raises a signal each time. */
    LABEL("raising") "push %rbx\n\tmov $5, %ebx\n\t" LABEL("raise_loop") ADD
    "call raise_signal\n\tdec %ebx\n\tjnz raise_loop\n\t" LABEL("raise_loop_end") "pop %rbx\n\tret\n\t"
    /* Code of an inlined function in two pieces: begins with 1, has 2 more, then calls what has 1.
     * In code around it 2, and in one more piece of it 1; 1 behind. Twice. */
    LABEL("inlining") "push %rbx\n\tmov $2, %ebx\n\t" LABEL("body_begin") ADD LABEL("body_rest") ADD ADD
    "call called\n\t" LABEL("body_end") ADD ADD LABEL("body_again") ADD LABEL("body_gone") ADD
    "dec %ebx\n\tjnz body_begin\n\tpop %rbx\n\tret\n\t" LABEL("called") ADD "ret\n\t"
    /* 1, then it does not return. */
    LABEL("jumper") LABEL("jumper_begin") ADD "push %rax\n\tcall leave\n\t" LABEL("jumper_end") "ud2\n\t"
    ".section .data.rel.ro, \"aw\"\n"
    "tail_table: .quad tail_target\ncase_table: .quad case_on, case_out\n.text\n");

extern void nested(void), calling(void), cases(void), inlining(void), jumper(void), leave(void),
    raising(void), raise_signal(void);

static jmp_buf away;
static inline void add(int n) {
  for (int i = 0; i < n; ++i) __asm__ volatile("addsd %%xmm1, %%xmm1" ::: "xmm1");
}

void leave(void) { longjmp(away, 1); }

__attribute__((noinline)) static void call(void (*function)(void)) {
  __asm__ volatile("call *%0" ::"r"(function) : "eax", "ecx", "rdx", "edi", "xmm1", "cc", "memory");
}

void raise_signal(void) { pthread_kill(pthread_self(), SIGUSR1); }

enum { kOtherStack = 1 << 16 };
/* On the stack of the main thread, which lies above those of others. */
static char* other_stack;

static void handler(int signal) {
  (void)signal;
  call(nested);
}

static void* run(void* part) {
  if (!strcmp(part, "nested")) call(nested);
  if (!strcmp(part, "calling")) call(calling);
  if (!strcmp(part, "cases")) call(cases);
  if (!strcmp(part, "inlining")) call(inlining);
  if (!strcmp(part, "recur"))
    __asm__ volatile("mov $4, %%edi\n\tcall recur" ::: "edi", "xmm1", "cc", "memory");
  if (!strcmp(part, "tail")) __asm__ volatile("call tail" ::: "xmm1", "cc", "memory");
  if (!strcmp(part, "jumper")) {
    if (!setjmp(away)) jumper();
    add(5);
    call(nested);
  }
  if (!strcmp(part, "raising")) {
    const stack_t alternate = {.ss_sp = other_stack, .ss_size = kOtherStack};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaltstack(&alternate, NULL);
    sigaction(SIGUSR1, &action, NULL);
    call(raising);
  }
  return NULL;
}

int main(int argc, char** argv) {
  char stack[kOtherStack];
  other_stack = stack;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "marked")) {
      ROOF_REGION_BEGIN("marked");
    } else if (!strcmp(argv[i], "unmarked")) {
      ROOF_REGION_END("marked");
    } else if (!strcmp(argv[i], "thread")) {
      pthread_t other;
      if (pthread_create(&other, NULL, run, argv[++i]) != 0) abort();
      pthread_join(other, NULL);
    } else {
      run(argv[i]);
    }
  }
  other_stack = NULL;
  puts("done");
  return 0;
}
