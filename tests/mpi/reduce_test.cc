// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduce.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

#include "lib/core/limits.h"
#include "tests/mpi/random_job.h"
#include "tests/mpi/thread_comm.h"
#include "tests/support/rounds.h"

namespace roofmark::mpi {
namespace {

using random_job::Below;
using random_job::Part;
using random_job::Random;
using random_job::RandomTree;
using random_job::Serial;

void ExpectSame(const JobProfile& got, const JobProfile& want) {
  EXPECT_EQ(random_job::Difference(got, want), "");
}

// The merged profile of rank 0; checks that nobody else gets one.
JobProfile Parallel(ThreadWorld& world, const std::vector<JobProfile>& parts) {
  JobProfile merged;
  world.Run([&](Comm& comm) {
    auto result = ReduceProfiles(comm, parts[comm.Rank()]);
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->has_value(), comm.Rank() == 0);
    if (*result) merged = **std::move(result);
  });
  return merged;
}

class Reduce : public testing::TestWithParam<uint32_t> {};

TEST_P(Reduce, AgreesWithTheSerialMergeOnRandomTrees) {
  Random random(GetParam());
  const std::set<std::string> common = RandomTree(random, 60);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < GetParam(); ++rank) {
    std::set<std::string> paths;
    if (Below(random, 3)) paths = common;
    if (Below(random, 3)) paths.merge(RandomTree(random, 1 + Below(random, 30)));
    parts.push_back(Part(rank, GetParam(), paths, 1 + rank % 9, random));
  }
  ThreadWorld world(GetParam());
  ExpectSame(Parallel(world, parts), Serial(parts));
}

TEST_P(Reduce, FiveHundredRegionsOfTwentyMetricsAreExact) {
  Random random(17 * GetParam());
  std::set<std::string> paths;
  while (paths.size() < 500) paths.insert("region " + std::to_string(paths.size()));
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < GetParam(); ++rank) {
    parts.push_back(Part(rank, GetParam(), paths, 20, random));
  }
  ThreadWorld world(GetParam());
  ExpectSame(Parallel(world, parts), Serial(parts));
}

INSTANTIATE_TEST_SUITE_P(Ranks, Reduce, testing::Range(1u, 18u));

TEST(ReduceProfiles, ARegionOfOneRankSaysSo) {
  Random random(1);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < 3; ++rank) {
    parts.push_back(Part(
        rank, 3, rank == 1 ? std::set<std::string>{"lonely"} : std::set<std::string>{}, 1, random));
  }
  ThreadWorld world(3);
  const JobProfile merged = Parallel(world, parts);
  ASSERT_EQ(merged.paths.size(), 1u);
  EXPECT_EQ(merged.At(0, 0).ranks, 1u);
  EXPECT_EQ(merged.At(0, 0).min_rank, 1u);
  EXPECT_EQ(merged.run.ranks_merged, 3u);
}

TEST(ReduceProfiles, NoRegionsAnywhere) {
  Random random(1);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < 5; ++rank) parts.push_back(Part(rank, 5, {}, 1, random));
  ThreadWorld world(5);
  const JobProfile merged = Parallel(world, parts);
  EXPECT_TRUE(merged.paths.empty());
  EXPECT_EQ(merged.run.ranks_merged, 5u);
}

TEST(ReduceProfiles, WarningsAreCapped) {
  Random random(1);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < 13; ++rank) {
    parts.push_back(Part(rank, 13, {}, 1, random));
    for (int i = 0; i < 9; ++i) {
      parts.back().run.warnings.push_back(std::to_string(rank) + "." + std::to_string(i));
    }
  }
  JobProfile serial = Serial(parts);
  serial.run.warnings.resize(kMaxWarnings);
  serial.run.warnings.push_back("more warnings of other ranks were left out");
  ThreadWorld world(13);
  EXPECT_EQ(Parallel(world, parts).run.warnings, serial.run.warnings);
}

// Rows that only some ranks have, on trees of 8 ranks.
TEST(ReduceProfiles, RandomTreesOverEightRanks) {
  constexpr uint32_t kRanks = 8;
  const auto rounds = static_cast<uint32_t>(test::Rounds(1000));
  for (uint32_t round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
    Random random(round);
    const std::set<std::string> common = RandomTree(random, Below(random, 25));
    std::vector<JobProfile> parts;
    for (uint32_t rank = 0; rank < kRanks; ++rank) {
      std::set<std::string> paths = common;
      // Missing ones, with what lies below or without; and others, of any depth.
      std::erase_if(paths, [&](const std::string&) { return Below(random, 5) == 0; });
      if (Below(random, 2)) paths.merge(RandomTree(random, Below(random, 12)));
      if (Below(random, 8) == 0) paths.clear();
      parts.push_back(Part(rank, kRanks, paths, 1 + Below(random, 4), random));
    }
    ThreadWorld world(kRanks);
    SCOPED_TRACE(round);
    ExpectSame(Parallel(world, parts), Serial(parts));
  }
}

// What is said does not depend on who says it first.
TEST(ReduceProfiles, RanksThatCountedDifferentEventsSaySo) {
  Random random(1);
  for (uint32_t other = 0; other < 5; ++other) {
    std::vector<JobProfile> parts;
    for (uint32_t rank = 0; rank < 5; ++rank) {
      parts.push_back(Part(rank, 5, {"a"}, 1, random));
      MetricSource& source = parts.back().sources[UserMetric(0)];
      source = {"perf_event", Status::kMeasured, "", rank == other ? "cycles" : "instructions",
                "count"};
    }
    ThreadWorld world(5);
    const MetricSource source = Parallel(world, parts).sources[UserMetric(0)];
    EXPECT_EQ(source.status, Status::kInvalid);
    EXPECT_EQ(source.label, "cycles");
    EXPECT_EQ(source.reason, Serial(parts).sources[UserMetric(0)].reason);
  }
}

