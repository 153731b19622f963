/* SPDX-License-Identifier: BSD-3-Clause
 *
 * System calls of the engine itself, past libc, whose calls are the program's. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_SYSTEM_CALL_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_SYSTEM_CALL_H_

#include <sys/syscall.h>

/* What the kernel returns: a negative number of errno if it fails. */
static inline long roof_native_system_call(long number, long a, long b, long c) {
  long result = number;
  __asm__ volatile("syscall" : "+a"(result) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_SYSTEM_CALL_H_ */
