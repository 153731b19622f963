// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks of a job that run on the same package: here several Packages in one process, which the
// launcher's variables make ranks.
#include "collectors/hardware/package/packages.h"

#include <sys/wait.h>

#include <cstdlib>
#include <memory>
#include <thread>

#include "lib/core/log.h"
#include "lib/core/messages/collectors.h"
#include "tests/collectors/hardware/package/on_packages.h"
#include "tests/collectors/perf_event/on_virtual_machine.h"
#include "tests/support/end_child.h"
#include "tests/support/held_clock.h"
#include "tests/support/says.h"

namespace roofmark::package {
namespace {

using perf_test::Sums;
using testing::HasSubstr;

constexpr MetricId kRead = metric::kPackageDramReadBytes, kWrite = metric::kPackageDramWriteBytes;

class PackagesTest : public OnPackages {
 protected:
  void SetUp() override {
    OnPackages::SetUp();
    BeAnotherJob();
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "2", 1);
  }
  void TearDown() override {
    ranks_.clear();
    unsetenv("PMIX_NAMESPACE");
    unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    unsetenv("OMPI_COMM_WORLD_RANK");
    OnPackages::TearDown();
  }

  static void BeAnotherJob() {
    static int number = 0;
    setenv("PMIX_NAMESPACE", fmt::format("packages_test{}.{}", getpid(), ++number).c_str(), 1);
  }
  Packages& Rank(uint32_t rank, bool sync = false) {
    setenv("OMPI_COMM_WORLD_RANK", std::to_string(rank).c_str(), 1);
    ranks_.push_back(std::make_unique<Packages>(plan_, sync));
    return *ranks_.back();
  }
  // One that counts, with a region "solve" as path 1 and "solve/inner" as path 2.
  Packages& Counting(uint32_t rank) {
    Packages& packages = Rank(rank);
    for (const OfferedMetric& offer : packages.Open(1000)) {
      EXPECT_EQ(offer.status, Status::kMeasured) << offer.reason;
    }
    packages.DefinePath(1, 0, "solve");
    packages.DefinePath(2, 1, "solve/inner");
    return packages;
  }
  static Status StatusOf(const std::vector<OfferedMetric>& offered) { return offered.at(0).status; }

  std::vector<std::unique_ptr<Packages>> ranks_;
};

// The metric of a path: its packages' values, once for each.
uint64_t Shared(Sums& sums, const std::string& path, MetricId metric) {
  const auto& parts = sums.shared[{path, metric}];
  EXPECT_EQ(parts.size(), 1u) << path;
  if (parts.empty()) return 0;
  EXPECT_EQ(parts[0].second, Status::kMeasured);
  EXPECT_EQ(parts[0].first.count, 1u);
  return parts[0].first.sum;
}

TEST_F(PackagesTest, TheLastOneHandsOverForAll) {
  Packages& first = Counting(0);
  Packages& second = Counting(1);
  first.EnterTeam(1, true);
  second.EnterTeam(1, true);
  Move(0);
  first.EnterTeam(0, true);
  second.EnterTeam(2, true);
  Move(0, 10);
  second.EnterTeam(1, true);
  second.EnterTeam(0, true);
  Sums nothing, all;
  first.Harvest({}, nothing);
  EXPECT_TRUE(nothing.shared.empty());
  second.Harvest({}, all);
  EXPECT_EQ(Shared(all, "solve", kRead), 11 * AllReads(0));
  EXPECT_EQ(Shared(all, "solve", kWrite), 11 * kAllWrites);
  EXPECT_EQ(Shared(all, "solve/inner", kRead), 10 * AllReads(0));
  EXPECT_EQ(Shared(all, "solve", metric::kPackageControllers), kControllers);
  EXPECT_EQ(Shared(all, "solve", metric::kPackageControllerBytesMax),
            11 * 64 * (LinesOf(0, kControllers - 1) + kControllers));
}

TEST_F(PackagesTest, TheOwnerOpensOnceAndTheNeighbourNothing) {
  vpmu_statistics before, owner, both;
  vpmu_get_statistics(&before);
  Counting(0);
  vpmu_get_statistics(&owner);
  Counting(1);
  vpmu_get_statistics(&both);
  EXPECT_EQ(owner.events - before.events, 2 * kControllers);
  EXPECT_EQ(both.events, owner.events);
  EXPECT_EQ(both.opens, owner.opens);
}

// The share of each rank by its last-level misses; together they are the package's bytes.
TEST_F(PackagesTest, ApportionedBytesFollowTheMissesAndSumUp) {
  Packages& first = Counting(4);
  Packages& second = Counting(9);
  for (Packages* rank : {&first, &second}) rank->EnterTeam(1, true);
  Move(0);
  for (Packages* rank : {&first, &second}) rank->EnterTeam(0, true);
  Sums nothing, all;
  first.Harvest({0, 200, 100}, nothing);  // those of the inner region belong to the outer one too
  second.Harvest({0, 100}, all);
  const auto& parts = all.shared[{"solve", metric::kApportionedDramBytes}];
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].second, Status::kModelled);
  const Distribution& shares = parts[0].first;
  const uint64_t bytes = AllReads(0) + kAllWrites;
  EXPECT_EQ(shares.sum, bytes);
  EXPECT_EQ(shares.count, 2u);
  EXPECT_EQ(shares.min, bytes / 4);
  EXPECT_EQ(shares.min_rank, 9u);
  EXPECT_EQ(shares.max, bytes / 4 * 3);
  EXPECT_EQ(shares.max_rank, 4u);
}

