// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <utility>

#include "benchmarks/machine/gpu/task.h"

namespace roofmark::gpu {

void AddPeer(Session& session, const Arrays& arrays, std::vector<Task>& tasks,
             std::vector<std::string>& left_out) {
  constexpr char kId[] = "copy.to_peer";
  if (session.devices() < 2) return;
  const int next = (session.index() + 1) % session.devices();
  const auto peer = session.AllocateOnPeer(next, arrays.copy_bytes);
  if (!peer) {
    left_out.push_back(fmt::format("{}: {}", kId, peer.error()));
    return;
  }
  const bool by_nvlink = peer->by_nvlink;
  Task task = CopyTask(by_nvlink ? fmt::format("{}.nvlink", kId) : kId,
                       fmt::format("copy to GPU {}{}", next, by_nvlink ? ", NVLink" : ""),
                       arrays.copy_bytes, "GB/s");
  task.enqueue = [to = *peer, from = arrays.a, bytes = arrays.copy_bytes](
                     Session& on, uint32_t iterations, std::string&) {
    for (uint32_t i = 0; i < iterations; ++i) {
      if (!on.ToPeer(to, from, bytes)) return false;
    }
    return true;
  };
  tasks.push_back(std::move(task));
}

}  // namespace roofmark::gpu
