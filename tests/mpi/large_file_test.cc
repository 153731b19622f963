// SPDX-License-Identifier: BSD-3-Clause
//
// The file of a job of a million ranks on 16,384 nodes, with 500 regions: how large it is, what
// rank 0 needs to write it, and that it can be read.
#include <gtest/gtest.h>

#include <cstdio>

#include "benchmarks/overhead/mpi/synthetic.h"
#include "lib/profile/roofline_json.h"
#include "tests/support/allocations.h"

namespace roofmark::mpi {
namespace {

constexpr uint32_t kRanks = 1u << 20, kPerNode = 64, kRegions = 500;
constexpr size_t kMostFileBytes = 50'000'000, kMostMemoryBytes = 256'000'000;

// Of ranks from everywhere in the job, with all its nodes.
JobProfile LargeJob() {
  SyntheticJob job(kRanks, kPerNode, kRegions);
  JobProfile merged = job.Part(0);
  for (uint32_t i = 1; i < 128; ++i) MergeProfiles(merged, job.Part(i * (kRanks / 128) + i));
  merged.run.hosts.clear();
  for (uint32_t rank = 0; rank < kRanks; rank += kPerNode) {
    HostInfo host;
    host.name = job.HostOf(rank) + ".compute.cluster.example.org";
    host.ranks = kPerNode;
    host.cpuset = "0-31,64-95";
    host.cpus = kPerNode;
    host.cpu = "A Processor With A Name Of Usual Length @ 2.40GHz";
    host.kind = "0123456789abcdef";
    for (OverHost* figure : FiguresOf(host)) {
      for (uint32_t i = 0; i < kPerNode; ++i) {
        *figure = Combine(*figure, OverHost::Of(123'456'789'012 + rank + i));
      }
    }
    merged.run.hosts.push_back(host);
  }
  return merged;
}

TEST(LargeFile, IsBoundedAndCanBeRead) {
  const JobProfile job = LargeJob();
  test::WatchPeak();
  const std::string text = RooflineToJson({job, {}});
  const size_t needed = test::PeakBytes();  // the profile itself is in it
  RecordProperty("file_bytes", std::to_string(text.size()));
  RecordProperty("memory_bytes", std::to_string(needed));
  EXPECT_LE(text.size(), kMostFileBytes);
  EXPECT_LE(needed, kMostMemoryBytes);
  const Result<RooflineFile> back = RooflineFromJson(text, "large.json");
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(back->job.run.hosts.size(), kRanks / kPerNode);
  EXPECT_EQ(back->job.paths.size(), job.paths.size());
  std::printf("%zu bytes, %zu bytes of memory\n", text.size(), needed);
}

}  // namespace
}  // namespace roofmark::mpi
