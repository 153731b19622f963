// SPDX-License-Identifier: BSD-3-Clause
#include "markers/declare.h"

#include "markers/fast_path.h"

namespace roofmark::markers {

__attribute__((noinline)) bool PrepareWork(uint32_t kind) noexcept {
  const Inside inside;
  return inside && Recorder::Get().PrepareWork(kind);
}

void DeclareWork(uint64_t flops, uint64_t bytes) noexcept {
  const auto add = [=](DeclaredWork& work) {
    spool::Raise(work.flops, flops);
    spool::Raise(work.bytes, bytes);
    return true;
  };
  if (!TryDeclare(add) && PrepareWork(0)) TryDeclare(add);
}

void DeclareOperations(uint32_t kind, uint64_t count) noexcept {
  const auto add = [=](DeclaredWork& work) {
    const uint32_t known = work.kind.load(std::memory_order_relaxed);
    if (known == 0) return false;
    spool::Raise(known == kind ? work.operations : work.dropped, count);
    return true;
  };
  if (!TryDeclare(add) && PrepareWork(kind)) TryDeclare(add);
}

void AddMpiTime(uint64_t ticks) noexcept {
  if (t_inside != 0 || !Recorder::recording()) return;
  const auto add = [ticks](DeclaredWork& work) { spool::Raise(work.mpi_ticks, ticks); };
  if (!TryTime(add) && PrepareWork(0)) TryTime(add);
}

}  // namespace roofmark::markers
