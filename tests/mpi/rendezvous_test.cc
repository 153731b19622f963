// SPDX-License-Identifier: BSD-3-Clause
//
// Processes of a job on one node that look for each other, and a stranger among them.
#include "mpi/rendezvous.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/core/messages/mpi.h"
#include "lib/spool/place.h"
#include "tests/support/end_child.h"
#include "tests/support/other_user.h"
#include "tests/support/says.h"

namespace roofmark::mpi {
namespace {

using test::Says;
using testing::_;

constexpr uint32_t kRanks = 3;

class RendezvousTest : public testing::Test {
 protected:
  RendezvousTest() : job_(fmt::format("rendezvous_test{}", getpid())), mine_(PlaceOf(0)) {}
  ~RendezvousTest() override {
    for (const pid_t pid : others_) End(pid);
    std::error_code ignored;
    std::filesystem::remove_all(Directory(), ignored);
  }

  std::string Directory() const { return spool::DefaultDirectory(job_); }
  Rendezvous::Place PlaceOf(uint32_t rank) const { return {job_, rank, rank, kRanks}; }

  // Another process of the job, which has announced itself and lives on.
  pid_t Other(uint32_t rank) {
    int ready[2];
    EXPECT_EQ(pipe2(ready, O_CLOEXEC), 0);
    const pid_t pid = test::ForkForTest();
    if (pid == 0) {
      Rendezvous rendezvous(PlaceOf(rank));
      rendezvous.Announce();
      if (write(ready[1], "x", 1) != 1) _exit(1);
      for (;;) pause();
    }
    char byte;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    others_.push_back(pid);
    return pid;
  }
  static void End(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }

  const std::string job_;
  Rendezvous mine_;
  std::vector<pid_t> others_;
};

TEST_F(RendezvousTest, AllOfThemAreFound) {
  mine_.Announce();
  Other(1);
  Other(2);
  EXPECT_EQ(mine_.WhyIncomplete(kRanks), "");
  for (uint32_t rank = 0; rank < kRanks; ++rank) EXPECT_EQ(mine_.WhyNot(rank), "");
  EXPECT_THAT(mine_.WhyNot(kRanks), Says(message::kRankNotSeen, 3));
}

TEST_F(RendezvousTest, OneIsMissing) {
  mine_.Announce();
  const pid_t first = Other(1);
  Other(2);
  End(first);
  EXPECT_THAT(mine_.WhyIncomplete(kRanks), Says(message::kProcessDoesNotRecord, 1, 3));
  EXPECT_THAT(mine_.WhyNot(1), Says(message::kRankNotSeen, 1));
  EXPECT_EQ(mine_.WhyNot(2), "");
}

TEST_F(RendezvousTest, TheyFindEachOtherAfterTheNameIsGone) {
  mine_.Announce();
  Other(1);
  Other(2);
  mine_.ForgetName();
  EXPECT_FALSE(std::filesystem::exists(Directory()));
  EXPECT_EQ(mine_.WhyIncomplete(kRanks), "");
}

TEST_F(RendezvousTest, TheLastOneToComeLeavesNoName) {
  mine_.Announce();
  Other(1);
  mine_.ForgetNameIfComplete();
  EXPECT_TRUE(std::filesystem::exists(Directory()));
  Other(2);
  mine_.ForgetNameIfComplete();
  EXPECT_FALSE(std::filesystem::exists(Directory()));
  EXPECT_EQ(mine_.WhyIncomplete(kRanks), "");
}

TEST_F(RendezvousTest, AForkedChildTakesNothingAway) {
  mine_.Announce();
  EXPECT_EQ(test::InChild([&] {
              mine_.ForgetName();
              return 0;
            }),
            0);
  EXPECT_TRUE(std::filesystem::exists(Directory()));
}

TEST_F(RendezvousTest, ADescriptorThatTheApplicationClosedIsNotUsed) {
  mine_.Announce();
  Other(1);
  Other(2);
  for (int descriptor = 3; descriptor < 256; ++descriptor) close(descriptor);
  EXPECT_THAT(mine_.WhyIncomplete(kRanks), Says(message::kProcessDoesNotRecord, _, 3));
}

TEST_F(RendezvousTest, WhatKilledProcessesLeftIsRemoved) {
  End(Other(1));
  EXPECT_TRUE(std::filesystem::exists(Directory()));
  Other(2);
  spool::RemoveDirectory(Directory());
  EXPECT_TRUE(std::filesystem::exists(Directory())) << "one is alive";
  End(others_.back());
  spool::RemoveDirectory(Directory());
  EXPECT_FALSE(std::filesystem::exists(Directory()));
}

// --- a stranger
// -----------------------------------------------------------------------------------

// Names of sockets can be taken by everybody. A process that is believed to be there although it
// does not record makes the others wait in MPI_Finalize for ever.
TEST_F(RendezvousTest, AStrangerCannotPassForAProcessOfTheJob) {
  if (!test::CanBeOthers()) GTEST_SKIP() << test::kOnlyRoot;
  mine_.Announce();
  Other(2);
  int ready[2];
  ASSERT_EQ(pipe2(ready, O_CLOEXEC), 0);
  const pid_t stranger = test::ForkForTest();
  if (stranger == 0) {
    if (setresuid(test::kOtherUser, test::kOtherUser, test::kOtherUser) != 0) _exit(1);
    const int bound = socket(AF_UNIX, SOCK_DGRAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = fmt::format("roofmark/0/{}/1", job_);
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    const bool there = bind(bound, reinterpret_cast<sockaddr*>(&address), size) == 0;
    if (!there || write(ready[1], "x", 1) != 1) _exit(1);
    for (;;) pause();
  }
  char byte;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);
  close(ready[0]);
  close(ready[1]);
  const std::string why = mine_.WhyIncomplete(kRanks);
  End(stranger);
  EXPECT_THAT(why, Says(message::kProcessDoesNotRecord, 1, 3));
}

TEST_F(RendezvousTest, AStrangerWhoWasFirstMakesAllOfThemSayNo) {
  if (!test::CanBeOthers()) GTEST_SKIP() << test::kOnlyRoot;
  const std::string directory = Directory();
  ASSERT_EQ(test::AsOtherUser([&] { return mkdir(directory.c_str(), 0777); }), 0);
  mine_.Announce();
  Other(1);
  Other(2);
  EXPECT_THAT(mine_.WhyIncomplete(kRanks), Says(message::kProcessDoesNotRecord, _, 3));
}

}  // namespace
}  // namespace roofmark::mpi