// What the merge costs where all ranks have the same paths: names have much in common, and are
// short.
TEST(ReduceProfiles, AMessageFromEachRankIsAll) {
  Random random(1);
  const std::set<std::string> paths = RandomTree(random, 500);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < 16; ++rank) {
    parts.push_back(Part(rank, 16, paths, 1, random));
    for (PathInfo& info : parts.back().paths) info.operation = "updates";
  }
  ThreadWorld world(16);
  const size_t table = Parallel(world, parts).paths.size() * 2 * sizeof(Cell);  // two metrics
  EXPECT_EQ(world.messages(), 2 * 15u);  // size and bytes, up the tree
  EXPECT_LT(world.bytes(), 15 * (table + 30'000u + 500 * 200));
}

// Another communicator, of which a test changes what it is about.
class Wrapped : public Comm {
 public:
  explicit Wrapped(Comm& comm) : comm_(comm) {}
  uint32_t Rank() const override { return comm_.Rank(); }
  uint32_t Size() const override { return comm_.Size(); }
  bool AllreduceU64(std::span<uint64_t> values, ReduceOp op) override {
    return comm_.AllreduceU64(values, op);
  }
  bool Bcast(void* data, size_t size) override { return comm_.Bcast(data, size); }
  bool Send(uint32_t to, const void* data, size_t size) override {
    return comm_.Send(to, data, size);
  }
  bool Recv(uint32_t from, void* data, size_t size) override {
    return comm_.Recv(from, data, size);
  }
  bool Arrived(uint32_t from, bool& arrived) override { return comm_.Arrived(from, arrived); }

 private:
  Comm& comm_;
};

// One call fails after it has done its work, so that nobody waits for it.
class Failing final : public Wrapped {
 public:
  Failing(Comm& comm, int calls) : Wrapped(comm), calls_(calls) {}
  bool Send(uint32_t to, const void* data, size_t size) override {
    return Wrapped::Send(to, data, size) && --calls_ != 0;
  }
  bool Recv(uint32_t from, void* data, size_t size) override {
    return Wrapped::Recv(from, data, size) && --calls_ != 0;
  }

 private:
  int calls_;
};

TEST(ReduceProfiles, AFailingCommunicatorIsAnError) {
  Random random(1);
  const JobProfile part = Part(0, 2, {"a"}, 1, random);
  // A message is its size and its bytes.
  for (const uint32_t failing : {0u, 1u}) {
    for (const int call : {1, 2}) {
      ThreadWorld world(2);
      world.Run([&](Comm& comm) {
        Failing fails(comm, call);
        const bool mine = comm.Rank() == failing;
        if (failing == 1 && call == 1 && !mine) return;  // its size came, and nothing will follow
        const auto result = ReduceProfiles(mine ? fails : comm, part);
        EXPECT_EQ(static_cast<bool>(result), !mine) << failing << call;
      });
    }
  }
}

// What one rank sends instead.
class Unsound final : public Wrapped {
 public:
  enum class What { kGarbage, kTooMuch };
  Unsound(Comm& comm, What what) : Wrapped(comm), what_(what) {}
  bool Send(uint32_t to, const void* data, size_t size) override {
    std::vector<char> bytes(static_cast<const char*>(data), static_cast<const char*>(data) + size);
    const bool is_size = !expects_message_;
    expects_message_ = is_size;
    if (what_ == What::kGarbage && !is_size) std::fill(bytes.begin(), bytes.end(), '\xff');
    if (what_ == What::kTooMuch && is_size) {
      const uint64_t much = limits::kMessageBytes + 1;
      std::memcpy(bytes.data(), &much, sizeof much);
      return Wrapped::Send(to, bytes.data(), size) && false;
    }
    return Wrapped::Send(to, bytes.data(), size);
  }

 private:
  const What what_;
  bool expects_message_ = false;
};

// Whatever it does: rank 0 knows, and all ranks end. With the same paths everywhere, and with a
// path of each rank's own.
TEST(ReduceProfiles, OneUnsoundRankKeepsNobodyWaiting) {
  Random random(1);
  for (const auto what : {Unsound::What::kGarbage, Unsound::What::kTooMuch}) {
    for (const bool same_paths : {true, false}) {
      for (uint32_t unsound = 1; unsound < 12; ++unsound) {
        std::vector<JobProfile> parts;
        for (uint32_t rank = 0; rank < 12; ++rank) {
          parts.push_back(
              Part(rank, 12, {same_paths ? "a" : "a" + std::to_string(rank)}, 1, random));
        }
        ThreadWorld world(12);
        bool merged = true;
        world.Run([&](Comm& comm) {
          Unsound wrong(comm, what);
          const bool sound = comm.Rank() != unsound;
          const auto result = ReduceProfiles(sound ? comm : wrong, parts[comm.Rank()]);
          if (comm.Rank() == 0) merged = static_cast<bool>(result);
        });
        EXPECT_FALSE(merged) << static_cast<int>(what) << " by rank " << unsound;
      }
    }
  }
}

}  // namespace
}  // namespace roofmark::mpi
