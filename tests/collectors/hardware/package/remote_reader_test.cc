// SPDX-License-Identifier: BSD-3-Clause
//
// What only the owner of a package can read, read by its neighbours: several Packages in one
// process, which the launcher's variables make ranks, and a reader that counts what a test says.
#include "collectors/hardware/package/remote_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include "collectors/hardware/package/cpus.h"
#include "collectors/hardware/package/packages.h"
#include "lib/core/clock.h"
#include "tests/support/no_harvest.h"

namespace roofmark::package {
namespace {

using testing::ElementsAre;

constexpr MetricId kRead = metric::kPackageDramReadBytes, kWrite = metric::kPackageDramWriteBytes;

// What the two events of a package have counted.
struct Counts {
  std::mutex mutex;
  std::array<uint64_t, 2> now{};
  bool fails = false;
  int opened = 0;
  std::vector<std::string> names;

  void Add(uint64_t reads, uint64_t writes) {
    const std::lock_guard lock(mutex);
    now[0] += reads;
    now[1] += writes;
  }
};

class CountsReader final : public Reader {
 public:
  CountsReader(Counts& counts, std::vector<uint32_t> events)
      : counts_(counts), events_(std::move(events)) {}
  const std::vector<uint32_t>& Events() const override { return events_; }
  bool Read(threads::Total* totals) noexcept override {
    const std::lock_guard lock(counts_.mutex);
    const uint64_t now_ns = NowNs();
    for (size_t i = 0; i < events_.size(); ++i) totals[i] = {counts_.now[i], now_ns, now_ns};
    return !counts_.fails;
  }
  void CloseInChild() noexcept override {}

 private:
  Counts& counts_;
  const std::vector<uint32_t> events_;
};

class CountsOpener final : public Opener {
 public:
  explicit CountsOpener(Counts& counts) : counts_(counts) {}
  Result<std::unique_ptr<Reader>> Open(const std::vector<Wanted>& wanted) const override {
    ++counts_.opened;
    std::vector<uint32_t> events;
    for (const Wanted& each : wanted) {
      events.push_back(each.event);
      counts_.names.push_back(each.name);
    }
    return std::unique_ptr<Reader>(std::make_unique<CountsReader>(counts_, events));
  }
  std::string Origin() const override { return "fake"; }

 private:
  Counts& counts_;
};

// Keeps the values of one harvest.
class Sums final : public test::NoHarvest {
 public:
  void AddShared(std::string_view path, MetricId metric, const Distribution& value,
                 Status status) override {
    shared[{std::string(path), metric}] = {value.sum, status};
  }
  std::pair<uint64_t, Status> Of(const std::string& path, MetricId metric) {
    return shared[{path, metric}];
  }