TEST_F(PackagesTest, WithoutMissesNothingIsApportioned) {
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "1", 1);
  Packages& alone = Counting(0);
  alone.EnterTeam(1, true);
  Move(0);
  alone.EnterTeam(0, true);
  Sums all;
  alone.Harvest({}, all);
  EXPECT_EQ(Shared(all, "solve", kRead), AllReads(0));
  EXPECT_FALSE(all.shared.contains({"solve", metric::kApportionedDramBytes}));
}

TEST_F(PackagesTest, BackgroundTrafficOfThePackage) {
  Packages& first = Counting(0);
  Packages& second = Counting(1);
  Move(0, 3);
  first.EnterTeam(1, true);
  Move(0, 100);
  first.EnterTeam(0, true);
  Move(0, 4);
  Sums sums;
  first.Harvest({}, sums);
  second.Harvest({}, sums);
  EXPECT_TRUE(first.BackgroundTraffic().empty());
  const std::vector<Background> background = second.BackgroundTraffic();
  ASSERT_EQ(background.size(), 1u);
  EXPECT_EQ(background[0].package, 0u);
  EXPECT_EQ(background[0].bytes, 7 * (AllReads(0) + kAllWrites));
  EXPECT_GT(background[0].ns, 0u);
}

TEST_F(PackagesTest, TooShortVisitsAreLeftToTheRegionAround) {
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "1", 1);
  // Visits last as long as a reading of the controllers, in which the clock moves.
  const test::HeldClock clock(/*reading_ns=*/1000);
  Packages& alone = Counting(0);
  alone.EnterTeam(1, true);
  for (int i = 0; i < 64; ++i) {
    alone.EnterTeam(2, true);
    alone.EnterTeam(1, true);
  }
  alone.EnterTeam(2, true);
  alone.EnterTeam(1, true);
  Move(0);
  held_clock_pass(20'000'000);
  alone.EnterTeam(0, true);
  Sums sums;
  alone.Harvest({}, sums);
  EXPECT_EQ(Shared(sums, "solve", kRead), AllReads(0));
  const auto& inner = sums.shared[{"solve/inner", kRead}];
  ASSERT_EQ(inner.size(), 1u);
  EXPECT_EQ(inner[0].second, Status::kUnsupported);
  EXPECT_EQ(inner[0].first.sum, 0u);
  EXPECT_THAT(ComplaintsAsLines(), test::Says(message::kTooShortForControllers, "solve/inner"));
}

TEST_F(PackagesTest, ThreadsAreOneProcess) {
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "1", 1);
  Packages& alone = Counting(0);
  alone.EnterTeam(1, true);
  std::thread([&] {
    alone.EnterOwn(1, true);
    Move(0);
    alone.EnterOwn(0, true);
  }).join();
  Move(0, 10);
  alone.EnterTeam(0, true);
  Sums sums;
  alone.Harvest({}, sums);
  EXPECT_EQ(Shared(sums, "solve", kRead), 11 * AllReads(0));
  EXPECT_GT(Shared(sums, "solve", metric::kPackageTimeNs), 0u);
}

TEST_F(PackagesTest, ForbiddenIsTheReasonForEveryMetricOfAllRanks) {
  vpmu_set_privileged(0);
  for (const uint32_t rank : {0u, 1u}) {
    for (const OfferedMetric& offer : Rank(rank).Open(1000)) {
      EXPECT_EQ(offer.status, Status::kDenied);
      EXPECT_THAT(offer.reason, HasSubstr("/proc/sys/kernel/perf_event_paranoid is 2"));
    }
    EXPECT_FALSE(ranks_.back()->counts());
  }
}

// The others must not wait for its regions at the end.
// Another collector may be tried before the one that is taken.
TEST_F(PackagesTest, WhoeverLeavesBeforeTheEndMayComeAgain) {
  Counting(0);
  ranks_.clear();
  Packages& again = Counting(0);
  Packages& other = Counting(1);
  again.EnterTeam(1, true);
  Move(0);
  again.EnterTeam(0, true);
  Sums nothing, all;
  other.Harvest({}, nothing);
  EXPECT_TRUE(nothing.shared.empty());
  again.Harvest({}, all);
  EXPECT_EQ(Shared(all, "solve", kRead), AllReads(0));
}

