// SPDX-License-Identifier: BSD-3-Clause
//
// Directories in memory that all users share, where anybody can be first.
#include "lib/spool/place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>

#include "lib/spool/presence.h"
#include "tests/support/end_child.h"
#include "tests/support/other_user.h"
#include "tests/support/process.h"

namespace roofmark::spool {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class PlaceTest : public testing::Test {
 protected:
  PlaceTest() : place_(DefaultDirectory(fmt::format("place_test{}", getpid()))) {}
  ~PlaceTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(place_, ignored);
  }

  const std::string place_;
  const test::TempDir directory_;
};

TEST_F(PlaceTest, OwnDirectoriesAreFound) {
  const Result<NewFile> made = MakeFile(place_, "rank0.host.1.spool");
  ASSERT_TRUE(made) << made.error();
  close(made->fd);
  EXPECT_THAT(DefaultDirectories(), Contains(place_));
}

TEST_F(PlaceTest, ALinkInPlaceOfTheDirectoryIsRefused) {
  ASSERT_EQ(chmod(directory_.path().c_str(), 0700), 0);
  ASSERT_EQ(symlink(directory_.path().c_str(), place_.c_str()), 0);
  EXPECT_FALSE(MakeFile(place_, "rank0.host.1.spool"));
  EXPECT_THAT(DefaultDirectories(), Not(Contains(place_)));
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

// A user may have a link for the scratch directory of each node.
TEST_F(PlaceTest, ALinkThatTheUserNamedIsFollowed) {
  const std::string link = directory_.File("scratch"), target = directory_.File("target");
  ASSERT_EQ(mkdir(target.c_str(), 0700), 0);
  ASSERT_EQ(symlink(target.c_str(), link.c_str()), 0);
  const Result<NewFile> made = MakeFile(link, "rank0.host.1.spool");
  ASSERT_TRUE(made) << made.error();
  close(made->fd);
}

TEST_F(PlaceTest, ADirectoryThatOthersEnterIsRefused) {
  ASSERT_EQ(mkdir(place_.c_str(), 0700), 0);
  ASSERT_EQ(chmod(place_.c_str(), 0755), 0);
  EXPECT_THAT(MakeFile(place_, "rank0.host.1.spool").error(), HasSubstr("for this user alone"));
  EXPECT_THAT(DefaultDirectories(), Not(Contains(place_)));
}

TEST_F(PlaceTest, ADirectoryOfAnotherUserIsNotBelieved) {
  if (!test::CanBeOthers()) GTEST_SKIP() << test::kOnlyRoot;
  ASSERT_EQ(test::AsOtherUser([&] { return mkdir(place_.c_str(), 0700); }), 0);
  EXPECT_THAT(DefaultDirectories(), Not(Contains(place_)));
  EXPECT_THAT(MakeFile(place_, "rank0.host.1.spool").error(), HasSubstr("another user"));
}

// As a job leaves it that was killed before it had a spool, or whose spool was recovered.
class AbandonedTest : public PlaceTest {
 protected:
  void SetUp() override {
    const Result<int> made = OpenShared(place_, "present");
    ASSERT_TRUE(made) << made.error();
    close(*made);
  }
  void Age() const {
    const timespec long_ago[] = {{time(nullptr) - 3600, 0}, {time(nullptr) - 3600, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, place_.c_str(), long_ago, 0), 0);
  }
  bool IsThere() const { return std::filesystem::exists(place_); }
};

TEST_F(AbandonedTest, DirectoriesOfKilledJobsAreRemoved) {
  Age();
  RemoveAbandoned();
  EXPECT_FALSE(IsThere());
}

TEST_F(AbandonedTest, OfJobsThatJustBeginTheyStay) {
  RemoveAbandoned();
  EXPECT_TRUE(IsThere());
}

TEST_F(AbandonedTest, OfJobsThatAreThereTheyStay) {
  Presence presence;
  ASSERT_TRUE(presence.Open(place_));
  ASSERT_TRUE(presence.Hold(3));
  Age();
  RemoveAbandoned();
  EXPECT_TRUE(IsThere());
}

// The locks of the first one are seen by the second one, whatever is removed meanwhile.
TEST_F(AbandonedTest, WhoComesWhileItIsRemovedIsFound) {
  const pid_t remover = test::ForkForTest();
  if (remover == 0) {
    for (;;) RemoveDirectory(place_);
  }
  for (int round = 0; round < 10'000 && !HasFailure(); ++round) {
    Presence first, second;
    EXPECT_TRUE(first.Open(place_) && first.Hold(3)) << round;
    EXPECT_TRUE(second.Open(place_) && second.IsHeld(3)) << round;
  }
  kill(remover, SIGKILL);
  waitpid(remover, nullptr, 0);
}

TEST_F(AbandonedTest, SpoolsAreNotLost) {
  const Result<NewFile> made = MakeFile(place_, "rank0.host.1.spool");
  ASSERT_TRUE(made) << made.error();
  close(made->fd);
  Age();
  RemoveAbandoned();
  EXPECT_TRUE(std::filesystem::exists(made->path));
}

}  // namespace
}  // namespace roofmark::spool
