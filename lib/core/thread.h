// SPDX-License-Identifier: BSD-3-Clause
//
// Threads by the kernel's numbers.
#ifndef ROOFMARK_LIB_CORE_THREAD_H_
#define ROOFMARK_LIB_CORE_THREAD_H_

#include <sys/types.h>

namespace roofmark {

pid_t ThisThread() noexcept;

// No thread of the process has the number (any more).
bool IsGone(pid_t tid) noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_THREAD_H_
