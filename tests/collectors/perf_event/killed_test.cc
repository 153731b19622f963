// SPDX-License-Identifier: BSD-3-Clause
//
// A process that counts is killed at any time: what is recovered are the counts of exactly those
// visits that are recovered.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <random>

#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Environment;
using test::Value;
using testing::Contains;
using testing::HasSubstr;

constexpr MetricId kDpScalar = AnyKindFlops(Precision::kDouble, Width::kScalar);
constexpr MetricId kDp256 = AnyKindFlops(Precision::kDouble, Width::k256);

class Killed : public testing::Test {
 protected:
  Killed() {
    const int fd = open(File("record").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(ftruncate(fd, 4096), 0);
    record_ = static_cast<std::atomic<uint64_t>*>(
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    close(fd);
  }
  ~Killed() override { munmap(record_, 4096); }

  std::string File(const std::string& name) const { return directory_.File(name); }

  pid_t Start(const Environment& extra = {}, const char* fault = nullptr) {
    Environment environment = {{"ROOFMARK_COLLECTOR", "perf_event"},
                               {"ROOFMARK_OUTPUT", File("run.json")},
                               {"ROOFMARK_SPOOL", File("spool")},
                               {"VPMU_MACHINE", VPMU_MACHINES "/skx"}};
    for (const auto& [name, value] : extra) environment[name] = value;
    record_[0] = 0;
    const pid_t pid = fork();
    if (pid != 0) return pid;
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    execl(ENDLESS, ENDLESS, File("record").c_str(), fault, nullptr);
    _exit(127);
  }
  void AwaitVisits(uint64_t visits) const {
    for (int i = 0; i < 60'000 && record_[0] < visits; ++i) usleep(1000);
    ASSERT_GE(record_[0], visits);
  }
  static void Kill(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  JobProfile Recover(const std::string& option = "--remove") {
    std::remove(File("rec.json").c_str());
    const Ended ended =
        test::Run({ROOFMARK, "recover", File("spool"), "-o", File("rec.json"), option});
    EXPECT_EQ(ended.status, 0) << ended.err;
    return test::ReadRoofline(File("rec.json")).job;
  }

  test::TempDir directory_;
  std::atomic<uint64_t>* record_;
};

void ExpectExact(const JobProfile& job) {
  const uint64_t outer = Value(job, "outer", metric::kVisits);
  const uint64_t team = Value(job, "outer/team", metric::kVisits);
  const uint64_t own = Value(job, "outer/team/own", metric::kVisits);
  EXPECT_EQ(Value(job, "outer", kDpScalar), 7 * outer);
  EXPECT_EQ(Value(job, "outer", kDp256), 3 * 4 * 300 * outer);
  EXPECT_EQ(Value(job, "outer", metric::kInstructions), 3 * 20 * outer);
  EXPECT_EQ(Value(job, "outer", metric::kFlops), (7 + 3 * 4 * 300) * outer);
  EXPECT_EQ(Value(job, "outer/team", kDpScalar), 0u);
  EXPECT_EQ(Value(job, "outer/team", kDp256), 4 * 300 * team);
  EXPECT_EQ(Value(job, "outer/team", metric::kWorkerFlopsMax), 4 * 200 * team);
  EXPECT_EQ(Value(job, "outer/team", metric::kInstructions), 20 * team);
  EXPECT_EQ(Value(job, "outer/team/own", metric::kInstructions), 10 * own);
  EXPECT_EQ(job.sources[kDp256].origin, "perf_event");
  EXPECT_EQ(job.sources[kDp256].status, Status::kMeasured);
}

TEST_F(Killed, AtAnyTimeAllCountsAreThoseOfTheVisits) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    SCOPED_TRACE(round);
    const pid_t pid = Start();
    AwaitVisits(1);
    usleep(static_cast<useconds_t>(random() % 20'000));
    Kill(pid);
    const JobProfile job = Recover();
    ExpectExact(job);
    EXPECT_GE(Value(job, "outer", metric::kVisits), record_[0]);
    for (const std::string& warning : job.run.warnings) {
      ASSERT_THAT(warning, HasSubstr("was not finished")) << "nothing is torn";
    }
    if (HasFailure()) break;
  }
}

// Counts are copied row by row while the process goes on, so they may be of some more visits.
TEST_F(Killed, ASnapshotHasWholeCounts) {
  const pid_t pid = Start({{"ROOFMARK_SNAPSHOT", "1s"}});
  AwaitVisits(1);
  std::string copy;
  for (int i = 0; i < 600 && copy.empty(); ++i) {
    usleep(100'000);
    for (const std::string& name : test::ListFiles(directory_.path())) {
      if (name.ends_with(".spool")) copy = name;
    }
  }
  Kill(pid);
  ASSERT_NE(copy, "");
  const Ended ended = test::Run({ROOFMARK, "recover", directory_.path(), "-o", File("rec.json")});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const JobProfile job = test::ReadRoofline(File("rec.json")).job;
  const uint64_t visits = Value(job, "outer", metric::kVisits);
  EXPECT_EQ(Value(job, "outer", kDpScalar) % 7, 0u);
  EXPECT_GE(Value(job, "outer", kDpScalar), 7 * visits);
  const bool same =
      Value(job, "outer/team", kDp256) == 4 * 300 * Value(job, "outer/team", metric::kVisits);
  if (!same) {
    EXPECT_THAT(job.run.warnings, Contains(HasSubstr("counts were copied while the process")));
  }
}

TEST_F(Killed, SampledVisitsHaveNoCountsAndTheReasonWhy) {
  const pid_t pid = Start({{"ROOFMARK_VISITS", "every:2"}});
  AwaitVisits(10);
  Kill(pid);
  const JobProfile job = Recover();
  EXPECT_EQ(job.At(0, kDpScalar).ranks, 0u);
  EXPECT_THAT(job.sources[kDpScalar].reason, HasSubstr("did not keep its counts in the spool"));
}

// A thread that cannot be counted is missing in the counts of every region.
TEST_F(Killed, WhatIsIncompleteIsNotShown) {
  const pid_t pid = Start({}, "open:1+:EMFILE");
  AwaitVisits(10);
  Kill(pid);
  const JobProfile job = Recover();
  EXPECT_EQ(job.At(0, kDpScalar).ranks, 0u);
  EXPECT_THAT(job.sources[kDpScalar].reason, HasSubstr("program's work could not be counted"));
  EXPECT_GE(Value(job, "outer", metric::kVisits), 10u);
}

}  // namespace
}  // namespace roofmark
