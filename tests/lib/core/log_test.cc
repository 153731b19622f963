// SPDX-License-Identifier: BSD-3-Clause
//
// Lines on a stderr that the application has done something with.
#include "lib/core/log.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/core/descriptor.h"
#include "lib/core/file.h"
#include "lib/core/write_signals.h"
#include "tests/support/other_user.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::InChild;

constexpr Message kFirst{"first"}, kSecond{"second"}, kLine{"a line"};
constexpr Message kValues{"{} of {:.1f} are {}"};

class LogTest : public testing::Test {
 protected:
  std::string File(const std::string& name) const { return directory_.File(name); }
  // As a shell does with 2> FILE.
  void Redirect(const std::string& name) const {
    dup2(open(File(name).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600), STDERR_FILENO);
  }

  const test::TempDir directory_;
};

TEST_F(LogTest, ADataFileThatGotTheNumberOfStderrIsLeftAlone) {
  EXPECT_EQ(InChild([&] {
              Redirect("err");
              OpenLog();
              Complain(kFirst);
              close(STDERR_FILENO);
              const int data = open(File("data").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
              Complain(kSecond);
              return data == STDERR_FILENO ? 0 : 1;
            }),
            0);
  EXPECT_EQ(*ReadFile(File("err")), "roofmark: first\n");
  EXPECT_EQ(*ReadFile(File("data")), "");
}

TEST_F(LogTest, MessagesHaveTheirValuesAndAreSaidOnce) {
  EXPECT_EQ(InChild([&] {
              Redirect("err");
              OpenLog();
              Complain(kValues, 2, 3.0, "lost");
              Complain(kValues, 2, 3.0, "lost");
              PassOn("2 of 3.0 are lost");
              PassOn("a reason with {} in it");
              ComplainInHandler(kLine);
              return ComplaintsAsLines() == "2 of 3.0 are lost\na reason with {} in it\n" ? 0 : 1;
            }),
            0);
  EXPECT_EQ(*ReadFile(File("err")),
            "roofmark: 2 of 3.0 are lost\nroofmark: a reason with {} in it\nroofmark: a line\n");
}

TEST_F(LogTest, AClosedStderrStaysClosed) {
  EXPECT_EQ(InChild([&] {
              close(STDERR_FILENO);
              OpenLog();
              Redirect("data");
              Complain(kLine);
              return 0;
            }),
            0);
  EXPECT_EQ(*ReadFile(File("data")), "");
}

TEST_F(LogTest, APipeWithoutReaderEndsNobody) {
  EXPECT_EQ(InChild([] {
              int ends[2];
              if (pipe(ends) != 0) return 1;
              dup2(ends[1], STDERR_FILENO);
              close(ends[0]);
              OpenLog();
              Complain(kLine);
              // Neither is the signal left for later, nor is it blocked for the application.
              sigset_t set;
              sigpending(&set);
              if (sigismember(&set, SIGPIPE) != 0) return 2;
              pthread_sigmask(SIG_BLOCK, nullptr, &set);
              return sigismember(&set, SIGPIPE) == 0 ? 0 : 3;
            }),
            0);
}

TEST_F(LogTest, ASignalOfTheApplicationStaysPending) {
  EXPECT_EQ(InChild([] {
              sigset_t set;
              sigemptyset(&set);
              sigaddset(&set, SIGPIPE);
              pthread_sigmask(SIG_BLOCK, &set, nullptr);
              raise(SIGPIPE);
              { const WriteSignalsOff off; }
              sigpending(&set);
              return sigismember(&set, SIGPIPE) == 1 ? 0 : 1;
            }),
            0);
}

// Whoever reads it may be stopped: the application goes on.
TEST_F(LogTest, AFullPipeHoldsNobodyUp) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::string page(4096, 'x');
  while (write(ends[1], page.data(), page.size()) > 0) {
  }
  ASSERT_EQ(fcntl(ends[1], F_SETFL, 0), 0);
  EXPECT_FALSE(WriteWithPatience(ends[1], "a line\n", 10));
  EXPECT_EQ(errno, ETIMEDOUT);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(LogTest, ADescriptorMovesAboveTheStreams) {
  EXPECT_EQ(InChild([] {
              close(STDERR_FILENO);
              const int low = open("/dev/null", O_WRONLY | O_CLOEXEC);
              if (low != STDERR_FILENO) return 1;
              const int moved = MoveAbove(low);
              if (moved <= STDERR_FILENO) return 2;
              return OpenFile::Of(STDERR_FILENO) ? 3 : 0;
            }),
            0);
}

TEST_F(LogTest, ADescriptorMovesOutOfTheWayAsFarAsTheLimitAllows) {
  EXPECT_EQ(InChild([] {
              const auto moved_under = [](rlim_t numbers) {
                const rlimit limit{numbers, numbers};
                if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return -2;
                return MoveOutOfTheWay(open("/dev/null", O_WRONLY | O_CLOEXEC));
              };
              const int low = open("/dev/null", O_WRONLY | O_CLOEXEC);
              close(low);
              if (moved_under(1024) != 256) return 1;
              if (moved_under(100) != 50) return 2;
              // All of the upper half are taken.
              while (fcntl(1, F_DUPFD_CLOEXEC, 50) >= 0) {
              }
              if (moved_under(100) != low) return 3;
              return fcntl(low, F_GETFD) == FD_CLOEXEC ? 0 : 4;
            }),
            0);
}

}  // namespace
}  // namespace roofmark
