// SPDX-License-Identifier: BSD-3-Clause
//
// Counts that a collector keeps, as blocks of a spool.
#ifndef ROOFMARK_LIB_SPOOL_COUNT_STORE_H_
#define ROOFMARK_LIB_SPOOL_COUNT_STORE_H_

#include <atomic>

#include "lib/counts/store.h"
#include "lib/spool/writer.h"

namespace roofmark::spool {

class CountBlocks final : public counts::CountStore {
 public:
  // `writer` must outlive this.
  explicit CountBlocks(Writer& writer) : writer_(writer) {}

  bool Describe(const counts::KeptPlan& plan) noexcept override;
  void* Rows(size_t rows, size_t columns) noexcept override;
  void Lacks(counts::Lack what) noexcept override;

 private:
  Writer& writer_;
  std::atomic<bool> lacks_{false};
};

}  // namespace roofmark::spool

#endif  // ROOFMARK_LIB_SPOOL_COUNT_STORE_H_
