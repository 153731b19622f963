// SPDX-License-Identifier: BSD-3-Clause
//
// What is known of a node of a job: what it is, what its ranks may use of it, and what they did
// there. A few numbers for each node, whatever its ranks and the regions are.
#ifndef ROOFMARK_LIB_PROFILE_HOST_H_
#define ROOFMARK_LIB_PROFILE_HOST_H_

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace roofmark {

// One value for each rank of a host.
struct OverHost {
  static constexpr uint64_t kOverflow = std::numeric_limits<uint64_t>::max();

  uint32_t ranks = 0;  // that have a value; 0: everything below is meaningless
  uint64_t least = 0, most = 0;
  uint64_t sum = 0;  // kOverflow: that or more

  static OverHost Of(uint64_t value) { return {1, value, value, value}; }
  bool operator==(const OverHost&) const = default;
};

// Associative and commutative, exactly.
OverHost Combine(const OverHost& a, const OverHost& b);

// What left the ranks of a node fewer CPUs than it has: their cgroup (a batch system, a container),
// or who bound them (the launcher, taskset).
inline constexpr const char* kBoundByCgroup = "cgroup";
inline constexpr const char* kBoundByMask = "affinity";

struct HostInfo {
  std::string name;
  uint32_t ranks = 0;
  std::string cpuset;         // union of its ranks' affinity masks, list form: "0-3,8"
  uint32_t cpus = 0;          // CPUs in it
  std::string cpu = {};       // what its CPU calls itself; empty where that is not known
  std::string kind = {};      // of node, as KindOf() names it; empty where that is not known
  std::string cores = {};     // the first CPU of each core that has one of them; empty: not known
  uint32_t machine_cpus = 0;  // that the node has; 0: not known
  std::string bound_by = {};  // one of the words above; empty: they may use all, or not known
  // The CPU time that the cgroup of each rank may have, in thousandths of a CPU; none: no limit.
  // Ranks of one group share it.
  OverHost quota_mcpus = {};
  OverHost rank_cpus = {};  // that each rank may use; their sum is above `cpus` where ranks share
  OverHost clock_khz = {};  // that the kernel let a core of each rank have at the end
  // Of the ranks, in all regions that lie in no other: time outside MPI, and inside where nobody
  // told that apart; visits; FLOPs and DRAM bytes as Drawn has them.
  OverHost busy_ns = {}, visits = {}, flops = {}, dram_bytes = {};
};

// All figures of a host, in the order of their members.
template <typename Host>  // HostInfo, const or not
auto FiguresOf(Host& host) -> std::array<decltype(&host.rank_cpus), 7> {
  return {&host.rank_cpus, &host.clock_khz,  &host.busy_ns,    &host.visits,
          &host.flops,     &host.dram_bytes, &host.quota_mcpus};
}

// Sorted by name. One walk over two sorted lists: a job has thousands of nodes, and each merge of
// its tree comes here.
void MergeHosts(std::vector<HostInfo>& into, std::vector<HostInfo> other);

// What only the work pass counted (FLOPs, DRAM bytes), for hosts that had equally many ranks in it.
void TakeHostWork(const std::vector<HostInfo>& work, std::vector<HostInfo>& into);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_HOST_H_
