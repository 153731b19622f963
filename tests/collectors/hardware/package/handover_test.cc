// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/handover.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <thread>

#include "tests/collectors/hardware/package/on_packages.h"
#include "tests/support/lowered_limit.h"

namespace roofmark::package {
namespace {

using testing::HasSubstr;

size_t OpenDescriptors() {
  return static_cast<size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

template <typename Condition>
bool Eventually(Condition holds) {
  for (int i = 0; i < 500 && !holds(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return holds();
}

// As long as it lives, this process can open no more than so many.
test::LoweredLimit FewerDescriptors(rlim_t more) {
  const int free = dup(0);
  close(free);
  return {RLIMIT_NOFILE, static_cast<rlim_t>(free) + more};
}

// A message with one group.
struct Answer {
  uint32_t groups, read_by_owner;
  uint32_t event[kMostPassed];
  GroupPass pass;
};

class Handover : public OnPackages {
 protected:
  Handover() {
    static int number = 0;
    job_ = fmt::format("handover_test{}.{}", getpid(), ++number);
  }
  Result<Controllers> Ask(size_t budget = 1000) {
    return AskOwner(job_, 1, plan_.events.size(), budget, silent_);
  }
  // What another program listens at in the owner's place.
  int ListenAsOwner() const {
    const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = fmt::format("roofmark/{}/package1/{}", geteuid(), job_);
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listener, 4), 0);
    return listener;
  }
  uint64_t ReadsOf(const Controllers& controllers, size_t controller) {
    std::vector<threads::Total> totals(plan_.events.size());
    EXPECT_TRUE(controllers.Read(totals.data()));
    return totals[EventOf(Controller(controller), kReads)].value;
  }

  std::string job_;
  std::atomic<uint32_t> silent_{0};
};

TEST_F(Handover, ANeighbourReadsTheSameCounters) {
  auto owned = Open(1);
  ASSERT_TRUE(owned);
  Server server;
  ASSERT_TRUE(server.Start(job_, 1, *owned));
  const auto first = Ask();
  const auto second = Ask();
  ASSERT_TRUE(first) << first.error();
  ASSERT_TRUE(second) << second.error();
  EXPECT_EQ(first->Events(), owned->Events());
  Move(1);
  for (size_t i = 0; i < kControllers; ++i) {
    EXPECT_EQ(ReadsOf(*first, i), LinesOf(1, i));
    EXPECT_EQ(ReadsOf(*second, i), LinesOf(1, i));
  }
}

// An event ends with its last descriptor: a neighbour needs those of all events, not the leaders'.
TEST_F(Handover, CountersOutliveTheirOwner) {
  std::optional<Controllers> owned = std::move(*Open(1));
  auto server = std::make_optional<Server>();
  ASSERT_TRUE(server->Start(job_, 1, *owned));
  const auto taken = Ask();
  ASSERT_TRUE(taken) << taken.error();
  Move(1);
  server.reset();
  owned.reset();
  Move(1);
  for (size_t i = 0; i < kControllers; ++i) EXPECT_EQ(ReadsOf(*taken, i), 2 * LinesOf(1, i));
}

TEST_F(Handover, AnOwnerThatIsGoneIsSaid) {
  const auto nobody = Ask();
  ASSERT_FALSE(nobody);
  EXPECT_THAT(nobody.error(), HasSubstr("does not answer"));
}

TEST_F(Handover, NoMoreDescriptorsThanTheBudget) {
  const auto owned = Open(1);
  Server server;
  ASSERT_TRUE(server.Start(job_, 1, *owned));
  const auto refused = Ask(11);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("ulimit -n"));
}

// The kernel drops descriptors for which the receiver has no room.
TEST_F(Handover, ALimitThatIsReachedOnTheWayLeaksNothing) {
  const auto owned = Open(1);
  Server server;
  ASSERT_TRUE(server.Start(job_, 1, *owned));
  const size_t before = OpenDescriptors();
  const bool all = [&] {
    const test::LoweredLimit limit = FewerDescriptors(5);
    return static_cast<bool>(Ask());
  }();
  EXPECT_FALSE(all);
  EXPECT_TRUE(Eventually([&] { return OpenDescriptors() == before; }));
  EXPECT_TRUE(Ask());
}

// accept(2) takes its descriptor before anybody asks; the listener has the last one here.
TEST_F(Handover, AnOwnerWithoutADescriptorLeftAnswersOnceItHasOne) {
  const auto owned = Open(1);
  Server server;
  {
    const test::LoweredLimit limit = FewerDescriptors(1);
    ASSERT_TRUE(server.Start(job_, 1, *owned));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(Ask());
}

TEST_F(Handover, AnOwnerWithoutADescriptorLeftEnds) {
  const auto owned = Open(1);
  const test::LoweredLimit limit = FewerDescriptors(1);
  auto server = std::make_optional<Server>();
  ASSERT_TRUE(server->Start(job_, 1, *owned));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  server.reset();
}

// What another version of roofmark, or another program of this user, may send.
TEST_F(Handover, AnswersThatMakeNoSenseAreRefused) {
  const int listener = ListenAsOwner();
  Answer answer{1, 0, {}, {}};
  const auto answered = [&](size_t bytes, int descriptors) {
    std::thread peer([&] {
      const int connection = accept(listener, nullptr, nullptr);
      iovec part{&answer, bytes};
      alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = {};
      msghdr header{};
      header.msg_iov = &part;
      header.msg_iovlen = 1;
      if (descriptors > 0) {
        const std::vector<int> some(static_cast<size_t>(descriptors), listener);
        header.msg_control = control;
        header.msg_controllen = CMSG_SPACE(some.size() * sizeof(int));
        cmsghdr* rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(some.size() * sizeof(int));
        std::memcpy(CMSG_DATA(rights), some.data(), some.size() * sizeof(int));
      }
      EXPECT_EQ(sendmsg(connection, &header, MSG_NOSIGNAL), static_cast<ssize_t>(bytes));
      close(connection);
    });
    const int free = dup(0);
    close(free);
    const auto taken = Ask();
    peer.join();
    EXPECT_FALSE(taken);
    const int next = dup(0);
    close(next);
    EXPECT_LE(next, free) << "descriptors that came are kept";
  };
  answered(3, 0);              // not even a head
  answered(sizeof answer, 0);  // a group of no event
  answer.pass.count = 1000;    // more than a group can hold
  answered(sizeof answer, 4);
  answer.pass.count = 2;  // fewer descriptors than events
  answered(sizeof answer, 1);
  answer.pass.events[1] = 12;  // an event that is not in the plan
  answered(sizeof answer, 2);
  answer.groups = 2;  // of which one is missing
  answer.pass.events[1] = 1;
  answered(sizeof answer, 2);
  constexpr size_t kHead = offsetof(Answer, pass);
  answer.groups = 0;  // nothing at all
  answered(kHead, 0);
  answer.read_by_owner = kMostPassed + 1;
  answered(kHead, 0);
  answer.read_by_owner = 1;
  answer.event[0] = 12;  // an event that is not in the plan
  answered(kHead, 0);
  close(listener);
}

// As a profiler's timer does all the time.
TEST_F(Handover, SignalsDoNotEndTheQuestion) {
  const int listener = ListenAsOwner();
  std::thread slow_owner([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    const int connection = accept(listener, nullptr, nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const Answer nonsense{1, 0, {}, {}};
    EXPECT_GT(send(connection, &nonsense, sizeof nonsense, MSG_NOSIGNAL), 0);
    close(connection);
  });
  static std::atomic<int> signals;
  signals = 0;
  struct sigaction handler {};
  struct sigaction before {};
  handler.sa_handler = [](int) { ++signals; };
  handler.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &handler, &before);
  const itimerval every_millisecond{{0, 1000}, {0, 1000}}, never{};
  setitimer(ITIMER_REAL, &every_millisecond, nullptr);
  const auto refused = Ask();
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  slow_owner.join();
  close(listener);
  EXPECT_GT(signals, 0);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("sent something unexpected")) << "the answer came";
}

// Its thread waits without a limit of time: an end that does not wake it would never come.
TEST_F(Handover, AServerEndsAndMayFollowManyOthers) {
  const auto owned = Open(1);
  for (int i = 0; i < 100; ++i) {
    Server next;
    ASSERT_TRUE(next.Start(job_, 1, *owned)) << i;
  }
  Server second;
  ASSERT_TRUE(second.Start(job_, 1, *owned));
  Server third;
  EXPECT_FALSE(third.Start(job_, 1, *owned)) << "one owner for each package";
}

}  // namespace
}  // namespace roofmark::package
