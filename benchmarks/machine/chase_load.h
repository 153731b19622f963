// SPDX-License-Identifier: BSD-3-Clause
//
// Latency: a chain of loads, each of which tells the next one's address.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_CHASE_LOAD_H_
#define ROOFMARK_BENCHMARKS_MACHINE_CHASE_LOAD_H_

#include <vector>

#include "benchmarks/machine/buffer.h"
#include "benchmarks/machine/line_order.h"
#include "benchmarks/machine/load.h"

namespace roofmark {

// For one thread. Its rate is loads per second.
class ChaseLoad final : public Load {
 public:
  // Through the lines of `bytes` of memory, fresh in every round; filling larger ones takes so long
  // that they are kept.
  explicit ChaseLoad(uint64_t bytes, Pages pages = Pages::kHuge) : order_(bytes), pages_(pages) {}
  // Through memory of the caller's, of at least 1 KiB, which is overwritten.
  explicit ChaseLoad(const Buffer* buffer) : order_(buffer->size()), given_(buffer) {}

  // Through one line in each page of 4 KiB of `bytes`, spread over the sets of caches: what these
  // hold, and TLBs may not.
  static ChaseLoad OverPages(uint64_t bytes, Pages pages);

  uint64_t bytes() const { return order_.lines() * line_distance_; }
  uint64_t lines() const { return order_.lines(); }
  // Of the line at a state of the order, from the begin of the memory on.
  uint64_t Offset(uint64_t state) const;

  bool Prepare(uint32_t rank) override;
  void Warm(uint32_t rank, uint64_t repeats) override;
  void Run(uint32_t rank, uint64_t repeats) override;
  bool Check(uint32_t rank) override;
  void Finish(uint32_t rank) override;
  double WorkPerRepeat() const override { return kLoadsPerRepeat; }

 private:
  static constexpr uint64_t kLoadsPerRepeat = 64, kKeptBytes = 8 << 20, kPage = 4096;

  ChaseLoad(LineOrder order, uint64_t line_distance, Pages pages)
      : order_(order), line_distance_(line_distance), pages_(pages) {}

  void Fill();
  uint64_t LineBytes() const { return order_.lines() * LineOrder::kLineBytes; }
  void** Place(uint64_t state) const { return reinterpret_cast<void**>(Data() + Offset(state)); }
  char* Data() const { return (given_ != nullptr ? *given_ : own_).data(); }

  LineOrder order_;
  uint64_t line_distance_ = LineOrder::kLineBytes;
  Pages pages_ = Pages::kHuge;
  const Buffer* given_ = nullptr;
  Buffer own_;
  bool filled_ = false;
  // Where the chain stands, and from which state of the order it came there in the last Run.
  void** at_ = nullptr;
  uint64_t state_ = 0, loads_ = 0;
};

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_CHASE_LOAD_H_
