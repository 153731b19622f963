// SPDX-License-Identifier: BSD-3-Clause
//
// Whose environment this is.
#ifndef ROOFMARK_LIB_CORE_PRIVILEGE_H_
#define ROOFMARK_LIB_CORE_PRIVILEGE_H_

namespace roofmark {

// True if the program has rights that whoever started it lacks (setuid, setgid, file capabilities).
// The environment is then a stranger's: no variable may be read. The kernel said so at the start of
// the program; this makes no system call.
bool HasMoreRightsThanItsCaller() noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_PRIVILEGE_H_
