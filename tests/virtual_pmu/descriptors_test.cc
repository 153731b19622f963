// SPDX-License-Identifier: BSD-3-Clause
//
// Descriptors that are duplicated, inherited, sent to neighbours, and calls that do not fit them.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "counters.h"

namespace vpmu_test {
namespace {

using DescriptorsTest = OnMachine;

TEST_F(DescriptorsTest, DuplicatesAreTheSameEvent) {
  auto first = std::make_unique<Counter>(Attributes(kInstructions));
  const Counter copies[] = {Counter(dup(first->fd())), Counter(fcntl(first->fd(), F_DUPFD, 100)),
                            Counter(dup2(first->fd(), 200)),
                            Counter(dup3(first->fd(), 201, O_CLOEXEC))};
  first.reset();
  vpmu_retire(0, kInstructions, 17);
  for (const Counter& copy : copies) EXPECT_EQ(copy.Value(), 17u);
  EXPECT_EQ(Statistics().open_descriptors, 4u);
  EXPECT_EQ(Statistics().events, 1u);
}

TEST_F(DescriptorsTest, ANumberMayMeanSomethingElseLater) {
  const int fd = OpenCounter(Attributes(kInstructions));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(dup2(ends[0], fd), fd);
  EXPECT_EQ(Statistics().events, 0u);
  ASSERT_EQ(write(ends[1], "text", 4), 4);
  char text[8] = {};
  EXPECT_EQ(read(fd, text, sizeof(text)), 4);
  EXPECT_STREQ(text, "text");
  close(fd);
  close(ends[0]);
  close(ends[1]);
}

// A monitor that looks at the process's descriptors holds each for a moment: an event may end a
// little after it was closed, and nobody is told.
TEST_F(DescriptorsTest, AnEventThatEndsAfterItWasClosedIsInNobodysWay) {
  const int fd = OpenCounter(Attributes(kCycles));
  const auto held = static_cast<unsigned>(syscall(SYS_dup, fd));  // unseen, as is its end
  close(fd);
  EXPECT_EQ(Statistics().events, 1u);
  syscall(SYS_close_range, held, held, 0);
  const Counter leader(Attributes(kInstructions, PERF_FORMAT_GROUP));
  const Counter other(Attributes(kInstructions), getppid());
  const Counter sibling(Attributes(kScalarDouble, PERF_FORMAT_GROUP), 0, -1, leader.fd());
  vpmu_retire(0, kInstructions, 5);
  vpmu_retire(0, kScalarDouble, 7);
  EXPECT_EQ(leader.Read(), (std::vector<uint64_t>{2, 5, 7}));
  EXPECT_EQ(other.Value(), 0u);
}

TEST_F(DescriptorsTest, WritingAndSeekingAreRefused) {
  const Counter counter(Attributes(kInstructions));
  EXPECT_EQ(write(counter.fd(), "x", 1), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(lseek(counter.fd(), 0, SEEK_SET), -1);
  EXPECT_EQ(errno, ESPIPE);
  char name[64] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(counter.fd());
  EXPECT_GT(readlink(link.c_str(), name, sizeof(name)), 0);
  EXPECT_STREQ(name, "anon_inode:[perf_event]");
  EXPECT_EQ(fcntl(counter.fd(), F_GETFD), FD_CLOEXEC);
}

TEST_F(DescriptorsTest, ForkedChildrenReadTheSameCounts) {
  const Counter counter(Attributes(kInstructions));
  vpmu_retire(0, kInstructions, 40);
  const pid_t child = fork();
  if (child == 0) {
    vpmu_retire(0, kInstructions, 1);  // not inherited
    _exit(counter.Value() == 40 ? 2 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(counter.Value(), 40u);
}

TEST_F(DescriptorsTest, InheritedEventsCountForkedChildren) {
  auto attr = Attributes(kInstructions);
  attr.inherit = 1;
  const Counter counter(attr);
  const pid_t child = fork();
  if (child == 0) {
    vpmu_retire(0, kInstructions, 3);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(counter.Value(), 3u);
}

TEST_F(DescriptorsTest, EventsOfProcessesThatDieAreGone) {
  const pid_t child = fork();
  if (child == 0) {
    (void)OpenCounter(Attributes(kInstructions));
    abort();
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(Statistics().events, 0u);
}

// Programs on one node that share one state.
class Neighbours : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(mkdtemp(folder_), nullptr); }
  void TearDown() override {
    unlink(State().c_str());
    rmdir(folder_);
  }
  std::string Command(const std::string& arguments) const {
    return "VPMU_PRIVILEGED=1 VPMU_MACHINE=" + MachinePath("icx") + " VPMU_STATE=" + State() +
           " " HANDOVER " " + arguments;
  }
  std::string State() const { return std::string(folder_) + "/state"; }

 private:
  char folder_[32] = "/tmp/virtual_pmu.XXXXXX";
};

// The owner of the package opens, its neighbour reads.
TEST_F(Neighbours, ReadWhatTheOwnerHandsOver) {
  FILE* output = popen(Command("").c_str(), "r");
  ASSERT_NE(output, nullptr);
  std::string text;
  for (char line[256]; fgets(line, sizeof(line), output) != nullptr;) text += line;
  EXPECT_EQ(pclose(output), 0);
  EXPECT_EQ(text,
            "neighbour reads 111\n"
            "neighbour sees 222 more\n"
            "owner reads 1333 after the neighbour has gone\n"
            "events 0\n");
}

// The ranks of a job: whoever comes first prepares the state, and nobody does so again.
TEST_F(Neighbours, WhoStartTogetherKeepTheirEvents) {
  for (int round = 0; round < 20; ++round) {
    std::vector<FILE*> programs(10);
    for (size_t i = 0; i < programs.size(); ++i) {
      programs[i] = popen(Command("alone " + std::to_string(100 + i)).c_str(), "r");
      ASSERT_NE(programs[i], nullptr);
    }
    for (FILE* program : programs) EXPECT_EQ(pclose(program), 0) << "round " << round;
    unlink(State().c_str());
  }
}

}  // namespace
}  // namespace vpmu_test
