// SPDX-License-Identifier: BSD-3-Clause
//
// How often values lie where: counts over fixed buckets, so that merging is adding and the result
// is the same for any order and any tree.
#ifndef ROOFMARK_LIB_PROFILE_SKETCH_H_
#define ROOFMARK_LIB_PROFILE_SKETCH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roofmark {

// 16 buckets of equal width per power of two; the values below 16 have one each. The middle of a
// bucket is within 1/32 of every value in it.
inline constexpr size_t kBuckets = 976;
inline constexpr double kBucketError = 1.0 / 32;

uint16_t BucketOf(uint64_t value);
// The smallest and the largest value of a bucket below kBuckets.
uint64_t BucketBegin(uint16_t bucket);
uint64_t BucketLast(uint16_t bucket);
// The value midway between both.
uint64_t BucketMiddle(uint16_t bucket);

// At most kBuckets counts, whatever was added. `bucket` must be below kBuckets.
class Sketch {
 public:
  void Add(uint16_t bucket, uint32_t count);
  void Add(const Sketch& other);

  bool empty() const { return counts_.empty(); }
  uint64_t Total() const;
  // The bucket of the `index`-th value in ascending order, from 0 on; `index` < Total().
  uint16_t BucketAt(uint64_t index) const;

  // Calls `visit(bucket, count)` for every count that is not zero, in ascending order.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] != 0) visit(static_cast<uint16_t>(first_ + i), counts_[i]);
    }
  }
  bool operator==(const Sketch&) const = default;

 private:
  void Cover(uint16_t from, uint16_t to);

  uint16_t first_ = 0;            // bucket of counts_[0]
  std::vector<uint32_t> counts_;  // from the lowest bucket in use to the highest
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_SKETCH_H_
