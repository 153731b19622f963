// SPDX-License-Identifier: BSD-3-Clause
//
// One process from start to end, whatever end: what its spool tells afterwards.
#include "tests/markers/runtime/spool_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "lib/core/clock.h"
#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/core/messages/recording.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(SpoolRun, ACleanEndLeavesTheFileAlone) {
  const Ended ended = Busy("once");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(Left(), ElementsAre("run.json"));
  EXPECT_EQ(Value(test::ReadRoofline(File("run.json")).job, "step", metric::kVisits), 1000u);
}

// The directory is named by the process: one that a dead process of this number left is not looked
// at.
std::string WhatAQuickOneLeaves(const Environment& environment, const std::string& folder) {
  const std::string shared = "/dev/shm";
  for (;;) {
    const std::vector<std::string> before = test::ListFiles(shared);
    const Ended quick =
        test::Run({"/bin/sh", "-c", BUSY " quick " + folder + "/record & echo $!; wait"},
                  environment, folder);
    const std::string name = "roofmark-" + std::to_string(geteuid()) + "-pid" +
                             quick.out.substr(0, quick.out.find('\n'));
    if (std::find(before.begin(), before.end(), name) == before.end()) return shared + "/" + name;
  }
}

TEST_F(SpoolRun, OnByDefaultAndNothingStaysInMemory) {
  Environment environment = Variables();
  environment.erase("ROOFMARK_SPOOL");
  const Ended ended = test::Run({BUSY, "once", File("record")}, environment, directory_.path());
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(Left(), ElementsAre("run.json"));
  const std::string left = WhatAQuickOneLeaves(environment, directory_.path());
  ASSERT_EQ(access(left.c_str(), F_OK), 0) << left;
  const Ended recovered = Command({"recover", left, "-o", File("rec.json"), "--remove"});
  EXPECT_EQ(recovered.status, 0) << recovered.err;
  EXPECT_EQ(Value(test::ReadRoofline(File("rec.json")).job, "step", metric::kVisits), 1000u);
  EXPECT_NE(access(left.c_str(), F_OK), 0) << "--remove";
}

