// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_BENCHMARKS_MACHINE_MEMORY_LIMIT_H_
#define ROOFMARK_BENCHMARKS_MACHINE_MEMORY_LIMIT_H_

#include <cstdint>
#include <string>

namespace roofmark {

// Bytes that a measurement may take: a quarter of what the machine has and of what the cgroup
// (version 1 or 2) grants, and never more than half of what is available now. `root` stands before
// /proc and /sys.
uint64_t MemoryAllowance(const std::string& root = "");

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_MEMORY_LIMIT_H_
