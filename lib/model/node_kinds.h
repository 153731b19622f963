// SPDX-License-Identifier: BSD-3-Clause
//
// The nodes of a job by kind, and which machine file holds for which of them. A roof is the sum of
// the roofs of all nodes, so one node without a machine file leaves the job without a roof.
#ifndef ROOFMARK_LIB_MODEL_NODE_KINDS_H_
#define ROOFMARK_LIB_MODEL_NODE_KINDS_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lib/model/machine.h"
#include "lib/profile/profile.h"

namespace roofmark {

struct NodeKind {
  std::string key;                   // as KindOf() names it; empty where the file does not say
  std::string cpu;                   // what its CPU calls itself; empty where that is not known
  std::vector<size_t> hosts;         // indices into RunInfo::hosts; none where it has no hosts
  const Machine* machine = nullptr;  // null: there is no file for it
};

// In the order of their first hosts; at least one. Hosts that do not say their kind are of the one
// whose CPU they have, if there is only one such; hosts of which nothing is known, of the only
// kind.
std::vector<NodeKind> NodeKindsOf(const RunInfo& run);

// Gives each kind its machine: that of its key; else the only one with its CPU. Where the whole job
// is of one kind and one machine is given, it is taken whatever it is: health names the difference.
// The machines must outlive the kinds.
void AssignMachines(std::span<const Machine> machines, std::vector<NodeKind>& kinds);

// True if every kind has one.
bool AllHaveMachines(const std::vector<NodeKind>& kinds);

// "n1, n2, n3, n4 and 12 more", for people.
std::string HostNames(const RunInfo& run, const std::vector<size_t>& hosts);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_NODE_KINDS_H_
