// SPDX-License-Identifier: BSD-3-Clause
//
// What a process has open, and which calls it made, for vpmu_get_statistics().
#ifndef ROOFMARK_TESTS_KERNEL_CALLS_H_
#define ROOFMARK_TESTS_KERNEL_CALLS_H_

#include "virtual_pmu.h"

// ioctl() without being counted.
int RealIoctl(int fd, unsigned long request, const void* argument);

// Opens, ioctls, descriptors and mappings; no test asks for reads, mmaps or closes here.
void CountCalls(vpmu_statistics& statistics);
void ForgetCalls();

#endif  // ROOFMARK_TESTS_KERNEL_CALLS_H_
