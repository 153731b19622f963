// SPDX-License-Identifier: BSD-3-Clause
//
// Regions of several processes of one package: here several Intervals on one segment.
#include "collectors/hardware/package/intervals.h"

#include <time.h>

#include <array>
#include <thread>

#include "collectors/hardware/package/weigh.h"
#include "tests/collectors/hardware/package/on_packages.h"
#include "tests/support/held_clock.h"

namespace roofmark::package {
namespace {

class IntervalsTest : public OnPackages {
 protected:
  void SetUp() override {
    OnPackages::SetUp();
    Place place;
    place.packages = 1;
    place.events = static_cast<uint32_t>(plan_.events.size());
    auto segment = Segment::Attach(place);
    ASSERT_TRUE(segment);
    segment_ = std::move(*segment);
    for (auto& rank : ranks_) {
      auto controllers = Open(0);
      ASSERT_TRUE(controllers) << controllers.error();
      rank = std::make_unique<Intervals>(*segment_, 0, std::move(*controllers));
    }
    solve_ = ranks_[0]->EntryOf("solve");
    ASSERT_EQ(ranks_[1]->EntryOf("solve"), solve_);
  }
  void TearDown() override {
    for (auto& rank : ranks_) rank.reset();
    OnPackages::TearDown();
  }

  // As an outermost region.
  void Enter(size_t rank, Entry* entry) { ranks_[rank]->Apply({{}, {&entry, 1}, false, true}); }
  void Leave(size_t rank, Entry* entry) { ranks_[rank]->Apply({{&entry, 1}, {}, true, false}); }
  static void Nap(long ms) {
    const timespec time{0, ms * 1'000'000};
    nanosleep(&time, nullptr);
  }
  uint64_t BytesIn(const Entry* entry) const {
    return TotalBytes(plan_, segment_->Sums(0, entry)).value;
  }
  uint64_t Idle() const { return TotalBytes(plan_, segment_->IdleSums(0)).value; }

