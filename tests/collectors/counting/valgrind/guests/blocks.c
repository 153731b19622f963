/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops written out, between labels. Prints the labels, and the blocks and ways that were executed
 * between the first and the last: "label NAME offset", "block offset bytes instructions times",
 * "way from to times calls", "called from to times", offsets from the first label; and "library
 * times", calls from anywhere in the program of getppid(). */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"

#define LABEL(name) ".globl " name "\n" name ":\n\t"

__asm__(".text\n" LABEL("code_begin") LABEL("nested") /* 10 x 7 */
        "mov $10, %eax\n\t" LABEL("outer") "mov $7, %ecx\n\t" LABEL("inner") "inc %edx\n\t"
        "dec %ecx\n\t" LABEL("inner_back") "jnz inner\n\t" LABEL("after_inner") "dec %eax\n\t"
        LABEL("outer_back") "jnz outer\n\t" LABEL("after_outer") "ret\n\t"
        /* Through a table: 4 x first, 8 x second. */
        LABEL("table") "mov $12, %eax\n\t"
        "lea places(%rip), %rdx\n\t" LABEL("again") "xor %ecx, %ecx\n\t"
        "cmp $9, %eax\n\t"
        "setb %cl\n\t" LABEL("jump") "jmp *(%rdx,%rcx,8)\n\t" LABEL("first") "inc %esi\n\t"
        LABEL("first_on") "jmp joined\n\t" LABEL("second") "dec %esi\n\t" LABEL("joined")
        "dec %eax\n\t" LABEL("table_back") "jnz again\n\t" LABEL("after_table") "ret\n\t"
        /* Copies 5 x 100 bytes, by a function that it calls. */
        LABEL("calling") "mov $5, %eax\n\t" LABEL("call_again") "mov %rdi, %rsi\n\t"
        "mov $100, %ecx\n\t" LABEL("call") "call copying\n\t" LABEL("after_call") "dec %eax\n\t"
        LABEL("call_back") "jnz call_again\n\t"
        "ret\n\t" LABEL("copying") "nop\n\t" LABEL("copy") "rep movsb\n\t" LABEL("copied") "ret\n\t"
        /* 6 calls through a register. */
        LABEL("through") "mov $6, %eax\n\t"
        "mov pointer(%rip), %rdx\n\t" LABEL("through_call") "call *%rdx\n\t"
        "dec %eax\n\t"
        "jnz through_call\n\t"
        "ret\n\t" LABEL("leaf") "ret\n\t" LABEL("code_end") "nop\n\t"
        ".section .data.rel.ro, \"aw\"\nplaces: .quad first, second\npointer: .quad leaf\n.text\n");

extern char code_begin[], code_end[], nested[], outer[], inner[], inner_back[], after_inner[],
    outer_back[], after_outer[], table[], again[], jump[], first[], first_on[], second[], joined[],
    table_back[], after_table[], calling[], call_again[], call[], after_call[], call_back[],
    copying[], copy[], copied[], through[], through_call[], leaf[];
