// SPDX-License-Identifier: BSD-3-Clause
//
// A process that counts is killed at any time: what is recovered are the counts of exactly those
// visits that are recovered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <random>

#include "tests/collectors/perf_event/flops.h"
#include "tests/support/killable.h"

namespace roofmark::test {
namespace {

using perf_test::kDp256;
using perf_test::kDpScalar;
using testing::Contains;
using testing::HasSubstr;

class Killed : public Killable {
 protected:
  pid_t StartEndless(Environment environment = {}, const std::vector<std::string>& fault = {}) {
    environment.merge(Variables("perf_event"));
    environment.emplace("VPMU_MACHINE", VPMU_MACHINES "/skx");
    record_[0] = 0;
    std::vector<std::string> command = {ENDLESS, File("record")};
    command.insert(command.end(), fault.begin(), fault.end());
    return Start(command, environment);
  }
  void AwaitVisits(uint64_t visits) const { Await(0, visits); }
  JobProfile Recovered() const { return Recover(ROOFMARK, "spool", {"--remove"}); }
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
    const pid_t pid = StartEndless();
    AwaitVisits(1);
    usleep(static_cast<useconds_t>(random() % 20'000));
    Kill(pid);
    const JobProfile job = Recovered();
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
  const pid_t pid = StartEndless({{"ROOFMARK_SNAPSHOT", "1s"}});
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
  const JobProfile job = Recover(ROOFMARK, "");
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
  const pid_t pid = StartEndless({{"ROOFMARK_VISITS", "every:2"}});
  AwaitVisits(10);
  Kill(pid);
  const JobProfile job = Recovered();
  EXPECT_EQ(job.At(0, kDpScalar).ranks, 0u);
  EXPECT_THAT(job.sources[kDpScalar].reason, HasSubstr("did not keep its counts in the spool"));
}

// A thread that cannot be counted is missing in the counts of every region.
TEST_F(Killed, WhatIsIncompleteIsNotShown) {
  const pid_t pid = StartEndless({}, {"open:1+:EMFILE"});
  AwaitVisits(10);
  Kill(pid);
  const JobProfile job = Recovered();
  EXPECT_EQ(job.At(0, kDpScalar).ranks, 0u);
  EXPECT_THAT(job.sources[kDpScalar].reason, HasSubstr("program's work could not be counted"));
  EXPECT_GE(Value(job, "outer", metric::kVisits), 10u);
}

}  // namespace
}  // namespace roofmark::test
