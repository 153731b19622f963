// SPDX-License-Identifier: BSD-3-Clause
#include "lib/fold/fold_devices.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

constexpr size_t kAdd = static_cast<size_t>(DeviceMetric::kDpAdd);

struct Tree {
  std::vector<PathNode> nodes = std::vector<PathNode>(4);  // root, a, a/b, c
  std::vector<std::string> names = {"", "a", "b", "c"};
  Tree() { nodes[2].parent = 1; }
};

counts::DeviceSums Sums(uint64_t adds, uint64_t lost = 0) {
  counts::DeviceSums sums;
  sums.ranges = 1;
  sums.lost = lost;
  sums.values[kAdd] = adds;
  return sums;
}

TEST(FoldDevices, APathHasWhatIsBelowIt) {
  const Tree tree;
  counts::DeviceCounts counted;
  counted.uuid = "u";
  counted.missing[0] = "why not";
  counted.paths = {{1, Sums(5)}, {2, Sums(7)}, {9, Sums(100)}};
  const auto devices = FoldDevices({counted}, tree.nodes, tree.names, "host");
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].host, "host");
  EXPECT_EQ(devices[0].sources[0], (DeviceSource{0, "why not"}));
  EXPECT_EQ(devices[0].sources[1], (DeviceSource{1, ""}));
  ASSERT_EQ(devices[0].rows.size(), 2u);
  EXPECT_EQ(devices[0].rows[0].path, "a");
  EXPECT_EQ(devices[0].rows[0].values[kAdd], 12u);
  EXPECT_EQ(devices[0].rows[0].ranges, 2u);
  EXPECT_EQ(devices[0].rows[1].path, "a/b");
  EXPECT_EQ(devices[0].rows[1].values[kAdd], 7u);
}

TEST(FoldDevices, WhatWasLostBelowAPathIsLostToIt) {
  const Tree tree;
  counts::DeviceCounts counted;
  counted.paths = {{1, Sums(5)}, {2, Sums(0, 3)}, {3, Sums(1)}};
  const auto devices = FoldDevices({counted}, tree.nodes, tree.names, "host");
  ASSERT_EQ(devices[0].rows.size(), 3u);
  EXPECT_EQ(devices[0].rows[0].lost, 3u);
  EXPECT_EQ(devices[0].rows[1].lost, 3u);
  EXPECT_EQ(devices[0].rows[2].lost, 0u);
}

}  // namespace
}  // namespace roofmark