#define ENTRY(name) \
  { #name, name }
static const struct {
  const char* name;
  const char* place;
} kLabels[] = {ENTRY(nested),      ENTRY(outer),        ENTRY(inner),       ENTRY(inner_back),
               ENTRY(after_inner), ENTRY(outer_back),   ENTRY(after_outer), ENTRY(table),
               ENTRY(again),       ENTRY(jump),         ENTRY(first),       ENTRY(first_on),
               ENTRY(second),      ENTRY(joined),       ENTRY(table_back),  ENTRY(after_table),
               ENTRY(calling),     ENTRY(call_again),   ENTRY(call),        ENTRY(after_call),
               ENTRY(call_back),   ENTRY(copying),      ENTRY(copy),        ENTRY(copied),
               ENTRY(through),     ENTRY(through_call), ENTRY(leaf)};

static char text[4096];

/* The code changes what the compiler believes to be kept by a call; there is nothing live. */
static void* run(void* part) {
  if (strcmp(part, "nested") == 0)
    __asm__ volatile("call nested" ::: "eax", "ecx", "edx", "cc", "memory");
  if (strcmp(part, "table") == 0)
    __asm__ volatile("call table" ::: "eax", "ecx", "rdx", "esi", "cc", "memory");
  if (strcmp(part, "calling") == 0) {
    char* to = text;
    __asm__ volatile("call calling" : "+D"(to)::"eax", "ecx", "rsi", "cc", "memory");
  }
  if (strcmp(part, "through") == 0)
    __asm__ volatile("call through" ::: "eax", "rdx", "cc", "memory");
  for (int i = 0; i < 7 && strcmp(part, "library") == 0; ++i) (void)getppid();
  return NULL;
}

/* The lowest address of the program. */
extern char __executable_start[];

static long offset_of(uint64_t place) {
  return (long)(place + (uint64_t)__executable_start - (uint64_t)code_begin);
}
static const char* name_of(uint64_t module) {
  static struct roof_module known;
  if (known.number != module) {
    known.number = module;
    if (ROOF_REQUEST(ROOF_REQ_MODULE, &known) != 1) exit(6);
  }
  const char* name = strrchr(known.file, '/');
  return name ? name : "";
}
/* The program's module has the name that it was started by. */
static int is_program(uint64_t module) { return strcmp(name_of(module), "/blocks") == 0; }
static int is_inside(uint64_t module, uint64_t place) {
  return is_program(module) && offset_of(place) >= 0 && offset_of(place) < code_end - code_begin;
}

static int is_of_library(const struct roof_executed_call* one) {
  Dl_info libc;
  return is_program(one->module) && strncmp(name_of(one->to_module), "/libc.so", 8) == 0 &&
         dladdr(dlsym(RTLD_NEXT, "getppid"), &libc) &&
         one->to == (uint64_t)libc.dli_saddr - (uint64_t)libc.dli_fbase;
}
static void print_calls(const struct roof_executed_call* calls, uint64_t count) {
  unsigned long long of_library = 0;
  for (const struct roof_executed_call* one = calls; one < calls + count; ++one) {
    if (is_of_library(one)) of_library += one->times;
    if (is_inside(one->module, one->from) && is_program(one->to_module))
      printf("called %ld %ld %llu\n", offset_of(one->from), offset_of(one->to),
             (unsigned long long)one->times);
  }
  printf("library %llu\n", of_library);
}

static int report(void) {
  static struct roof_executed blocks[100000];
  static struct roof_way ways[100000];
  static struct roof_executed_call calls[10000];
  struct roof_block_harvest all = {.blocks = blocks,
                                   .ways = ways,
                                   .calls = calls,
                                   .way_capacity = 100000,
                                   .call_capacity = 10000};
  if (ROOF_REQUEST(ROOF_REQ_BLOCKS, &all) != 0) return 3; /* there is no room for blocks */
  all.block_capacity = 100000;
  if (ROOF_REQUEST(ROOF_REQ_BLOCKS, &all) != 1) return 4;
  for (unsigned i = 0; i < sizeof kLabels / sizeof *kLabels; ++i)
    printf("label %s %ld\n", kLabels[i].name, (long)(kLabels[i].place - code_begin));
  for (uint64_t i = 0; i < all.block_count; ++i) {
    const struct roof_executed* block = blocks + i;
    if (is_inside(block->module, block->begin))
      printf("block %ld %u %u %llu\n", offset_of(block->begin), block->bytes, block->instructions,
             (unsigned long long)block->times);
  }
  for (uint64_t i = 0; i < all.way_count; ++i) {
    const struct roof_way* way = ways + i;
    if (is_inside(way->module, way->from))
      printf("way %ld %ld %llu %llu\n", offset_of(way->from), offset_of(way->to),
             (unsigned long long)way->times, (unsigned long long)way->calls);
  }
  print_calls(all.calls, all.call_count);
  return 0;
}

int main(int argc, char** argv) {
  if (ROOF_REQUEST(ROOF_REQ_KEEP_BLOCKS, 0) != 1) return 2;
  for (int i = 1; i < argc; ++i) {
    pthread_t other;
    run(argv[i]);
    /* Translated anew. */
    (void)ROOF_REQUEST(ROOF_REQ_COUNT, ROOF_COUNT_CHEAP);
    if (pthread_create(&other, NULL, run, argv[i]) != 0) return 5;
    pthread_join(other, NULL);
    (void)ROOF_REQUEST(ROOF_REQ_COUNT, ROOF_COUNT_ALL);
  }
  return report();
}
