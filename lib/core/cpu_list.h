// SPDX-License-Identifier: BSD-3-Clause
//
// Sets of CPUs in the kernel's list form: "0-3,8".
#ifndef ROOFMARK_LIB_CORE_CPU_LIST_H_
#define ROOFMARK_LIB_CORE_CPU_LIST_H_

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace roofmark {

// What is malformed is skipped.
std::set<uint32_t> ParseCpuList(std::string_view list);
std::string FormatCpuList(const std::set<uint32_t>& cpus);

std::string UniteCpuLists(std::string_view a, std::string_view b);
uint32_t CountCpus(std::string_view list);

// The first CPU of each core that has one of `cpus`, in list form: a core with hyperthreads has
// several CPUs. Empty where the kernel does not tell. `root` stands before /sys.
std::string CoresOf(std::string_view cpus, const std::string& root = "");

// All CPUs that are online; empty where the kernel does not tell.
std::string OnlineCpuList(const std::string& root = "");

// What a thread of this process is allowed; 0: the calling one. Empty if there is no such thread.
std::string AffinityCpuList(pid_t tid = 0);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_CPU_LIST_H_
