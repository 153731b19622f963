// SPDX-License-Identifier: BSD-3-Clause
//
// Which kind of node this is, from the kernel's own files: what its roofs are found by. The command
// and the processes of a job ask the same function, so that they agree.
#ifndef ROOFMARK_LIB_CORE_NODE_IDENTITY_H_
#define ROOFMARK_LIB_CORE_NODE_IDENTITY_H_

#include <cstdint>
#include <string>

namespace roofmark {

// What a node does not tell stays empty or 0.
struct NodeIdentity {
  std::string cpu_vendor, cpu_model;
  uint32_t cpu_family = 0, cpu_model_number = 0, cpu_stepping = 0;
  std::string microcode, firmware;
  uint64_t memory_bytes = 0;
};

// Reads four small files. Of /proc/cpuinfo only the first CPU's lines, because the kernel makes
// those of each CPU when they are read. Some kernels ask all CPUs for their clocks when it is
// opened, and wait 10 ms for them: not for the start of a program. `root` stands before /proc and
// /sys, so that recorded machines can be read.
NodeIdentity ReadNodeIdentity(const std::string& root = "");

// Equal for the nodes of one cluster partition, different when the CPU, the memory's size in GiB or
// the firmware differ. 16 hexadecimal digits.
std::string KindOf(const NodeIdentity& node);

// As KindOf() takes it.
uint64_t Gibibytes(uint64_t bytes);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_NODE_IDENTITY_H_
