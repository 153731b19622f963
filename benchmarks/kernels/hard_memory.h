// SPDX-License-Identifier: BSD-3-Clause
//
// The memory side of `hard`: loads whose addresses no prefetcher foresees. One instance for each
// thread.
#ifndef ROOFMARK_BENCHMARKS_KERNELS_HARD_MEMORY_H_
#define ROOFMARK_BENCHMARKS_KERNELS_HARD_MEMORY_H_

#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace hard {

constexpr long kAccesses = 1L << 19;  // in an iteration, whatever the size
constexpr long kLine = 64;            // bytes

// Numbers in no order that a machine could foresee: a linear congruential generator with the
// constants of MMIX (Knuth, The Art of Computer Programming 2, section 3.3.4).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) { Next(); }
  uint64_t Next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 20;
  }
  long Below(long limit) { return static_cast<long>(Next() % static_cast<uint64_t>(limit)); }

 private:
  uint64_t state_;
};

// Each line holds the address of the next one, in one random cycle through all of them: a load
// cannot begin before the last one has ended.
class Chase {
 public:
  Chase(long lines, uint64_t seed) : order_(static_cast<size_t>(lines)) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    Random random(seed);
    for (long i = lines - 1; i > 0; --i) {
      std::swap(order_[static_cast<size_t>(i)], order_[static_cast<size_t>(random.Below(i + 1))]);
    }
    lines_.resize(order_.size());
    for (size_t i = 0; i < order_.size(); ++i) {
      lines_[order_[i]].next = &lines_[order_[(i + 1) % order_.size()]];
    }
    here_ = &lines_[order_[0]];
  }
  void Run() {
    const Node* here = here_;
    for (long i = 0; i < kAccesses; ++i) here = here->next;
    here_ = here;
    steps_ += kAccesses;
  }
  double Error() const {
    return here_ == &lines_[order_[static_cast<size_t>(steps_) % order_.size()]] ? 0 : 1;
  }

 private:
  struct alignas(kLine) Node {
    const Node* next;
  };
  std::vector<size_t> order_;
  std::vector<Node> lines_;
  const Node* here_;
  long steps_ = 0;
};

// Random words of a table are changed: independent of each other, but each misses.
class Updates {
 public:
  Updates(long lines, uint64_t seed)
      : seed_(seed), table_(static_cast<size_t>(lines * (kLine / 8))) {
    std::iota(table_.begin(), table_.end(), uint64_t{0});
  }
  void Run() { Change(seed_ + static_cast<uint64_t>(runs_++)); }
  // The same changes once more undo them.
  double Error() {
    while (runs_ > 0) Change(seed_ + static_cast<uint64_t>(--runs_));
    for (size_t i = 0; i < table_.size(); ++i) {
      if (table_[i] != i) return 1;
    }
    return 0;
  }

 private:
  void Change(uint64_t seed) {
    Random random(seed);
    uint64_t* table = table_.data();
    const uint64_t size = table_.size();  // a power of two
    for (long i = 0; i < kAccesses; ++i) {
      const uint64_t value = random.Next();
      table[value & (size - 1)] ^= value;
    }
  }
  uint64_t seed_;
  std::vector<uint64_t> table_;
  long runs_ = 0;
};

// Random elements of a table are scaled: the addresses are known long before.
class Gather {
 public:
  static constexpr double kFactor = 0.75;

  Gather(long lines, uint64_t seed)
      : table_(static_cast<size_t>(lines * (kLine / 8))),
        index_(static_cast<size_t>(kAccesses)),
        result_(static_cast<size_t>(kAccesses)) {
    std::iota(table_.begin(), table_.end(), 0.0);
    Random random(seed);
    for (uint32_t& index : index_) {
      index = static_cast<uint32_t>(random.Below(static_cast<long>(table_.size())));
    }
  }
  void Run() {
    const double* table = table_.data();
    const uint32_t* index = index_.data();
    double* result = result_.data();
    for (long i = 0; i < kAccesses; ++i) result[i] = kFactor * table[index[i]];
  }
  double Error() const {
    for (size_t i = 0; i < result_.size(); ++i) {
      if (result_[i] != kFactor * index_[i]) return 1;
    }
    return 0;
  }

 private:
  std::vector<double> table_;
  std::vector<uint32_t> index_;
  std::vector<double> result_;
};

}  // namespace hard

#endif  // ROOFMARK_BENCHMARKS_KERNELS_HARD_MEMORY_H_