  std::map<std::pair<std::string, MetricId>, std::pair<uint64_t, Status>> shared;
};

// On this machine's CPU 0, whose package any process runs on that can run at all.
class RemoteReading : public testing::Test {
 protected:
  void SetUp() override {
    if (PackagesOfThisProcess() != std::set<uint32_t>{*PackageOf(0)}) {
      GTEST_SKIP() << "this process does not run on the package of CPU 0 alone";
    }
    static int number = 0;
    job_ = fmt::format("remote_reader_test{}.{}", getpid(), ++number);
    setenv("PMIX_NAMESPACE", job_.c_str(), 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "3", 1);
    plan_.opener = std::make_shared<CountsOpener>(counts_);
    for (const char* name : {"reads:cpu=", "writes"}) {
      events::EncodedEvent event;
      event.name = name;
      event.device = "controller";
      event.cpus = {0};
      plan_.opened_by_it.insert(plan_.events.size());
      plan_.rules.push_back({plan_.events.empty() ? kRead : kWrite, {{plan_.events.size(), 64}}});
      plan_.events.push_back(event);
    }
  }
  void TearDown() override {
    ranks_.clear();
    for (const char* name :
         {"PMIX_NAMESPACE", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_RANK"}) {
      unsetenv(name);
    }
  }
  // One that counts, with a region "solve" as path 1.
  Packages& Counting(uint32_t rank) {
    setenv("OMPI_COMM_WORLD_RANK", std::to_string(rank).c_str(), 1);
    ranks_.push_back(std::make_unique<Packages>(plan_, false));
    for (const OfferedMetric& offer : ranks_.back()->Open(1000)) {
      EXPECT_EQ(offer.status, Status::kMeasured) << offer.reason;
      EXPECT_EQ(offer.origin, "fake");
    }
    ranks_.back()->DefinePath(1, 0, "solve");
    return *ranks_.back();
  }

  Counts counts_;
  std::string job_;
  Plan plan_;
  std::vector<std::unique_ptr<Packages>> ranks_;
};

TEST_F(RemoteReading, OneProcessOpensAndAllReadTheSame) {
  Packages& owner = Counting(0);
  Packages& second = Counting(1);
  Packages& third = Counting(2);
  EXPECT_EQ(counts_.opened, 1);
  EXPECT_THAT(counts_.names, ElementsAre("reads:cpu=0", "writes"));
  counts_.Add(1000, 1000);
  second.EnterTeam(1, true);  // the owner is in no region
  counts_.Add(10, 1);
  third.EnterTeam(1, true);
  counts_.Add(20, 2);
  second.EnterTeam(0, true);
  counts_.Add(40, 4);
  third.EnterTeam(0, true);
  counts_.Add(7, 0);
  Sums nothing, all;
  third.Harvest({}, nothing);
  owner.Harvest({}, nothing);
  EXPECT_TRUE(nothing.shared.empty());
  second.Harvest({}, all);
  EXPECT_EQ(all.Of("solve", kRead), std::pair(64 * uint64_t{70}, Status::kMeasured));
  EXPECT_EQ(all.Of("solve", kWrite), std::pair(64 * uint64_t{7}, Status::kMeasured));
  ASSERT_EQ(second.BackgroundTraffic().size(), 1u);
  EXPECT_EQ(second.BackgroundTraffic()[0].bytes, 64u * (1000 + 1000 + 7));
}

TEST_F(RemoteReading, WhatTheOwnerCannotReadIsNoNumber) {
  Counting(0);
  Packages& second = Counting(1);
  second.EnterTeam(1, true);
  counts_.fails = true;
  second.EnterTeam(0, true);
  counts_.fails = false;
  second.EnterTeam(1, true);
  second.EnterTeam(0, true);
  Sums all;
  ranks_[0]->Harvest({}, all);
  second.Harvest({}, all);
  EXPECT_EQ(all.Of("solve", kRead), std::pair(uint64_t{0}, Status::kInvalid));
}

// Its end of the connections is closed, as when it is killed.
TEST_F(RemoteReading, WithoutItsOwnerWhatIsOpenIsInvalid) {
  Counting(0);
  Packages& second = Counting(1);
  second.EnterTeam(1, true);
  counts_.Add(5, 5);
  ranks_.front().reset();
  second.EnterTeam(0, true);
  second.EnterTeam(1, true);
  second.EnterTeam(0, true);
  Sums all;
  second.Harvest({}, all);
  EXPECT_EQ(all.Of("solve", kRead), std::pair(uint64_t{0}, Status::kInvalid));
  EXPECT_EQ(all.Of("solve", kWrite), std::pair(uint64_t{0}, Status::kInvalid));
  EXPECT_TRUE(second.BackgroundTraffic().empty());
}

// The owner is another process, of which this one only knows that it serves.
class OwnerElsewhere : public RemoteReading {
 protected:
  void SetUp() override {
    RemoteReading::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(pipe(serves_), 0);
    owner_ = fork();
    if (owner_ == 0) {
      Counting(0);
      static_cast<void>(write(serves_[1], "x", 1));
      for (;;) pause();
    }
    char byte;
    ASSERT_EQ(read(serves_[0], &byte, 1), 1);
  }
  void TearDown() override {
    Kill();
    close(serves_[0]);
    close(serves_[1]);
    RemoteReading::TearDown();
  }
  void Kill() {
    if (owner_ > 0) {
      kill(owner_, SIGKILL);
      waitpid(owner_, nullptr, 0);
    }
    owner_ = 0;
  }

