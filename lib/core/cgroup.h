// SPDX-License-Identifier: BSD-3-Clause
//
// What the cgroups that this process is in grant it: batch systems, containers and services limit
// their jobs so. Version 1, version 2, and both at once.
#ifndef ROOFMARK_LIB_CORE_CGROUP_H_
#define ROOFMARK_LIB_CORE_CGROUP_H_

#include <cstdint>
#include <optional>
#include <string>

namespace roofmark {

// The smallest limit of the process's group and of all above it that are visible, bytes; nothing
// if there is none. As in all functions here, `root` stands before /proc, and before the mount
// points that are named there.
std::optional<uint64_t> MemoryLimit(const std::string& root = "");

// The CPU time that the process's group may have, in CPUs: quota / period, the smallest of the
// group's and of all above it. All processes of the group share it. Nothing if there is no limit.
std::optional<double> CpuQuota(const std::string& root = "");

// The CPUs that the group may use, in list form. Empty if that is not known.
std::string GroupCpuList(const std::string& root = "");

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_CGROUP_H_
