// SPDX-License-Identifier: BSD-3-Clause
//
// What a filter of system calls (seccomp) says of one, found by executing it: Linux,
// Documentation/userspace-api/seccomp_filter.rst, and the classic BPF of <linux/filter.h> as far as
// the kernel accepts it there (kernel/seccomp.c, seccomp_check_filter).
#ifndef ROOFMARK_LIB_CORE_SECCOMP_FILTER_H_
#define ROOFMARK_LIB_CORE_SECCOMP_FILTER_H_

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <span>

namespace roofmark {

// SECCOMP_RET_*, with its data. A program that the kernel would refuse: SECCOMP_RET_ALLOW, since it
// never comes into force.
uint32_t FilterSays(std::span<const sock_filter> program, const seccomp_data& call) noexcept;

// The call is made, or fails with an error: nothing else happens to the process.
bool IsHarmless(uint32_t says) noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_SECCOMP_FILTER_H_
