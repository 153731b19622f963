/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Branches of every kind in a marked region, on the main thread and on another one, so that engines
 * can be compared: nested loops, a loop of one block, a switch, calls through pointers, and the
 * instructions loop and jrcxz. */
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __clang__
#define NEVER_INLINED __attribute__((noinline))
#else
#define NEVER_INLINED __attribute__((noinline, noclone))
#endif

static volatile long sink;

NEVER_INLINED static long nested(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < i % 7; ++k) sum += i ^ k;
  return sum;
}

NEVER_INLINED static long one_block(const double* values, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += values[i];
  return (long)sum;
}

/* jmp through a table. */
NEVER_INLINED static long choose(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    switch (i * i % 8) {
      case 0:
        sum += 3;
        break;
      case 1:
        sum ^= i;
        break;
      case 2:
        sum -= nested(i % 3);
        break;
      case 3:
        sum *= 5;
        break;
      case 4:
        sum = -sum;
        break;
      case 5:
        sum |= 1;
        break;
      default:
        sum += 7;
    }
  }
  return sum;
}

NEVER_INLINED static long by_count(long n) {
  long sum = 0;
  __asm__ volatile(
      "1: jrcxz 2f\n\t"
      "add $3, %0\n\t"
      "test $1, %%cl\n\t"
      "jnz 3f\n\t"
      "inc %0\n"
      "3: loop 1b\n"
      "2:"
      : "+r"(sum), "+c"(n)::"cc");
  return sum;
}

NEVER_INLINED static long through(long (*call)(long), long n) { return call(n) + 1; }

/* Far more ways of one jump than there is room for without the blocks. */
NEVER_INLINED static long many_ways(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    __asm__ volatile(
        "lea 1f(%%rip), %%rax\n\t"
        "lea (%%rax,%1,4), %%rax\n\t"
        "jmp *%%rax\n"
        "1: .rept 600\n\t"
        ".byte 0x48, 0x83, 0xC0, 0x01\n\t" /* add rax, 1 */
        ".endr"
        : "+r"(sum)
        : "r"(i % 600)
        : "rax", "cc");
  }
  return sum;
}

static void* work(void* values) {
  sink += nested(50) + one_block(values, 1003) + choose(300) + by_count(41) + many_ways(1500);
  sink += through(nested, 9) + through(by_count, 4);
  return NULL;
}

int main(void) {
  static double values[1003];
  pthread_t other;
  for (int i = 0; i < 1003; ++i) values[i] = i;
  ROOF_REGION_BEGIN("counted");
  work(values);
  if (pthread_create(&other, NULL, work, values) != 0) return 1;
  pthread_join(other, NULL);
  ROOF_REGION_END("counted");
  ROOF_REGION_BEGIN("again");
  sink += nested(33);
  ROOF_REGION_END("again");
  return 0;
}
