// SPDX-License-Identifier: BSD-3-Clause
//
// A program that restricts its system calls (seccomp) ends where it makes another one, roofmark's
// among them. So the recording ends first, with what was recorded until then, unless the filter
// lets all of them pass.
#ifndef ROOFMARK_MARKERS_RUNTIME_RESTRICTION_H_
#define ROOFMARK_MARKERS_RUNTIME_RESTRICTION_H_

#include <linux/filter.h>

#include <span>
#include <string>

namespace roofmark::runtime {

// The calls of the recording that end the process under this filter, the first three by name:
// "openat, getrusage and 3 more". Empty: none does.
std::string ForbiddenCalls(std::span<const sock_filter> filter);

// Before the calling process asks the kernel for a filter, which is at this address and may not be
// readable, or for the strict mode. Nothing happens where nothing is recorded.
void BeforeFilter(const void* program) noexcept;
void BeforeStrictMode() noexcept;

// True from where the recording ended so: no system call is made any more.
bool IsRestricted() noexcept;

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_RESTRICTION_H_
