// SPDX-License-Identifier: BSD-3-Clause
#include "command/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roofmark::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// As `recover` writes it of the processes of a node, of a job of four.
RooflineFile OfNode(const char* name, uint32_t first, uint32_t merged) {
  RooflineFile file;
  RunInfo& run = file.job.run;
  run.ranks = 4;
  run.first_rank = first;
  run.ranks_merged = run.recovered_ranks = merged;
  HostInfo host = {};
  host.name = name;
  host.ranks = merged;
  run.hosts = {host};
  if (merged < 4) run.warnings = {"2 of 4 ranks are missing: 0, 1"};
  return file;
}

TEST(Parts, FilesOfNodesAreMerged) {
  const auto whole = MergeParts({OfNode("node1", 0, 2), OfNode("node2", 2, 2)}, {"a", "b"});
  ASSERT_TRUE(whole) << whole.error();
  EXPECT_EQ(whole->job.run.ranks_merged, 4u);
  EXPECT_EQ(whole->job.run.recovered_ranks, 4u);
  EXPECT_THAT(whole->job.run.warnings, IsEmpty());
}

TEST(Parts, WhatIsMissingIsCounted) {
  const auto some = MergeParts({OfNode("node2", 2, 2), OfNode("node1", 1, 1)}, {"a", "b"});
  ASSERT_TRUE(some) << some.error();
  EXPECT_THAT(some->job.run.warnings, ElementsAre("1 of 4 ranks are missing"));
}

TEST(Parts, NoRankIsTakenTwice) {
  const auto same_node = MergeParts({OfNode("node1", 0, 2), OfNode("node1", 1, 1)}, {"a", "b"});
  ASSERT_FALSE(same_node);
  EXPECT_THAT(same_node.error(), HasSubstr("a and b both have ranks of node node1"));
  const auto too_many = MergeParts({OfNode("node1", 0, 3), OfNode("node2", 2, 2)}, {"a", "b"});
  ASSERT_FALSE(too_many);
  EXPECT_THAT(too_many.error(), HasSubstr("with b there are 5 ranks of a job of 4"));
  const auto same_rank = MergeParts({OfNode("node1", 0, 2), OfNode("node2", 0, 2)}, {"a", "b"});
  ASSERT_FALSE(same_rank);
  EXPECT_THAT(same_rank.error(), HasSubstr("both belong to rank 0"));
}

}  // namespace
}  // namespace roofmark::cli
