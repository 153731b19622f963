// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/segment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/end_child.h"
#include "tests/support/other_user.h"
#include "tests/support/sleeps.h"

namespace roofmark::package {
namespace {

using testing::HasSubstr;

using test::InChild;

class SegmentTest : public testing::Test {
 protected:
  SegmentTest() {
    static int number = 0;
    place_.job = fmt::format("segment_test{}.{}", getpid(), ++number);
    place_.expected = 2;
    place_.packages = 2;
    place_.events = 3;
    place_.fingerprint = 42;
  }
  ~SegmentTest() override {
    if (segment_) segment_->ForgetName();
    EXPECT_FALSE(HasFile());
  }
  bool HasFile() const { return std::filesystem::exists("/dev/shm" + Segment::FileOf(place_.job)); }

  Segment& Attach() {
    auto attached = Segment::Attach(place_);
    if (!attached) throw std::runtime_error(attached.error());
    segment_ = std::move(*attached);
    return *segment_;
  }

  Place place_;
  std::unique_ptr<Segment> segment_;
};

TEST_F(SegmentTest, ProcessesOfAJobSeeTheSameRecords) {
  Segment& mine = Attach();
  ASSERT_EQ(mine.Join(7, 0b01), 0);
  Entry* entry = mine.FindOrMake(1, "solve/inner");
  ASSERT_NE(entry, nullptr);
  entry->united_ns = 11;
  mine.Sums(1, entry)[2].value = 22;
  mine.IdleSums(1)[0].value = 33;
  EXPECT_EQ(InChild([&] {
              const auto other = Segment::Attach(place_);
              if (!other || (*other)->Join(8, 0b10) != 1) return 1;
              Entry* same = (*other)->FindOrMake(1, "solve/inner");
              if (same == nullptr || same->united_ns != 11) return 2;
              if ((*other)->Sums(1, same)[2].value != 22) return 3;
              if ((*other)->IdleSums(1)[0].value != 33) return 4;
              same->united_ns = 12;
              return 0;
            }),
            0);
  EXPECT_EQ(entry->united_ns, 12u);
  EXPECT_EQ(mine.header().members, 2u);
}

TEST_F(SegmentTest, AFileOfAnotherUserIsNotMapped) {
  if (!test::CanBeOthers()) GTEST_SKIP() << test::kOnlyRoot;
  const std::string name = Segment::FileOf(place_.job);
  ASSERT_EQ(test::AsOtherUser([&] {
              // What a process of the job would make; anybody can know its name.
              umask(0);
              const int file = shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0666);
              return file >= 0 && ftruncate(file, 64 << 20) == 0 ? 0 : 1;
            }),
            0);
  const test::Sleeps sleeps;
  const auto attached = Segment::Attach(place_);
  const long slept = sleeps.Count();
  shm_unlink(name.c_str());
  ASSERT_FALSE(attached);
  EXPECT_THAT(attached.error(), HasSubstr("another user"));
  // Each of its few system calls may wait for a lock of /dev/shm; it looks each millisecond where
  // there is something to be waited for.
  EXPECT_LE(slept, 20) << "nothing is to be waited for";
}

TEST_F(SegmentTest, AFileThatOthersCanWriteToIsNotMapped) {
  const std::string name = Segment::FileOf(place_.job);
  const mode_t before = umask(0);
  const int file = shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0666);
  umask(before);
  ASSERT_GE(file, 0);
  close(file);
  const auto attached = Segment::Attach(place_);
  shm_unlink(name.c_str());
  ASSERT_FALSE(attached);
  EXPECT_THAT(attached.error(), HasSubstr("open to others"));
}

// Without protection the signal ends the child.
TEST_F(SegmentTest, TheLimitOnFileSizesIsAnErrorAndNoSignal) {
  EXPECT_EQ(InChild([&] {
              const rlimit limit{1000, 1000};
              setrlimit(RLIMIT_FSIZE, &limit);
              return Segment::Attach(place_) ? 1 : 0;
            }),
            0);
}

TEST_F(SegmentTest, RegionsAndPackagesHaveRowsOfTheirOwn) {
  Segment& segment = Attach();
  std::set<const void*> rows;
  for (uint32_t package = 0; package < place_.packages; ++package) {
    rows.insert(segment.IdleSums(package));
    for (const char* name : {"a", "b", "a/b", ""}) {
      Entry* entry = segment.FindOrMake(package, name);
      ASSERT_NE(entry, nullptr);
      EXPECT_EQ(segment.FindOrMake(package, name), entry);
      rows.insert(segment.Sums(package, entry));
      // No row reaches into the next.
      segment.Sums(package, entry)[place_.events - 1].value = 1;
      segment.Start(package, entry)[place_.events - 1].value = 1;
    }
  }
  EXPECT_EQ(rows.size(), 10u);
}

TEST_F(SegmentTest, MoreRegionsThanThereIsRoomForAreRefused) {
  Segment& segment = Attach();
  for (uint32_t i = 0; i < kMostEntries; ++i) {
    ASSERT_NE(segment.FindOrMake(0, fmt::format("region {}", i)), nullptr) << i;
  }
  EXPECT_EQ(segment.FindOrMake(0, "one more"), nullptr);
  EXPECT_NE(segment.FindOrMake(0, "region 17"), nullptr);
  EXPECT_NE(segment.FindOrMake(1, "one more"), nullptr) << "the other package has its own";
  EXPECT_EQ(segment.FindOrMake(1, std::string(kMostNameBytes, 'x')), nullptr);
}

