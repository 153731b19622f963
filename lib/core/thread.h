// SPDX-License-Identifier: BSD-3-Clause
//
// Threads by the kernel's numbers.
#ifndef ROOFMARK_LIB_CORE_THREAD_H_
#define ROOFMARK_LIB_CORE_THREAD_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace roofmark {

pid_t ThisThread() noexcept;

// No thread of the process has the number (any more).
bool IsGone(pid_t tid) noexcept;

// CPU time of a thread of this process so far, on any thread: one system call. Nothing if there is
// no such thread (any more).
std::optional<uint64_t> ThreadCpuNs(pid_t tid) noexcept;

// The same of all threads of this process together, those that have ended, too.
std::optional<uint64_t> ProcessCpuNs() noexcept;

// The numbers that name entries of a directory of /proc (/proc/self/task); empty if it cannot be
// read.
std::vector<pid_t> NumbersIn(const char* directory);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_THREAD_H_
