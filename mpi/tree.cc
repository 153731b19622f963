// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/tree.h"

#include "lib/core/limits.h"

namespace roofmark::mpi {
namespace {

// Within a node waking the next rank costs more than taking in a message.
constexpr uint32_t kNodeRadix = 8;

bool Allocate(std::vector<char>& bytes, uint64_t size) {
  if (size > limits::kMessageBytes) return false;
  bytes.resize(size);
  return true;
}

}  // namespace

bool SendBytes(Comm& comm, uint32_t to, const std::vector<char>& bytes) {
  const uint64_t size = bytes.size();
  return comm.Send(to, &size, sizeof size) && (size == 0 || comm.Send(to, bytes.data(), size));
}

bool RecvBytes(Comm& comm, uint32_t from, std::vector<char>& bytes) {
  uint64_t size = 0;
  if (!comm.Recv(from, &size, sizeof size) || !Allocate(bytes, size)) return false;
  return size == 0 || comm.Recv(from, bytes.data(), size);
}

bool BcastBytes(Comm& comm, std::vector<char>& bytes) {
  uint64_t size = bytes.size();
  if (!comm.Bcast(&size, sizeof size) || !Allocate(bytes, size)) return false;
  return size == 0 || comm.Bcast(bytes.data(), size);
}

std::optional<Levels> Levels::Make(Comm& job, bool one_node) {
  Levels levels;
  levels.job_ = &job;
  if (one_node || job.Size() == 1) return levels;
  levels.node_ = job.SplitByNode();
  if (levels.node_ == nullptr) return std::nullopt;
  return levels;
}

bool Levels::MergeUp(Merging& merging) const {
  const auto take = [&](const std::vector<char>& bytes) { return merging.Take(bytes); };
  const auto pack = [&] { return merging.Pack(); };
  if (node_ == nullptr) return MergeUpTree(*job_, take, pack, kNodeRadix);
  if (!MergeUpTree(*node_, take, pack, kNodeRadix)) return false;
  bool holds = node_->Rank() == 0;
  if (!holds) merging.Clear();
  return MergeUpTree(
      *job_,
      [&](const std::vector<char>& bytes) {
        if (bytes.empty()) return true;
        holds = true;
        return merging.Take(bytes);
      },
      [&] { return holds ? merging.Pack() : std::vector<char>(); });
}

}  // namespace roofmark::mpi
