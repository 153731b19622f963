// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/path_sums.h"

#include <new>

namespace roofmark::threads {

Sum* PathSums::Row(uint32_t path) noexcept {
  std::unique_ptr<Sum[]>& chunk = chunks_[path / kChunk];
  if (chunk == nullptr) chunk.reset(new (std::nothrow) Sum[kChunk * events_]);
  return Find(path);
}

}  // namespace roofmark::threads