  const uint64_t bytes_ = AllReads(0) + kAllWrites;  // of one Move
  std::unique_ptr<Segment> segment_;
  std::array<std::unique_ptr<Intervals>, 2> ranks_;
  Entry* solve_ = nullptr;
};

TEST_F(IntervalsTest, ARegionGetsWhatMovedMeanwhile) {
  Move(0);
  Enter(0, solve_);
  Move(0, 3);
  Leave(0, solve_);
  Move(0);
  EXPECT_EQ(BytesIn(solve_), 3 * bytes_);
  EXPECT_EQ(solve_->intervals, 1u);
}

// Each for itself would count what moved while both were in it twice.
TEST_F(IntervalsTest, OverlappingVisitsAreUnitedNeverSummed) {
  Enter(0, solve_);
  Move(0, 1);
  Enter(1, solve_);
  Move(0, 10);
  Leave(0, solve_);
  Move(0, 100);
  Leave(1, solve_);
  Move(0, 1000);
  EXPECT_EQ(BytesIn(solve_), 111 * bytes_);
  EXPECT_EQ(solve_->intervals, 1u);
}

TEST_F(IntervalsTest, TimeThatNotAllWereInIsRecorded) {
  Enter(0, solve_);
  Nap(20);
  Enter(1, solve_);
  Nap(40);
  Leave(0, solve_);
  Nap(20);
  Leave(1, solve_);
  EXPECT_GE(solve_->united_ns, 80'000'000u);
  EXPECT_GE(solve_->shared_ns, 40'000'000u);
  EXPECT_LE(solve_->shared_ns + 40'000'000, solve_->united_ns + 1'000'000);
}

TEST_F(IntervalsTest, TwoRegionsAtATimeBothHaveWhatMoved) {
  Entry* other = ranks_[1]->EntryOf("other");
  Enter(0, solve_);
  Enter(1, other);
  Move(0);
  Leave(1, other);
  Leave(0, solve_);
  EXPECT_EQ(BytesIn(solve_), bytes_);
  EXPECT_EQ(BytesIn(other), bytes_);
  EXPECT_GT(other->shared_ns, 0u);
}

TEST_F(IntervalsTest, TrafficOutsideOfAllRegionsIsBackground) {
  Move(0, 5);
  Enter(0, solve_);
  Enter(1, solve_);
  Move(0, 100);
  Leave(0, solve_);
  Move(0, 100);  // rank 1 is still inside
  Leave(1, solve_);
  Move(0, 7);
  Enter(1, solve_);
  Leave(1, solve_);
  EXPECT_EQ(Idle(), 12 * bytes_);
  EXPECT_GT(segment_->package(0).idle_ns, 0u);
  EXPECT_EQ(segment_->package(0).idle_invalid, 0u);
}

TEST_F(IntervalsTest, OneReadForAllThatChangesAtABoundary) {
  Entry* inner = ranks_[0]->EntryOf("solve/inner");
  std::array<Entry*, 2> both = {solve_, inner};
  vpmu_statistics before, after;
  vpmu_get_statistics(&before);
  ranks_[0]->Apply({{}, both, false, true});
  vpmu_get_statistics(&after);
  EXPECT_EQ(after.reads - before.reads, kControllers) << "one read for each group";
  ranks_[1]->Apply({{}, both, false, true});
  vpmu_statistics second;
  vpmu_get_statistics(&second);
  EXPECT_EQ(second.reads, after.reads) << "who is not the first reads nothing";
  std::swap(both[0], both[1]);
  ranks_[0]->Apply({both, {}, true, false});
  ranks_[1]->Apply({both, {}, true, false});
}

TEST_F(IntervalsTest, AReadThatFailsMakesTheRegionInvalidNotZero) {
  Enter(0, solve_);
  Move(0);
  ASSERT_EQ(vpmu_fault("read:2:EIO"), 0);
  Leave(0, solve_);
  EXPECT_EQ(solve_->invalid, 1u);
  EXPECT_EQ(segment_->package(0).idle_invalid, 1u);
}

// Even if it is still above what the region began with.
TEST_F(IntervalsTest, CountsThatRunBackwardsAreNotBelieved) {
  Entry* other = ranks_[1]->EntryOf("other");
  Enter(0, solve_);
  Move(0, 1000);
  Enter(1, other);
  ASSERT_EQ(vpmu_fault("read:1:backwards"), 0);
  Leave(0, solve_);
  EXPECT_EQ(solve_->invalid, 1u);
  EXPECT_EQ(other->invalid, 1u);
}

// What begins with a total that is too small would get too much.
TEST_F(IntervalsTest, NothingBeginsOrGoesOnWithATotalThatRanBackwards) {
  Entry* around = ranks_[0]->EntryOf("around");
  Entry* later = ranks_[0]->EntryOf("later");
  Move(0);
  Enter(1, around);
  Move(0);
  ASSERT_EQ(vpmu_fault("read:1:backwards"), 0);
  Enter(0, solve_);
  Move(0);
  Leave(0, solve_);
  Enter(0, later);
  Move(0);
  Leave(0, later);
  Leave(1, around);
  EXPECT_EQ(solve_->invalid, 1u);
  EXPECT_EQ(around->invalid, 1u);
  EXPECT_EQ(later->invalid, 0u);
  EXPECT_EQ(BytesIn(later), bytes_);
}

TEST_F(IntervalsTest, WhatIsOpenAtTheEndIsClosedThere) {
  Enter(0, solve_);
  Enter(1, solve_);
  Move(0, 2);
  ranks_[1]->CloseOff(false);
  EXPECT_EQ(BytesIn(solve_), 2 * bytes_);
  EXPECT_EQ(solve_->inside, 0u);
  EXPECT_EQ(solve_->invalid, 0u);
}

TEST_F(IntervalsTest, WhatAProcessThatDiedWasInIsNotKnown) {
  Entry* other = ranks_[1]->EntryOf("other");
  Enter(1, other);
  Leave(1, other);
  Enter(0, solve_);
  ranks_[1]->CloseOff(true);
  EXPECT_EQ(solve_->invalid, 1u);
  EXPECT_EQ(other->invalid, 0u);
}

TEST_F(IntervalsTest, TheIdleTimeUpToTheEndCounts) {
  Enter(0, solve_);
  Leave(0, solve_);
  Move(0, 9);
  ranks_[0]->CloseOff(false);
  EXPECT_EQ(Idle(), 9 * bytes_);
}

// The clock moves where it is read, which the controllers do, too: from the first reading on, since
// the shortest one counts.
class IntervalsOnAHeldClockTest : public IntervalsTest {
 protected:
  static constexpr uint64_t kClockNs = 1000;
  const test::HeldClock clock_{kClockNs};
};

// Visits that take less than twenty readings of the controllers on average are left to the region
// around them.
TEST_F(IntervalsOnAHeldClockTest, VisitsTooShortForReadingAreFound) {
  constexpr uint64_t kVisits = 64;
  Entry* empty = ranks_[0]->EntryOf("empty");
  Enter(0, empty);
  Leave(0, empty);
  const uint64_t shortest = empty->united_ns, reading = shortest - kClockNs;
  const auto visits_of = [&](const char* name, uint64_t ns) {
    Entry* entry = ranks_[0]->EntryOf(name);
    for (uint64_t i = 0; i < kVisits; ++i) {
      EXPECT_EQ(entry->too_short, 0u) << i;
      Enter(0, entry);
      held_clock_pass(ns - shortest);
      Leave(0, entry);
    }
    EXPECT_EQ(entry->united_ns, kVisits * ns);
    return entry->too_short.load();
  };
  EXPECT_EQ(visits_of("shorter", 20 * reading - 1), 1u);
  EXPECT_EQ(visits_of("longer", 20 * reading), 0u);
}

TEST_F(IntervalsTest, WhoCannotHaveTheRecordsSpoilsThemAndGoesOn) {
  Enter(0, solve_);
  {
    const Hold hold(segment_->package(0));
    std::thread([&] { Enter(1, solve_); }).join();
  }
  EXPECT_TRUE(ranks_[1]->gave_up());
  EXPECT_FALSE(ranks_[0]->gave_up());
  EXPECT_EQ(segment_->package(0).damaged, 1u);
}

}  // namespace
}  // namespace roofmark::package
