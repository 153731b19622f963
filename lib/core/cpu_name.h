// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_CPU_NAME_H_
#define ROOFMARK_LIB_CORE_CPU_NAME_H_

#include <string>

namespace roofmark {

// What the CPU calls itself, as the "model name" of /proc/cpuinfo; asked of the CPU, so that no
// file is opened. Some virtual machines (PVM) show programs the CPU of the host, and the kernel
// another one. Empty where it has no such name.
std::string CpuName();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_CPU_NAME_H_
