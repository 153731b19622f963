// SPDX-License-Identifier: BSD-3-Clause
//
// How long the threads of this process were ready to run and had no CPU, as the kernel's scheduler
// counts it (/proc/self/task/<thread>/schedstat). What is not known is left out: threads that have
// ended, and all of them where there is no /proc, or where the kernel was built without the counts.
#ifndef ROOFMARK_LIB_CORE_RUN_QUEUE_H_
#define ROOFMARK_LIB_CORE_RUN_QUEUE_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace roofmark {

using RunQueueWaits = std::map<pid_t, uint64_t>;  // ns, by thread

// Opens one file for each thread, at most 1,024 of them. `root` stands before /proc.
RunQueueWaits ReadRunQueueWaits(const std::string& root = "");

// Of the thread that waited longest since `then`; nothing where nothing is known now.
std::optional<uint64_t> LongestWaitSince(const RunQueueWaits& then, const RunQueueWaits& now);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_RUN_QUEUE_H_
