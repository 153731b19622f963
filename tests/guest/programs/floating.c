/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The floating-point environment, which the counting engine has only in part. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <fenv.h>
#include <float.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <xmmintrin.h>

#include "guest.h"

static volatile double g_one = 1, g_three = 3, g_zero = 0, g_small = DBL_MIN;

void Guest_rounding(void) {
  const int kModes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 4; ++i) {
    fesetround(kModes[i]);
    Visit();
    printf("mode %d, third %a\n", fegetround() == kModes[i], g_one / g_three);
  }
  fesetround(FE_TONEAREST);
}

/* What the program chose is there after markers. */
void Guest_fp_control(void) {
  printf("at start %#x\n", _mm_getcsr() & 0xffc0u);
  _mm_setcsr(_mm_getcsr() | 0x8040u);
  Visit();
  printf("chosen %#x\n", _mm_getcsr() & 0xffc0u);
}

void Guest_fp_flags(void) {
  feclearexcept(FE_ALL_EXCEPT);
  const volatile double third = g_one / g_three, infinite = g_one / g_zero;
  Visit();
  printf("inexact %d, division by zero %d, invalid %d\n", fetestexcept(FE_INEXACT) != 0,
         fetestexcept(FE_DIVBYZERO) != 0, fetestexcept(FE_INVALID) != 0);
  printf("%a %a\n", third, infinite);
}

void Guest_flush_to_zero(void) {
  _mm_setcsr(_mm_getcsr() | 0x8040u);
  const volatile double half = g_small / 2;
  printf("half of the least normal number: %a\n", half);
}

void Guest_x87(void) {
  volatile long double one = 1, three = 3;
  const volatile long double third = one / three;
  printf("%.20Lf\n", third);
}

static sigjmp_buf g_after;

static void Trapped(int signal) { siglongjmp(g_after, signal); }

/* Markers work while everything traps, and what the program does wrong traps still. */
void Guest_fp_traps(void) {
  signal(SIGFPE, Trapped);
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_ALL_EXCEPT);
  Visit();
  if (sigsetjmp(g_after, 1) == 0) {
    const volatile double infinite = g_one / g_zero;
    (void)infinite;
    fedisableexcept(FE_ALL_EXCEPT);
    puts("division by zero goes on");
  } else {
    puts("division by zero traps");
  }
}

void Guest_cpuid(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  char vendor[13] = "";
  __get_cpuid(0, &a, &b, &c, &d);
  *(unsigned*)(void*)vendor = b;
  *(unsigned*)(void*)(vendor + 4) = d;
  *(unsigned*)(void*)(vendor + 8) = c;
  __get_cpuid_count(7, 0, &a, &b, &c, &d);
  printf("%s, AVX2 %d, AVX-512 %d\n", vendor, (b >> 5) & 1, (b >> 16) & 1);
}
