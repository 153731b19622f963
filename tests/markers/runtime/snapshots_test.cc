// SPDX-License-Identifier: BSD-3-Clause
//
// Snapshots of one process: what they tell when its spool is gone.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/markers/runtime/spool_run.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Value;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class Snapshots : public SpoolRun {
 protected:
  // When it was written, in ns; 0 if there is none.
  int64_t LastWritten() const {
    for (const std::string& name : Left()) {
      struct stat status;
      if (name.rfind("run.rank0.", 0) == 0 && name.ends_with(".spool") &&
          stat(File(name).c_str(), &status) == 0) {
        return status.st_mtim.tv_sec * int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
      }
    }
    return 0;
  }
  // The second one from now on knows all that was so at the call.
  void AwaitTwoSnapshots() const {
    for (int times = 0; times < 2; ++times) {
      const int64_t last = LastWritten();
      for (int i = 0; i < 6000 && LastWritten() == last; ++i) usleep(10'000);
      ASSERT_NE(LastWritten(), last) << "snapshots are not written";
    }
  }
};

TEST_F(Snapshots, SnapshotsSurviveAWipedSpool) {
  const pid_t pid = Start("waits", {{"ROOFMARK_SNAPSHOT", "1s"}});
  AwaitVisits(1000);
  AwaitLastRegion();
  AwaitTwoSnapshots();
  Kill(pid);
  for (const std::string& name : test::ListFiles(File("spool"))) {
    std::remove(File("spool/" + name).c_str());
  }
  const JobProfile job = Recover("");
  EXPECT_EQ(Value(job, "step", metric::kVisits), 1000u);
  EXPECT_THAT(job.run.warnings, Contains(HasSubstr("of rank 0 there is a snapshot only")));
  EXPECT_EQ(job.paths[1].unfinished, 1u);
}

TEST_F(Snapshots, ACleanEndRemovesTheSnapshotAndIsNoJobOfItsOwnThread) {
  const Ended ended = Busy("sleeps", {{"ROOFMARK_SNAPSHOT", "1"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(Left(), ElementsAre("run.json"));
  const JobProfile job = test::ReadRoofline(File("run.json")).job;
  EXPECT_EQ(Value(job, "step", metric::kWorkers), 1u);
}

TEST_F(Snapshots, SnapshotsWithoutASpool) {
  const pid_t pid = Start("waits", {{"ROOFMARK_SNAPSHOT", "1s"}, {"ROOFMARK_SPOOL", "off"}});
  AwaitVisits(1000);
  AwaitTwoSnapshots();
  Kill(pid);
  EXPECT_EQ(Value(Recover(""), "step", metric::kVisits), 1000u);
}

}  // namespace
}  // namespace roofmark
