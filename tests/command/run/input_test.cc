// SPDX-License-Identifier: BSD-3-Clause
//
// Every execution of a command reads the same standard input, and the commands around it read what
// they would without roofmark.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::_;
using testing::Not;

class RunInput : public testing::Test {
 protected:
  RunInput() { Write("record", std::string(4096, '\0')); }
  // A shell, where $RUN is `roofmark run` of a shell script with that many executions.
  Ended Shell(const std::string& commands, int executions = 3) const {
    const std::string run =
        ROOFMARK
        " run --no-machine --no-report --force -o run.json --collector timer --work never "
        "--repeat " +
        std::to_string(executions) + " -- /bin/sh -c";
    return test::Run({"/bin/sh", "-c", commands},
                     {{"RUN", run}, {"VISIT", BUSY " once record"}, {"TMPDIR", directory_.path()}},
                     directory_.path());
  }
  void Write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(WriteFile(directory_.File(name), text, IfExists::kRefuse));
  }
  std::string Seen() const {
    const Result<std::string> text = ReadFile(directory_.File("seen"));
    return text ? *text : "nothing";
  }

  test::TempDir directory_;
};

TEST_F(RunInput, FromAPipeIsTheSameInEachExecution) {
  const Ended ended = Shell("seq 300000 | $RUN 'cksum >>seen; $VISIT'; seq 300000 | cksum >>seen");
  EXPECT_EQ(ended.status, 0) << ended.err;
  std::istringstream lines(Seen());
  std::string first, line;
  std::getline(lines, first);
  int same = 1;
  for (; std::getline(lines, line); ++same) EXPECT_EQ(line, first);
  EXPECT_EQ(same, 4);
}

TEST_F(RunInput, ThatComesLateIsWaitedFor) {
  const Ended ended = Shell(
      "{ sleep 0.3; echo one; sleep 0.3; echo two; } | $RUN 'read a; read b; echo $a $b >>seen; "
      "$VISIT'");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Seen(), "one two\none two\none two\n");
}

TEST_F(RunInput, FromAFileIsReadFromWhereItStood) {
  Write("in", "first\nsecond\nthird\nfourth\n");
  const Ended ended = Shell(
      "{ read a; $RUN 'read b; read c; echo $b $c >>seen; $VISIT'; read d; echo $a, $d >>seen; } "
      "<in");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Seen(), "second third\nsecond third\nsecond third\nfirst, fourth\n")
      << "and stands there afterwards where the program left it";
}

TEST_F(RunInput, FromTheTextOfAScript) {
  EXPECT_EQ(Shell("$RUN 'cat >>seen; $VISIT' <<END\na line\nEND\n").status, 0);
  EXPECT_EQ(Seen(), "a line\na line\na line\n");
}

// `while read` of a shell: the program reads nothing, but could.
TEST_F(RunInput, OfALoopStaysThere) {
  Write("list", "a\nb\nc\n");
  constexpr char kLoop[] = "while read name; do $RUN \"echo $name >>seen; $VISIT\"; done";
  EXPECT_EQ(Shell(std::string(kLoop) + " <list", 1).status, 0);
  EXPECT_EQ(Seen(), "a\nb\nc\n");
  const Ended piped = Shell(std::string("cat list | ") + kLoop, 2);
  EXPECT_EQ(Seen(), "a\nb\nc\na\na\nb\nb\nc\nc\n") << piped.err;
  EXPECT_THAT(piped.err, Not(test::Says(message::kInputReadAhead, _, _)));
}

// What the program leaves is for the next one, in its order.
TEST_F(RunInput, ThatIsLeftIsReadByTheNextCommand) {
  EXPECT_EQ(Shell("seq 9000 | { $RUN 'read a; read b; echo $a $b >>seen; $VISIT'; cksum >>seen; }; "
                  "seq 3 9000 | cksum >>seen",
                  2)
                .status,
            0);
  std::istringstream lines(Seen());
  std::string line[4];
  for (std::string& one : line) std::getline(lines, one);
  EXPECT_EQ(line[0], "1 2");
  EXPECT_EQ(line[1], "1 2");
  EXPECT_EQ(line[2], line[3]);
}

// Somebody may still write to the pipe.
TEST_F(RunInput, ThatCannotBePutBackIsSaidToBeLost) {
  const Ended ended = Shell(
      "mkfifo in; exec 3<>in; echo text >&3; $RUN 'echo here >>seen; sleep 0.2; $VISIT' <in", 2);
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Seen(), "here\nhere\n");
  EXPECT_THAT(ended.err, test::Says(message::kInputReadAhead, "/bin/sh", "5"));
}

TEST_F(RunInput, ThatNeverComesIsNotWaitedFor) {
  const Ended ended = Shell("mkfifo in; exec 3<>in; $RUN 'echo here >>seen; $VISIT' <in");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Seen(), "here\nhere\nhere\n");
  EXPECT_THAT(ended.err, Not(test::Says(message::kInputReadAhead, _, _)));
}

TEST_F(RunInput, ThatDoesNotFitIsSaidToBeCutShort) {
  const Ended ended =
      Shell("ulimit -f 40; seq 100000 | $RUN 'wc -c >>seen; $VISIT'; wc -l <seen >>seen", 2);
  EXPECT_THAT(ended.err, test::Says(message::kInputNotKept, "File too large", _)) << ended.err;
}

TEST_F(RunInput, ThatIsClosedStaysSo) {
  const Ended ended = Shell("$RUN 'read a || echo none >>seen; $VISIT' <&-", 2);
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Seen(), "none\nnone\n");
}

}  // namespace
}  // namespace roofmark
