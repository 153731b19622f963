// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/chase_load.h"

namespace roofmark {

// In the order of the chain.
void ChaseLoad::Fill() {
  const auto place = [this](uint64_t state) {
    return reinterpret_cast<void**>(Data() + order_.Line(state) * LineOrder::kLineBytes);
  };
  uint64_t state = 0;
  for (uint64_t i = 0; i < order_.lines(); ++i) {
    const uint64_t next = order_.Next(state);
    *place(state) = place(next);
    state = next;
  }
  at_ = place(0);
  state_ = loads_ = 0;
  filled_ = true;
}

bool ChaseLoad::Prepare(uint32_t) {
  if (filled_) return true;
  if (given_ == nullptr) own_ = Buffer(bytes());
  if (Data() == nullptr) return false;
  Fill();
  return true;
}

// Once around what a cache can hold.
void ChaseLoad::Warm(uint32_t rank, uint64_t) {
  if (bytes() <= kKeptBytes) Run(rank, order_.lines() / kLoadsPerRepeat + 1);
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
  return at_ == reinterpret_cast<void**>(Data() + order_.Line(state_) * LineOrder::kLineBytes);
}

void ChaseLoad::Finish(uint32_t) {
  if (given_ != nullptr || bytes() > kKeptBytes) return;
  own_ = Buffer();
  filled_ = false;
}

}  // namespace roofmark