// It tries another collector while the other one still counts with the first.
TEST_F(PackagesTest, WhoComesAgainFirstOwnsThemBesideWhoHasNotLeftYet) {
  Counting(0);
  Counting(1);
  ranks_.pop_back();
  Packages& again = Counting(1);
  ranks_.erase(ranks_.begin());
  Packages& other = Counting(0);
  again.EnterTeam(1, true);
  Move(0);
  again.EnterTeam(0, true);
  Sums nothing, all;
  again.Harvest({}, nothing);
  other.Harvest({}, all);
  EXPECT_EQ(Shared(all, "solve", kRead), AllReads(0));
}

// The owner leaves just when its neighbour wants to ask it.
TEST_F(PackagesTest, WhoeverFindsTheOwnerLeavingOpensAnew) {
  for (int round = 0; round < 50 && !HasFailure(); ++round) {
    ranks_.clear();
    BeAnotherJob();
    Counting(0);
    setenv("OMPI_COMM_WORLD_RANK", "1", 1);
    Packages neighbour(plan_, false);
    std::thread leaves([&] { ranks_.clear(); });
    for (const OfferedMetric& offer : neighbour.Open(1000)) {
      EXPECT_EQ(offer.status, Status::kMeasured) << offer.reason;
    }
    leaves.join();
  }
}

TEST_F(PackagesTest, ARankThatCannotTakeThemDoesNotKeepTheOthersFromHandingOver) {
  Packages& first = Counting(0);
  const auto refused = Rank(1).Open(5);
  EXPECT_EQ(StatusOf(refused), Status::kDenied);
  EXPECT_THAT(refused[0].reason, HasSubstr("ulimit -n"));
  first.EnterTeam(1, true);
  Move(0);
  first.EnterTeam(0, true);
  Sums sums;
  first.Harvest({}, sums);
  EXPECT_EQ(Shared(sums, "solve", kRead), AllReads(0));
  EXPECT_EQ(Shared(sums, "solve", metric::kPackageSharedNs), 0u);
}

TEST_F(PackagesTest, BothEndsOfAFailureAreTold) {
  const auto refused = Rank(0).Open(5);
  EXPECT_THAT(refused[0].reason, HasSubstr("ulimit -n"));
  const auto neighbour = Rank(1).Open(1000);
  EXPECT_EQ(StatusOf(neighbour), Status::kDenied);
  EXPECT_THAT(neighbour[0].reason, HasSubstr("ulimit -n"));
}

TEST_F(PackagesTest, RanksThatWaitForEachOtherEnterTogether) {
  std::vector<Packages*> ranks;
  for (const uint32_t number : {0u, 1u}) {
    Packages& rank = *ranks.emplace_back(&Rank(number, /*sync=*/true));
    ASSERT_EQ(StatusOf(rank.Open(1000)), Status::kMeasured);
    rank.DefinePath(1, 0, "solve");
  }
  std::thread second([&] { ranks[1]->EnterTeam(1, true); });
  ranks[0]->EnterTeam(1, true);
  second.join();
  EXPECT_EQ(ranks[0]->Facts()["sync"], "node");
  ranks[0]->EnterTeam(0, true);  // the other one does not come
  EXPECT_EQ(ranks[0]->Facts()["sync"], "node, until a rank did not arrive");
  EXPECT_THAT(ComplaintsAsLines(), test::Says(message::kSyncIsOff, 2, "end", 0));
}

TEST_F(PackagesTest, AForkedChildCountsNothing) {
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "1", 1);
  Packages& alone = Counting(0);
  alone.EnterTeam(1, true);
  const pid_t child = fork();
  if (child == 0) {
    alone.EnterTeam(0, true);
    test::EndChild(alone.counts() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  Move(0);
  alone.EnterTeam(0, true);
  Sums sums;
  alone.Harvest({}, sums);
  EXPECT_EQ(Shared(sums, "solve", kRead), AllReads(0));
}

TEST_F(PackagesTest, AMarginOfRegionsThatHaveNoRoomIsSaid) {
  setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "1", 1);
  Packages& alone = Counting(0);
  alone.DefinePath(3, 0, std::string(2 * kMostNameBytes, 'x'));
  alone.EnterTeam(3, true);
  alone.EnterTeam(0, true);
  Sums sums;
  alone.Harvest({}, sums);
  EXPECT_THAT(ComplaintsAsLines(),
              test::Says(message::kControllersNotRead, 1, testing::_, testing::_));
}

}  // namespace
}  // namespace roofmark::package
