/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops and functions written out, between labels, as nests. Every part executes additions of which
 * the tests know how many belong to which nest. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"

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

extern char __executable_start[], outer[], outer_end[], inner[], inner_end[], call_loop[],
    call_loop_end[], leaf[], leaf_end[], recur[], recur_end[], tail[], tail_end[], case_loop[],
    case_loop_end[], body_begin[], body_rest[], body_end[], body_again[], body_gone[],
    jumper_begin[], jumper_end[], raise_loop[], raise_loop_end[];
extern void nested(void), calling(void), cases(void), inlining(void), jumper(void), leave(void),
    raising(void), raise_signal(void);

/* The tests know their numbers. */
enum {
  kOuter = 1,
  kInner,
  kCallLoop,
  kLeaf,
  kRecur,
  kTail,
  kCaseLoop,
  kJumper,
  kRaiseLoop,
  kFunction, /* which is inlined: */
  kBody,
  kRestOfBody,
  kNests = kRestOfBody
};

static jmp_buf away;
GUEST_INLINE void add(int n) {
  for (int i = 0; i < n; ++i) __asm__ volatile("addsd %%xmm1, %%xmm1" ::: "xmm1");
}

void leave(void) { longjmp(away, 1); }

__attribute__((noinline)) static void call(void (*function)(void)) {
  __asm__ volatile("call *%0" ::"r"(function) : "eax", "ecx", "rdx", "edi", "xmm1", "cc", "memory");
}

void raise_signal(void) { pthread_kill(pthread_self(), SIGUSR1); }

/* On the stack of the main thread, which lies above those of others. */
enum { kOtherStack = 1 << 16 };
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

static uint64_t place(const char* label) { return (uint64_t)(label - __executable_start); }

static int set_nests(const char* program) {
  static const struct roof_nest nests[kNests] = {
      [kInner - 1] = {.around = kOuter},
      [kRecur - 1] = {.is_function = 1},
      [kTail - 1] = {.is_function = 1},
      [kJumper - 1] = {.is_function = 1},
      [kFunction - 1] = {.is_function = 1},
      [kBody - 1] = {.same = kFunction},
      [kRestOfBody - 1] = {.same = kFunction, .rest_of = kBody}};
  const struct roof_nest_range ranges[] = {
      {1, kOuter, place(outer), place(inner)},
      {1, kInner, place(inner), place(inner_end)},
      {1, kOuter, place(inner_end), place(outer_end)},
      {1, kCallLoop, place(call_loop), place(call_loop_end)},
      {1, kLeaf, place(leaf), place(leaf_end)},
      {1, kRecur, place(recur), place(recur_end)},
      {1, kTail, place(tail), place(tail_end)},
      {1, kCaseLoop, place(case_loop), place(case_loop_end)},
      {1, kRaiseLoop, place(raise_loop), place(raise_loop_end)},
      {1, kBody, place(body_begin), place(body_rest)},
      {1, kRestOfBody, place(body_rest), place(body_end)},
      {1, kRestOfBody, place(body_again), place(body_gone)},
      {1, kJumper, place(jumper_begin), place(jumper_end)},
  };
  const struct roof_nest_entry entries[] = {{1, kLeaf, place(leaf), 0},
                                            {1, kRecur, place(recur), 0},
                                            {1, kTail, place(tail), 0},
                                            {1, kJumper, place(jumper_begin), 0}};
  const char* const files[] = {program};
  const struct roof_nest_request request = {.files = files,
                                            .nests = nests,
                                            .ranges = ranges,
                                            .entries = entries,
                                            .module_count = 1,
                                            .nest_count = kNests,
                                            .range_count = sizeof ranges / sizeof *ranges,
                                            .entry_count = sizeof entries / sizeof *entries};
  struct roof_nest_request wrong = request;
  wrong.nest_count = 3; /* ranges name more */
  if (ROOF_REQUEST(ROOF_REQ_NESTS, &wrong) != 0) return 0;
  return ROOF_REQUEST(ROOF_REQ_NESTS, &request) == 1;
}

/* "nest PARENT NEST PATH" for each path, "entries THREAD PATH N" for each that was entered. */
static int report_nests(void) {
  static struct roof_nest_row rows[1000];
  static struct roof_record records[1000];
  struct roof_nest_paths paths = {rows, 1000, 0, 0, 0};
  struct roof_harvest harvest = {records, 1000, 0, 0, 0};
  if (ROOF_REQUEST(ROOF_REQ_NEST_PATHS, &paths) != 1) return 4;
  if (ROOF_REQUEST(ROOF_REQ_HARVEST, &harvest) != 1) return 5;
  for (uint64_t i = 0; i < paths.count; ++i)
    printf("nest %u %u %u\n", rows[i].parent, rows[i].nest, rows[i].path);
  for (uint64_t i = 0; i < harvest.count; ++i)
    if (records[i].entries > 0)
      printf("entries %u %u %llu\n", records[i].thread, records[i].path,
             (unsigned long long)records[i].entries);
  return guest_report();
}

int main(int argc, char** argv) {
  static char program[4096];
  char stack[kOtherStack];
  other_stack = stack;
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0 || !set_nests(program)) return 2;
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "marked")) {
      guest_team(7);
    } else if (!strcmp(argv[i], "unmarked")) {
      guest_team(0);
    } else if (!strcmp(argv[i], "thread")) {
      pthread_t other;
      if (pthread_create(&other, NULL, run, argv[++i]) != 0) return 3;
      pthread_join(other, NULL);
    } else {
      run(argv[i]);
    }
  }
  return report_nests();
}
