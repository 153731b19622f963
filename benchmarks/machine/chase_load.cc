// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/chase_load.h"

namespace roofmark {

ChaseLoad ChaseLoad::OverPages(uint64_t bytes, Pages pages) {
  return {LineOrder(bytes, kPage), kPage, pages};
}

// Bits of an address choose the set of a cache, those above and below the page's alike: with lines
// at the same place of each page, most sets would stay empty.
uint64_t ChaseLoad::Offset(uint64_t state) const {
  const uint64_t line = order_.Line(state);
  const uint64_t in_page =
      line_distance_ == kPage ? line * (kPage / LineOrder::kLineBytes) >> order_.bits() : 0;
  return line * line_distance_ + in_page * LineOrder::kLineBytes;
}

// In the order of the chain.
void ChaseLoad::Fill() {
  uint64_t state = 0;
  for (uint64_t i = 0; i < order_.lines(); ++i) {
    const uint64_t next = order_.Next(state);
    *Place(state) = Place(next);
    state = next;
  }
  at_ = Place(0);
  state_ = loads_ = 0;
  filled_ = true;
}

bool ChaseLoad::Prepare(uint32_t) {
  if (filled_) return true;
  if (given_ == nullptr) own_ = Buffer(bytes(), pages_);
  if (Data() == nullptr) return false;
  Fill();
  return true;
}

// Once around what a cache can hold.
void ChaseLoad::Warm(uint32_t rank, uint64_t) {
  if (LineBytes() <= kKeptBytes) Run(rank, order_.lines() / kLoadsPerRepeat + 1);
}

void ChaseLoad::Run(uint32_t, uint64_t repeats) {
  void** at = at_;
  for (uint64_t i = 0; i < repeats; ++i) {
#pragma GCC unroll 64
    for (uint64_t k = 0; k < kLoadsPerRepeat; ++k) at = static_cast<void**>(*at);
  }
  asm volatile("" : "+r"(at));
  at_ = at;
  loads_ += repeats * kLoadsPerRepeat;
}

bool ChaseLoad::Check(uint32_t) {
  for (; loads_ != 0; --loads_) state_ = order_.Next(state_);
  return at_ == Place(state_);
}

void ChaseLoad::Finish(uint32_t) {
  if (given_ != nullptr || LineBytes() > kKeptBytes) return;
  own_ = Buffer();
  filled_ = false;
}

}  // namespace roofmark
