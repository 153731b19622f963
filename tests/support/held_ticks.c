/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In a marked program that holds a clock Linux seems to take its time from another clock than the
 * CPU's counter: so markers ask the kernel's clock, which is held, and never the counter
 * (lib/core/clock.h). On x86-64, the only architecture where they look. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static long Raw(long number, const long* given) {
  long result;
  register long r10 __asm__("r10") = given[3];
  register long r8 __asm__("r8") = given[4];
  register long r9 __asm__("r9") = given[5];
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(given[0]), "S"(given[1]), "d"(given[2]), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

/* The library asks through this one which clock Linux takes. */
__attribute__((visibility("default"))) long syscall(long number, ...) {
  long given[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; ++i) given[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_openat && strstr((const char*)given[1], "/current_clocksource") != NULL) {
    const int fd = memfd_create("clocksource", MFD_CLOEXEC);
    if (fd < 0 || write(fd, "hpet\n", 5) != 5) return -1;
    lseek(fd, 0, SEEK_SET);
    return fd;
  }
  const long result = Raw(number, given);
  if (result >= 0 || result <= -4096) return result;
  errno = (int)-result;
  return -1;
}
