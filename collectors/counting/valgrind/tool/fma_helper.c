/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * VEX executes every lane of a fused multiply-add by calling these two functions, which it
 * implements in software. Defined here they are found first, and the archive's own are never
 * linked. Results are the same: both round once, as the current mode says. */
#include "pub_tool_basics.h"

void h_generic_calc_MAddF32(Float* result, Float* x, Float* y, Float* z);
void h_generic_calc_MAddF64(Double* result, Double* x, Double* y, Double* z);

/* VEX's own, under another name (see CMakeLists.txt): for processors without FMA. */
void roofmark_software_MAddF32(Float* result, Float* x, Float* y, Float* z);
void roofmark_software_MAddF64(Double* result, Double* x, Double* y, Double* z);

enum { kUnknown, kAbsent, kPresent };
static UInt hardware;

/* CPUID leaf 1, ECX: bit 12 FMA, bit 27 the system saves AVX registers (Intel SDM volume 2). */
static void look_for_hardware(void) {
  UInt eax = 1, ebx, ecx = 0, edx;
  __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  hardware = (ecx & (1u << 12)) && (ecx & (1u << 27)) ? kPresent : kAbsent;
}

/* Called with the guest's rounding mode in MXCSR. x * y + z. */
void h_generic_calc_MAddF64(Double* result, Double* x, Double* y, Double* z) {
  if (UNLIKELY(hardware != kPresent)) {
    if (hardware == kUnknown) look_for_hardware();
    if (hardware == kAbsent) {
      roofmark_software_MAddF64(result, x, y, z);
      return;
    }
  }
  Double value = *x;
  __asm__("vfmadd213sd %2, %1, %0" : "+x"(value) : "x"(*y), "m"(*z));
  *result = value;
}

void h_generic_calc_MAddF32(Float* result, Float* x, Float* y, Float* z) {
  if (UNLIKELY(hardware != kPresent)) {
    if (hardware == kUnknown) look_for_hardware();
    if (hardware == kAbsent) {
      roofmark_software_MAddF32(result, x, y, z);
      return;
    }
  }
  Float value = *x;
  __asm__("vfmadd213ss %2, %1, %0" : "+x"(value) : "x"(*y), "m"(*z));
  *result = value;
}