TEST_F(SegmentTest, AProcessWithoutJobIsAlone) {
  place_.job.clear();
  Segment& mine = Attach();
  mine.Join(0, 1);
  const auto other = Segment::Attach(place_);
  ASSERT_TRUE(other);
  EXPECT_EQ((*other)->header().members, 0u);
}

TEST_F(SegmentTest, WhatADeadJobLeftIsThrownAway) {
  for (const bool joined : {true, false}) {
    ASSERT_EQ(InChild([&] {
                const auto left = Segment::Attach(place_);
                if (!left) return 1;
                if (joined) (*left)->Join(0, 1);
                (*left)->FindOrMake(0, "old")->united_ns = 99;
                return 0;
              }),
              0);
    ASSERT_TRUE(HasFile());
    Segment& segment = Attach();
    EXPECT_EQ(segment.header().members, 0u);
    EXPECT_EQ(segment.FindOrMake(0, "old")->united_ns, 0u);
    segment.ForgetName();
  }
}

// Each of them finds it, and the first one throws it away; the others keep what that one makes.
TEST_F(SegmentTest, WhoStartTogetherAfterADeadJobShareOneSegment) {
  constexpr int kProcesses = 8;
  for (int round = 0; round < 20 && !HasFailure(); ++round) {
    int begin[2], numbers[2], end[2];  // of which the first and the last are closed as a sign
    for (int* ends : {begin, numbers, end}) ASSERT_EQ(pipe(ends), 0);
    std::vector<pid_t> processes;
    for (uint32_t rank = 0; rank < kProcesses; ++rank) {
      processes.push_back(test::ForkForTest());
      if (processes.back() != 0) continue;
      close(begin[1]);
      close(end[1]);
      char nothing;
      bool told = read(begin[0], &nothing, 1) == 0;
      const auto attached = Segment::Attach(place_);
      const int number = attached ? (*attached)->Join(rank, 1) : -1;
      told = told && write(numbers[1], &number, sizeof number) == sizeof number;
      told = told && read(end[0], &nothing, 1) == 0;
      test::EndChild(told ? 0 : 1);
    }
    close(begin[1]);
    std::set<int> different;
    for (int i = 0; i < kProcesses; ++i) {
      int number = -1;
      EXPECT_EQ(read(numbers[0], &number, sizeof number), ssize_t{sizeof number});
      different.insert(number);
    }
    close(end[1]);
    for (const pid_t process : processes) waitpid(process, nullptr, 0);
    for (const int left : {begin[0], numbers[0], numbers[1], end[0]}) close(left);
    EXPECT_EQ(different.size(), size_t{kProcesses}) << "two segments: members have one number";
    EXPECT_EQ(different.count(-1), 0u);
  }
  shm_unlink(Segment::FileOf(place_.job).c_str());
}

TEST_F(SegmentTest, WhoCountsSomethingElseIsRefusedWithTheReason) {
  Segment& mine = Attach();
  mine.Join(0, 1);
  for (const bool more_events : {true, false}) {
    Place other = place_;
    more_events ? ++other.events : ++other.fingerprint;
    const auto refused = Segment::Attach(other);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("do not count the same events"));
    EXPECT_THAT(refused.error(), HasSubstr("ROOFMARK_GROUP"));
  }
}

TEST_F(SegmentTest, FullSharedMemoryIsAnErrorAtTheStart) {
  const int status = InChild([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, "") != 0 ||
        mount("tmpfs", "/dev/shm", "tmpfs", 0, "size=64k") != 0) {
      return 77;
    }
    const auto refused = Segment::Attach(place_);
    if (refused) return 1;
    if (refused.error().find("free memory in /dev/shm") == std::string::npos) return 2;
    return HasFile() ? 3 : 0;
  });
  if (status == 77) GTEST_SKIP() << "no right to mount a small /dev/shm";
  EXPECT_EQ(status, 0);
}

TEST_F(SegmentTest, AProcessKilledInsideTheMutexDamagesAndDelaysNobody) {
  Segment& segment = Attach();
  ASSERT_EQ(InChild([&] {
              new Hold(segment.package(1));  // and never lets go
              return 0;
            }),
            0);
  {
    const Hold hold(segment.package(1));
    EXPECT_TRUE(static_cast<bool>(hold)) << "it waited in vain, as for one that lives";
  }
  EXPECT_EQ(segment.package(1).damaged, 1u);
  EXPECT_TRUE(static_cast<bool>(Hold(segment.package(1)))) << "and it can be had again";
  EXPECT_EQ(segment.package(0).damaged, 0u);
}

TEST_F(SegmentTest, WhoDoesNotLetGoIsNotWaitedForForever) {
  Segment& segment = Attach();
  const Hold held(segment.package(0));
  std::thread([&] { EXPECT_FALSE(static_cast<bool>(Hold(segment.package(0)))); }).join();
}

TEST_F(SegmentTest, ForgettingTheNameKeepsTheRecords) {
  Segment& segment = Attach();
  segment.FindOrMake(0, "kept")->united_ns = 5;
  segment.ForgetName();
  EXPECT_FALSE(HasFile());
  EXPECT_EQ(segment.FindOrMake(0, "kept")->united_ns, 5u);
}

}  // namespace
}  // namespace roofmark::package
