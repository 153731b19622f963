// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/count_store.h"

#include "lib/counts/kept_row.h"

namespace roofmark::spool {

bool CountBlocks::Describe(const counts::KeptPlan& plan) noexcept try {
  return writer_.Append(Kind::kCountPlan, 0, 0, counts::EncodeKeptPlan(plan));
} catch (...) {
  return false;
}

void* CountBlocks::Rows(size_t rows, size_t columns) noexcept {
  return writer_.Allocate(Kind::kCounts, static_cast<uint32_t>(columns),
                          static_cast<uint32_t>(rows), rows * roof_kept_row_bytes(columns));
}

// One reason is enough.
void CountBlocks::Lacks(counts::Lack what) noexcept {
  if (!lacks_.exchange(true)) {
    writer_.Append(Kind::kCountsLack, static_cast<uint32_t>(what), 0, {});
  }
}

}  // namespace roofmark::spool
