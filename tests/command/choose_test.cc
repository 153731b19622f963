// SPDX-License-Identifier: BSD-3-Clause
//
// What is meant where the user names no directory or no file; the spools are those of real
// processes.
#include "command/recover/choose.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/recover/collect.h"
#include "lib/core/messages/command.h"
#include "lib/spool/place.h"
#include "tests/support/end_child.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark::cli {
namespace {

using testing::HasSubstr;

using Directories = std::vector<std::string>;

class Choose : public testing::Test {
 protected:
  Choose() {
    const int fd = open(File("record").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(ftruncate(fd, 4096), 0);
    close(fd);
  }
  ~Choose() override {
    for (const pid_t pid : running_) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }
  std::string File(const std::string& name) const { return directory_.File(name); }
  test::Environment Variables(const std::string& spool) const {
    return {{"ROOFMARK_COLLECTOR", "timer"},
            {"ROOFMARK_OUTPUT", File("run.json")},
            {"ROOFMARK_SPOOL", File(spool)}};
  }
  std::string Ended(const std::string& spool) const {
    test::Run({BUSY, "quick", File("record")}, Variables(spool), directory_.path());
    return File(spool);
  }
  // Of all processes so far: the second word of their record.
  uint64_t Visits() const {
    uint64_t words[2] = {};
    const int fd = open(File("record").c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(pread(fd, words, sizeof words, 0), static_cast<ssize_t>(sizeof words));
    close(fd);
    return words[1];
  }
  std::string Running(const std::string& spool) {
    const pid_t pid = test::ForkForTest();
    if (pid == 0) {
      for (const auto& [name, value] : Variables(spool)) setenv(name.c_str(), value.c_str(), 1);
      execl(BUSY, BUSY, "endless", File("record").c_str(), nullptr);
      _exit(127);
    }
    running_.push_back(pid);
    // It has begun when it has visited a region.
    const uint64_t before = Visits();
    for (int i = 0; i < 600 && Visits() == before; ++i) usleep(50'000);
    EXPECT_GT(Visits(), before);
    return File(spool);
  }

  test::TempDir directory_;
  std::vector<pid_t> running_;
};

TEST_F(Choose, TheRunningJobIsWatchedAndTheEndedOneRecovered) {
  const std::string ended = Ended("ended"), running = Running("running");
  const Result<Directories> watched = ChooseDirectories({ended, running}, Wanted::kRunning);
  ASSERT_TRUE(watched) << watched.error();
  EXPECT_EQ(*watched, Directories{running});
  const Result<Directories> recovered = ChooseDirectories({ended, running}, Wanted::kEnded);
  ASSERT_TRUE(recovered) << recovered.error();
  EXPECT_EQ(*recovered, Directories{ended});
}

TEST_F(Choose, AmongSeveralEndedJobsTheUserDecides) {
  const std::string first = Ended("first"), second = Ended("second");
  const Result<Directories> chosen = ChooseDirectories({first, second}, Wanted::kEnded);
  ASSERT_FALSE(chosen);
  EXPECT_THAT(chosen.error(), HasSubstr("several jobs have spools on this node"));
  EXPECT_THAT(chosen.error(), HasSubstr(first + "  0 running, 1 ended: " BUSY " quick"));
  EXPECT_THAT(chosen.error(), HasSubstr(second));
}

// Those of one job's nodes, say.
TEST_F(Choose, AllDirectoriesOfOneJob) {
  setenv("PBS_JOBID", "one.job", 1);
  const std::string first = Ended("first"), second = Ended("second");
  unsetenv("PBS_JOBID");
  const Result<Directories> chosen = ChooseDirectories({first, second}, Wanted::kEnded);
  ASSERT_TRUE(chosen) << chosen.error();
  EXPECT_EQ(*chosen, (Directories{first, second}));
  EXPECT_FALSE(ChooseDirectories({first, second, Ended("of another")}, Wanted::kEnded));
}

TEST_F(Choose, WhereNothingRunsNoDirectoryIsAskedForToWatch) {
  const Result<Directories> chosen =
      ChooseDirectories({Ended("first"), Ended("second")}, Wanted::kRunning);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error(),
            "no job of yours is running on this node; 2 that have ended left spools, which "
            "`roofmark recover` reads");
}

TEST_F(Choose, AJobThatIsNamedIsFoundWhereverItIs) {
  std::vector<std::string> places;
  for (const char* job : {"11", "22"}) {
    test::Environment variables = Variables(job);
    variables["SLURM_JOB_ID"] = job;
    test::Run({BUSY, "quick", File("record")}, variables, directory_.path());
    places.push_back(File(job));
  }
  EXPECT_EQ(*DirectoriesOfJobs(places, {"22"}), std::vector<std::string>{File("22")});
  EXPECT_EQ(DirectoriesOfJobs(places, {"33"}).error(), "no spool on this node is of job 33");
}

TEST_F(Choose, TheOnlyOneIsTakenWhateverItHolds) {
  const std::string ended = Ended("ended");
  EXPECT_EQ(*ChooseDirectories({ended}, Wanted::kRunning), Directories{ended});
  EXPECT_EQ(*ChooseDirectories({File("nothing")}, Wanted::kEnded), Directories{File("nothing")});
}

TEST_F(Choose, WithoutANameTheFileIsCalledAfterTheJobAndReplacesNothing) {
  test::Environment variables = Variables("spool");
  variables["SLURM_JOB_ID"] = "11";
  test::Run({BUSY, "quick", File("record")}, variables, directory_.path());
  for (const char* name : {"roofmark-11.json", "roofmark-11.1.json"}) {
    const test::Ended ended =
        test::Run({ROOFMARK, "recover", File("spool")}, {}, directory_.path());
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.err, HasSubstr(test::LineOf(message::kRecovered, 1, 1, name)));
    EXPECT_EQ(test::Value(test::ReadRoofline(File(name)).job, "step", metric::kVisits), 1000u);
  }
}

// It removes its spool while somebody has read it, and has not asked yet whether it lives.
TEST_F(Choose, AProcessThatEndsWellMeanwhileLeavesNothing) {
  const std::string ended = Ended("ended");
  const Result<Directories> files = spool::ListSpools(ended);
  ASSERT_TRUE(files && files->size() == 1);
  const Result<spool::Spool> read = spool::ReadSpool(files->front());
  ASSERT_TRUE(read) << read.error();
  ASSERT_TRUE(WithItsLife(*read));
  ASSERT_EQ(unlink(files->front().c_str()), 0);
  const Result<FoundSpool> gone = WithItsLife(*read);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error(), files->front() + ": its process ended well meanwhile, and removed it");
}

#ifdef HAVE_COUNTING
TEST_F(Choose, ACountingPassThatDiedIsNotPreferred) {
  const std::string times = Ended("times");
  test::Environment counting = Variables("counts");
  counting["ROOFMARK_COLLECTOR"] = "counting";
  test::Run({BUSY, "quick", File("record")}, counting, directory_.path());
  const std::string counts = File("counts");
  ASSERT_EQ(test::ListFiles(counts).size(), 1u);
  EXPECT_EQ(*ChooseDirectories({counts, times}, Wanted::kEnded), Directories{times});
}
#endif

}  // namespace
}  // namespace roofmark::cli
