// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace roofmark {
namespace {

TEST(Sketch, BucketsFollowOneAnotherWithoutGaps) {
  EXPECT_EQ(BucketBegin(0), 0u);
  for (uint16_t bucket = 0; bucket + 1u < kBuckets; ++bucket) {
    EXPECT_EQ(BucketLast(bucket) + 1, BucketBegin(static_cast<uint16_t>(bucket + 1)));
    EXPECT_EQ(BucketOf(BucketBegin(bucket)), bucket);
    EXPECT_EQ(BucketOf(BucketLast(bucket)), bucket);
  }
  EXPECT_EQ(BucketLast(kBuckets - 1), UINT64_MAX);
  EXPECT_EQ(BucketOf(UINT64_MAX), kBuckets - 1);
}

TEST(Sketch, TheMiddleIsNearEveryValue) {
  for (uint16_t bucket = 0; bucket < kBuckets; ++bucket) {
    for (const uint64_t value : {BucketBegin(bucket), BucketLast(bucket)}) {
      const auto middle = static_cast<double>(BucketMiddle(bucket));
      EXPECT_LE(std::abs(middle - static_cast<double>(value)),
                kBucketError * static_cast<double>(value));
    }
  }
}

TEST(Sketch, AnyOrderAndGroupingGivesTheSame) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    Sketch straight;
    std::vector<Sketch> parts(1 + random() % 9);
    std::vector<uint16_t> buckets;
    for (int i = 0; i < 200; ++i) {
      buckets.push_back(BucketOf(random() >> random() % 64));
      straight.Add(buckets.back(), 1);
      parts[random() % parts.size()].Add(buckets.back(), 1);
    }
    while (parts.size() > 1) {
      const size_t i = random() % (parts.size() - 1);
      parts[i].Add(parts.back());
      parts.pop_back();
    }
    EXPECT_TRUE(parts[0] == straight);
    EXPECT_EQ(parts[0].Total(), 200u);
    std::sort(buckets.begin(), buckets.end());
    for (size_t i = 0; i < buckets.size(); ++i) EXPECT_EQ(straight.BucketAt(i), buckets[i]);
  }
}

}  // namespace
}  // namespace roofmark