// Two processes of one rank, as after a program that replaced itself, or of a number that is used
// again. The later one is recovered, and the other one is of no use beside it.
TEST_F(SpoolRun, RemovesWhatEarlierProcessesOfTheRankLeft) {
  const Environment job = {{"SLURM_JOB_ID", "7"}, {"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "0"}};
  EXPECT_EQ(Busy("quick", job).status, 0);
  usleep(1'100'000);  // starts are told apart by the second
  EXPECT_EQ(Busy("quick", job).status, 0);
  EXPECT_THAT(test::ListFiles(File("spool")), testing::SizeIs(2));
  const Ended recovered = Command({"recover", File("spool"), "-o", File("rec.json"), "--remove"});
  EXPECT_EQ(recovered.status, 0) << recovered.err;
  EXPECT_THAT(recovered.err + recovered.out, HasSubstr("the later process is used"));
  EXPECT_THAT(Left(), ElementsAre("rec.json")) << "the directory is gone, too";
}

TEST_F(SpoolRun, Off) {
  const Ended ended = Busy("quick", {{"ROOFMARK_SPOOL", "off"}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(Left(), IsEmpty());
}

TEST_F(SpoolRun, EndWithoutExit) {
  EXPECT_EQ(Busy("quick").status, 0);
  const JobProfile job = Recover();
  EXPECT_EQ(Value(job, "step", metric::kVisits), 1000u);
  EXPECT_EQ(job.run.recovered_ranks, 1u);
  EXPECT_EQ(job.paths[0].unfinished, 0u);
  EXPECT_THAT(job.paths[0].file, HasSubstr("busy.c"));
}

TEST_F(SpoolRun, ManyRegionsOfManyThreads) {
  Busy("many");
  const JobProfile job = Recover();
  EXPECT_EQ(job.paths.size(), 3200u);
  for (size_t row = 0; row < job.paths.size(); ++row) {
    EXPECT_EQ(job.At(row, metric::kVisits).max, 1u);
  }
}

TEST_F(SpoolRun, AForkedChildDetaches) {
  Busy("fork");
  EXPECT_THAT(test::ListFiles(File("spool")), testing::SizeIs(1));
  const JobProfile job = Recover();
  EXPECT_EQ(Value(job, "step", metric::kVisits), 1010u);
}

TEST_F(SpoolRun, AProgramThatClosesAllDescriptors) {
  const Ended ended = Busy("closes");
  EXPECT_EQ(ended.status, 128 + SIGKILL) << ended.err;
  const JobProfile job = Recover();
  EXPECT_EQ(job.paths.size(), 201u);
}

TEST_F(SpoolRun, HasTheRegionsThatWereChosen) {
  for (const char* regions : {"step", "/step"}) {
    Busy("closes", {{"ROOFMARK_REGIONS", regions}});
    const JobProfile job = Recover();
    ASSERT_EQ(job.paths.size(), 1u) << regions;
    EXPECT_EQ(job.paths[0].path, "step");
    EXPECT_EQ(job.run.passes.at(0).settings.at("regions"), regions);
    for (const std::string& name : test::ListFiles(File("spool"))) {
      std::remove(File("spool/" + name).c_str());
    }
  }
}

// What had finished is there, give or take the visit that was ending.
TEST_F(SpoolRun, FiftyKillsAtAnyTime) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    for (int word = 0; word < 8; ++word) record_[word] = 0;
    const bool threads = round % 5 == 4;
    const pid_t pid = Start(threads ? "threads" : "endless");
    AwaitVisits(1);
    usleep(static_cast<useconds_t>(random() % 20'000));
    Kill(pid);
    uint64_t begun = 0, done = 0;
    for (size_t thread = 0; thread < 4; ++thread) {
      begun += record_[2 * thread];
      done += record_[2 * thread + 1];
    }
    const JobProfile job = Recover();
    const uint64_t recovered = Value(job, "step", metric::kVisits);
    ASSERT_LE(done, recovered) << "round " << round;
    ASSERT_LE(recovered, begun) << "round " << round;
    ASSERT_LE(job.paths[0].unfinished, threads ? 4u : 1u);
    for (const std::string& warning : job.run.warnings) {
      ASSERT_THAT(warning, HasSubstr("was not finished")) << "nothing is torn";
    }
    for (const std::string& name : test::ListFiles(File("spool"))) {
      std::remove(File("spool/" + name).c_str());
    }
  }
}

TEST_F(SpoolRun, TimesAreTheOnesThatPassed) {
  const uint64_t before = NowNs();
  const pid_t pid = Start("endless");
  AwaitVisits(1'000'000);
  Kill(pid);
  const double wall_ns = static_cast<double>(NowNs() - before);
  const JobProfile job = Recover();
  const auto time = static_cast<double>(Value(job, "step", metric::kTimeNs));
  const auto visits = static_cast<double>(Value(job, "step", metric::kVisits));
  EXPECT_LE(time, wall_ns);
  EXPECT_GT(time / visits, 1) << "ns each";
}

TEST_F(SpoolRun, ALivingProcessIsLeftAloneUnlessAsked) {
  const pid_t pid = Start("waits");
  AwaitVisits(1000);
  AwaitLastRegion();
  const Ended refused = Command({"recover", File("spool"), "-o", File("rec.json")});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err,
              HasSubstr("is still running; skipped (--live includes its data so far)"));
  const Ended live = Command({"recover", File("spool"), "-o", File("live.json"), "--live"});
  EXPECT_EQ(live.status, 0) << live.err;
  const JobProfile job = test::ReadRoofline(File("live.json")).job;
  EXPECT_EQ(Value(job, "step", metric::kVisits), 1000u);
  EXPECT_EQ(job.paths[1].path, "wait");
  EXPECT_EQ(job.paths[1].unfinished, 1u);
  EXPECT_EQ(Value(job, "wait", metric::kDeclaredFlops), 1000u);
  EXPECT_THAT(job.run.warnings, Contains("rank 0 still ran when this was recovered"));
  const Ended top = Command({"top", File("spool"), "--once"});
  EXPECT_EQ(top.status, 0) << top.err;
  EXPECT_THAT(top.out, HasSubstr("1 of 1 ranks seen, 1 running"));
  EXPECT_THAT(top.out, testing::ContainsRegex("step +1 +0 +1.00k "));
  EXPECT_THAT(top.out, testing::ContainsRegex("wait +1 +1 +0 "));
  Kill(pid);
  EXPECT_EQ(Value(Recover(), "step", metric::kVisits), 1000u);
}

TEST_F(SpoolRun, TopWatchesUntilTheEnd) {
  const pid_t pid = Start("until_told");
  AwaitVisits(1000);
  // It ends when it was seen.
  const Ended top = test::Run(
      {"/bin/sh", "-c",
       ROOFMARK
       " top spool --interval 0.2 >seen & while kill -0 $! && ! grep -q '1 running' seen; do "
       "sleep 0.1; done; printf x | dd of=record bs=1 seek=16 conv=notrunc status=none; "
       "wait $!; status=$?; cat seen; exit $status"},
      {}, directory_.path());
  EXPECT_EQ(top.status, 0) << top.err;
  EXPECT_THAT(top.out, HasSubstr("1 of 1 ranks seen, 1 running"));
  EXPECT_THAT(top.err, test::Says(message::kJobHasEnded));
  int status = -1;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(SpoolRun, DamagedAndForeignFilesAreNamedAndTheRestIsRecovered) {
  Busy("quick");
  Busy("quick");
  std::vector<std::string> names = test::ListFiles(File("spool"));
  ASSERT_EQ(names.size(), 2u);
  std::string text = *ReadFile(File("spool/" + names[0]));
  text[64] ^= 1;
  ASSERT_TRUE(WriteFile(File("spool/" + names[0]), text, IfExists::kReplace));
  ASSERT_TRUE(WriteFile(File("spool/other.spool"), "hello", IfExists::kReplace));
  const Ended ended = Command({"recover", File("spool"), "-o", File("rec.json")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr(names[0] + ": its header is damaged"));
  EXPECT_THAT(ended.err, HasSubstr("other.spool is not a spool of roofmark"));
  const JobProfile job = test::ReadRoofline(File("rec.json")).job;
  EXPECT_EQ(Value(job, "step", metric::kVisits), 1000u);
  EXPECT_THAT(job.run.warnings, Contains(HasSubstr("its header is damaged")));
}

TEST_F(SpoolRun, NothingThere) {
  const Ended none = Command({"recover", File("nowhere"), "-o", File("rec.json")});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.err, HasSubstr("give the directory of ROOFMARK_SPOOL"));
  mkdir(File("empty").c_str(), 0700);
  EXPECT_THAT(Command({"recover", File("empty"), "-o", "x.json"}).err,
              HasSubstr("a job that ended well leaves none"));
}

TEST_F(SpoolRun, TwoJobsInOnePlace) {
  Busy("quick", {{"SLURM_JOB_ID", "11"}});
  Busy("quick", {{"SLURM_JOB_ID", "22"}});
  const Ended both = Command({"recover", File("spool"), "-o", File("rec.json")});
  EXPECT_EQ(both.status, 1);
  EXPECT_THAT(both.err, HasSubstr("spools of several jobs (11, 22): choose with --job"));
  const Ended one = Command({"recover", File("spool"), "-o", File("rec.json"), "--job", "22"});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(test::ReadRoofline(File("rec.json")).job.run.job_id, "22");
}

// One rank ended well enough to write its part and left its spool as well: it counts once.
// As srun sets it.
Environment OfStep(int rank, int ranks) {
  return {{"SLURM_JOB_ID", "7"},
          {"SLURM_STEP_ID", "0"},
          {"SLURM_PROCID", std::to_string(rank)},
          {"SLURM_STEP_NUM_TASKS", std::to_string(ranks)}};
}

TEST_F(SpoolRun, APartWinsOverTheSpoolOfItsRank) {
  const Environment rank0 = OfStep(0, 2), rank1 = OfStep(1, 2);
  Busy("quick", rank0);
  Busy("quick", rank1);
  Busy("once", rank0);
  EXPECT_EQ(access(File("run.part0.json").c_str(), F_OK), 0);
  const Ended ended = Command({"recover", File("spool"), "-o", File("rec.json")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, test::Says(message::kRecoveredWithParts, 2, 2, File("rec.json"), 1));
  const JobProfile job = test::ReadRoofline(File("rec.json")).job;
  EXPECT_EQ(Value(job, "step", metric::kVisits), 2000u);
  EXPECT_EQ(job.run.recovered_ranks, 1u);
}

TEST_F(SpoolRun, MissingRanksAreNamed) {
  Busy("quick", OfStep(1, 3));
  EXPECT_THAT(Recover().run.warnings, Contains("2 of 3 ranks are missing: 0, 2"));
}

// --- full file systems ------------------------------------------------------------------------

class FullDisk : public SpoolRun {
 protected:
  bool MountSmall(const std::string& name, const char* size) {
    mkdir(File(name).c_str(), 0700);
    mounted_ = mount("roofmark-test", File(name).c_str(), "tmpfs", 0, size) == 0;
    place_ = File(name);
    return mounted_;
  }
  void Fill() const {
    const int fd = open((place_ + "/filler").c_str(), O_WRONLY | O_CREAT, 0600);
    const std::string block(4096, 'x');
    while (write(fd, block.data(), block.size()) > 0) {
    }
    close(fd);
  }
  ~FullDisk() override {
    if (mounted_) umount2(place_.c_str(), MNT_DETACH);
  }
  bool mounted_ = false;
  std::string place_;
};

TEST_F(FullDisk, AFullPlaceForTheSpoolIsNotNoticedByTheProgram) {
  if (!MountSmall("small", "size=64k")) GTEST_SKIP() << "only root may mount a small tmpfs here";
  Fill();
  const Ended ended = Busy("many", {{"ROOFMARK_SPOOL", File("small")}});
  EXPECT_EQ(ended.status, 128 + SIGKILL) << "by itself";
  const Ended whole = Busy("once", {{"ROOFMARK_SPOOL", File("small")}});
  EXPECT_EQ(whole.status, 0) << whole.err;
  EXPECT_THAT(whole.err, test::Says(message::kSpoolFailed, "made", testing::_));
  EXPECT_THAT(test::ListFiles(File("small")), ElementsAre("filler"));
  const JobProfile job = test::ReadRoofline(File("run.json")).job;
  EXPECT_EQ(Value(job, "step", metric::kVisits), 1000u);
  EXPECT_THAT(job.run.warnings, Contains(test::Says(message::kSpoolFailed, "made", testing::_)));
}

// A limit on file sizes makes every place full at once, the temporary directory too.
TEST_F(SpoolRun, AFullDiskAtTheEndKeepsTheSpool) {
  const Ended ended = test::Run(
      {"/bin/sh", "-c", "trap '' XFSZ; ulimit -f 256; exec " BUSY " named " + File("record")},
      Variables(), directory_.path());
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("File too large"));
  EXPECT_THAT(ended.err, test::Says(message::kProfileKept, File("spool"), testing::_));
  EXPECT_THAT(Left(), ElementsAre("spool"));
  const JobProfile job = Recover();
  EXPECT_EQ(job.paths.size(), 201u);
  EXPECT_EQ(Value(job, "step", metric::kVisits), 1000u);
  EXPECT_EQ(Value(job, "t0.199", metric::kVisits), 1u);
}

}  // namespace
}  // namespace roofmark::test
