// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/sketch.h"

#include <algorithm>
#include <bit>

namespace roofmark {
namespace {

constexpr unsigned kBits = 4;  // of the mantissa that tell buckets apart
constexpr uint64_t kPerOctave = uint64_t{1} << kBits;

// How far the values of a bucket were shifted.
unsigned ShiftOf(uint16_t bucket) {
  return bucket < kPerOctave ? 0 : static_cast<unsigned>(bucket / kPerOctave - 1);
}

}  // namespace

static_assert(kBuckets == (64 - kBits + 1) * kPerOctave);

uint16_t BucketOf(uint64_t value) {
  if (value < kPerOctave) return static_cast<uint16_t>(value);
  const auto shift = static_cast<unsigned>(std::bit_width(value)) - kBits - 1;
  return static_cast<uint16_t>(shift * kPerOctave + (value >> shift));
}

uint64_t BucketBegin(uint16_t bucket) {
  const unsigned shift = ShiftOf(bucket);
  return (bucket - shift * kPerOctave) << shift;
}

uint64_t BucketLast(uint16_t bucket) {
  return BucketBegin(bucket) + ((uint64_t{1} << ShiftOf(bucket)) - 1);
}

uint64_t BucketMiddle(uint16_t bucket) {
  return BucketBegin(bucket) + ((uint64_t{1} << ShiftOf(bucket)) - 1) / 2;
}

void Sketch::Cover(uint16_t from, uint16_t to) {
  if (counts_.empty()) {
    first_ = from;
  } else if (from < first_) {
    counts_.insert(counts_.begin(), static_cast<size_t>(first_ - from), 0);
    first_ = from;
  }
  counts_.resize(std::max<size_t>(counts_.size(), static_cast<size_t>(to - first_) + 1));
}

void Sketch::Add(uint16_t bucket, uint32_t count) {
  if (count == 0) return;
  Cover(bucket, bucket);
  counts_[static_cast<size_t>(bucket - first_)] += count;
}

void Sketch::Add(const Sketch& other) {
  if (other.empty()) return;
  Cover(other.first_, static_cast<uint16_t>(other.first_ + other.counts_.size() - 1));
  const size_t at = static_cast<size_t>(other.first_ - first_);
  for (size_t i = 0; i < other.counts_.size(); ++i) counts_[at + i] += other.counts_[i];
}

uint64_t Sketch::Total() const {
  uint64_t total = 0;
  for (const uint32_t count : counts_) total += count;
  return total;
}

uint16_t Sketch::BucketAt(uint64_t index) const {
  size_t i = 0;
  for (uint64_t below = 0; i + 1 < counts_.size(); ++i) {
    below += counts_[i];
    if (below > index) break;
  }
  return static_cast<uint16_t>(first_ + i);
}

}  // namespace roofmark
