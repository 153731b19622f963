// SPDX-License-Identifier: BSD-3-Clause
//
// The file of a job of a million ranks on 16,384 nodes, with 500 regions: how large it is, what
// rank 0 needs to write it, and that it can be read.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "benchmarks/overhead/mpi/synthetic.h"
#include "lib/profile/roofline_json.h"

namespace {
std::atomic<size_t> g_live{0}, g_peak{0};
}  // namespace

void* operator new(size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  const size_t live = g_live += malloc_usable_size(memory);
  if (live > g_peak) g_peak = live;
  return memory;
}
void operator delete(void* memory) noexcept {
  g_live -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

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
  g_peak = g_live.load();
  const std::string text = RooflineToJson({job, {}});
  const size_t needed = g_peak;  // the profile itself is in it
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
