// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/thread.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace roofmark {

pid_t ThisThread() noexcept { return static_cast<pid_t>(syscall(SYS_gettid)); }

bool IsGone(pid_t tid) noexcept { return syscall(SYS_tgkill, getpid(), tid, 0) != 0; }

}  // namespace roofmark