  int serves_[2] = {-1, -1};
  pid_t owner_ = 0;
};

TEST_F(OwnerElsewhere, WhenItIsKilledNoNumberIsWrong) {
  Packages& second = Counting(1);
  EXPECT_EQ(counts_.opened, 0) << "the owner opened";
  second.DefinePath(2, 0, "before");
  second.EnterTeam(2, true);
  second.EnterTeam(0, true);
  second.EnterTeam(1, true);
  Kill();
  second.EnterTeam(0, true);
  Sums all;
  second.Harvest({}, all);
  EXPECT_EQ(all.Of("before", kRead), std::pair(uint64_t{0}, Status::kMeasured));
  EXPECT_EQ(all.Of("solve", kRead), std::pair(uint64_t{0}, Status::kInvalid));
}

TEST_F(OwnerElsewhere, WhileItIsStoppedNoNumberIsWrong) {
  Packages& second = Counting(1);
  Packages& third = Counting(2);
  second.EnterTeam(1, true);
  kill(owner_, SIGSTOP);
  int status = 0;
  ASSERT_EQ(waitpid(owner_, &status, WUNTRACED), owner_);
  ASSERT_TRUE(WIFSTOPPED(status));
  for (int visit = 0; visit < 3; ++visit) {
    for (Packages* each : {&second, &third}) {
      each->EnterTeam(1, true);
      each->EnterTeam(0, true);
    }
  }
  Kill();
  Sums all;
  second.Harvest({}, all);
  third.Harvest({}, all);
  EXPECT_EQ(all.Of("solve", kRead), std::pair(uint64_t{0}, Status::kInvalid));
}

TEST_F(RemoteReading, VisitsThatEndedBeforeTheOwnerDidKeepTheirNumbers) {
  Counting(0);
  Packages& second = Counting(1);
  second.EnterTeam(1, true);
  counts_.Add(5, 3);
  second.EnterTeam(0, true);
  ranks_.front().reset();
  Sums all;
  second.Harvest({}, all);
  EXPECT_EQ(all.Of("solve", kRead), std::pair(uint64_t{5 * 64}, Status::kMeasured));
}

class Connected : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends_), 0);
  }
  void TearDown() override { close(ends_[0]); }

  int ends_[2] = {-1, -1};
  std::atomic<uint32_t> silent_{0};
  Counts counts_;
  threads::Total totals_[2];
};

TEST_F(Connected, AnOwnerThatStandsStillIsWaitedForOnceByOneProcess) {
  int others[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, others), 0);
  RemoteReader first(ends_[1], {0, 1}, silent_), second(others[1], {0, 1}, silent_);
  const uint64_t start = NowNs();
  EXPECT_FALSE(first.Read(totals_));
  EXPECT_GE(NowNs() - start, 400'000'000u);
  EXPECT_EQ(silent_, 1u);
  // The answer that comes later is nobody's.
  CountsReader reader(counts_, {0, 1});
  AnswerReading(ends_[0], reader);
  EXPECT_FALSE(first.Read(totals_));
  EXPECT_FALSE(second.Read(totals_));
  char asked;
  EXPECT_EQ(recv(others[0], &asked, 1, MSG_DONTWAIT), -1) << "a second process asked";
  close(others[0]);
}

TEST_F(Connected, AnswersAreOfTheQuestionAndOfAllEvents) {
  CountsReader both(counts_, {0, 1}), one(counts_, {0});
  RemoteReader remote(ends_[1], {0, 1}, silent_);
  counts_.Add(3, 4);
  const auto answered_by = [&](Reader& reader) {
    std::thread owner([&] {
      while (!AnswerReading(ends_[0], reader)) std::this_thread::yield();
    });
    const bool read = remote.Read(totals_);
    owner.join();
    return read;
  };
  EXPECT_TRUE(answered_by(both));
  EXPECT_EQ(totals_[0].value, 3u);
  EXPECT_EQ(totals_[1].value, 4u);
  EXPECT_FALSE(answered_by(one)) << "a total is missing";
  EXPECT_TRUE(answered_by(both)) << "the next question has its own answer";
}

TEST_F(Connected, AnotherProgramAtTheOtherEndIsNotBelieved) {
  for (const std::vector<uint64_t>& answer :
       {std::vector<uint64_t>{}, {7}, {2, 1, 1, 1, 1, 1, 1}}) {
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    RemoteReader remote(ends[1], {0, 1}, silent_);
    // Before the question: it is taken for its answer.
    if (!answer.empty()) send(ends[0], answer.data(), answer.size() * sizeof(uint64_t), 0);
    if (answer.empty()) close(ends[0]);
    EXPECT_FALSE(remote.Read(totals_));
    EXPECT_FALSE(remote.Read(totals_));
    if (!answer.empty()) close(ends[0]);
  }
  EXPECT_EQ(silent_, 0u) << "none was waited for";
  char nonsense[3] = {};
  CountsReader reader(counts_, {0, 1});
  send(ends_[1], nonsense, sizeof nonsense, 0);
  EXPECT_FALSE(AnswerReading(ends_[0], reader));
  close(ends_[1]);
}

// A forked child has a copy of the connection, which it must not use.
TEST(RemoteReader, AChildClosesItsCopy) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  std::atomic<uint32_t> silent{0};
  RemoteReader remote(ends[0], {0, 1}, silent);
  Reader& reader = remote;
  reader.CloseInChild();
  char none;
  ASSERT_EQ(recv(ends[1], &none, 1, MSG_DONTWAIT), 0) << "the owner sees that it has gone";
  std::array<threads::Total, 2> totals{};
  EXPECT_FALSE(reader.Read(totals.data()));
  close(ends[1]);
}

}  // namespace
}  // namespace roofmark::package
