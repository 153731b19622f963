// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>
#include <vector>

#include "lib/core/file.h"
#include "lib/core/log.h"
#include "lib/core/messages/recording.h"
#include "lib/profile/roofline_json.h"
#include "lib/spool/accumulator.h"
#include "lib/spool/read.h"
#include "tests/support/end_child.h"
#include "tests/support/process.h"
#include "tests/support/sanitizers.h"
#include "tests/support/says.h"

namespace roofmark::spool {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr size_t kAccumulatorsBytes = kPathsPerBlock * sizeof(Accumulator);

class WriterTest : public testing::Test {
 protected:
  std::unique_ptr<Writer> Make(int (*allocate)(int, off_t, off_t) = &posix_fallocate) {
    return Make(directory_.File("job"), allocate);
  }
  std::unique_ptr<Writer> Make(const std::string& directory,
                               int (*allocate)(int, off_t, off_t) = &posix_fallocate) {
    Writer::Options options;
    options.directory = directory;
    options.name = "rank0.host.1.spool";
    options.allocate = allocate;
    auto writer = Writer::Create(options);
    if (writer == nullptr) return writer;
    JobProfile self;
    self.run.passes.emplace_back();
    EXPECT_TRUE(writer->Append(Kind::kRun, 0, 0, RooflineToJson({self, {}})));
    EXPECT_TRUE(writer->AppendPath(1, {0, 1, RegionKind::kTeam, "a.c", 7, 2}, "a"));
    return writer;
  }
  static Accumulator* Accumulators(Writer& writer, uint32_t thread, uint32_t first) {
    return static_cast<Accumulator*>(
        writer.Allocate(Kind::kAccumulators, thread, first, kAccumulatorsBytes));
  }
  static uint64_t Visits(const Spool& spool, uint32_t path) {
    uint64_t visits = 0;
    for (const auto& thread : spool.input.threads) visits += thread.at(path).visits;
    return visits;
  }

  test::TempDir directory_;
};

TEST_F(WriterTest, WhatIsWrittenIsRead) {
  auto writer = Make();
  ASSERT_NE(writer, nullptr);
  EXPECT_TRUE(writer->Complete());
  Accumulator* accumulators = Accumulators(*writer, 0, 0);
  accumulators[1].Commit(1, 5);
  accumulators[1].Commit(1, 5);
  accumulators[1].active = 1;
  auto* works = static_cast<DeclaredWork*>(
      writer->Allocate(Kind::kWorks, 0, 0, kPathsPerBlock * sizeof(DeclaredWork)));
  works[1].flops = 7;
  const Result<Spool> spool = ReadSpool(writer->file());
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, IsEmpty());
  EXPECT_EQ(spool->identity.pid, static_cast<uint32_t>(getpid()));
  EXPECT_EQ(LifeOf(spool->identity, writer->file()), Life::kAlive);
  EXPECT_EQ(spool->input.names.at(1), "a");
  EXPECT_EQ(spool->input.nodes.at(1).file, "a.c");
  EXPECT_EQ(Visits(*spool, 1), 2u);
  EXPECT_EQ(spool->input.threads.at(0).at(1).declared_flops, 7u);
  EXPECT_EQ(spool->open.at(1), 1u);
}

TEST_F(WriterTest, AProcessIsKnownByAllThatNamesIt) {
  const auto writer = Make();
  const Identity self = ReadSpool(writer->file())->identity;
  EXPECT_EQ(self, ThisProcess());
  const auto changed = [&](auto change) {
    Identity other = self;
    change(other);
    return other;
  };
  const Identity later = changed([](Identity& i) { ++i.started; });
  EXPECT_FALSE(later == self);
  EXPECT_EQ(LifeOf(later, writer->file()), Life::kDead) << "its number was given away again";
  const Identity before_start = changed([](Identity& i) { i.boot[0] = '?'; });
  EXPECT_FALSE(before_start == self);
  EXPECT_EQ(LifeOf(before_start, writer->file()), Life::kDead) << "the host was started anew";
  const Identity elsewhere = changed([](Identity& i) { i.boot[0] = i.host[0] = '?'; });
  EXPECT_EQ(LifeOf(elsewhere, writer->file()), Life::kUnknown);
  const Identity contained = changed([](Identity& i) { ++i.pid_namespace; });
  EXPECT_FALSE(contained == self);
  EXPECT_EQ(LifeOf(contained, writer->file()), Life::kUnknown);
  const Identity copied = changed([](Identity& i) { ++i.inode; });
  EXPECT_TRUE(copied == self);
  EXPECT_EQ(LifeOf(copied, writer->file()), Life::kDead);
}

TEST_F(WriterTest, OnlyItsOwnerMayRead) {
  auto writer = Make();
  struct stat info;
  ASSERT_EQ(stat(writer->file().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(WriterTest, RemoveLeavesNothing) {
  auto writer = Make();
  Accumulator* accumulators = Accumulators(*writer, 0, 0);
  writer->Remove();
  EXPECT_THAT(test::ListFiles(directory_.path()), IsEmpty());
  accumulators[1].Commit(1, 5);
  ASSERT_NE(writer->Allocate(Kind::kAccumulators, 0, 64, 10 << 20), nullptr)
      << "grows without its file";
  EXPECT_THAT(test::ListFiles(directory_.path()), IsEmpty());
}

TEST_F(WriterTest, GrowthMovesNothing) {
  auto writer = Make();
  std::vector<Accumulator*> all;
  constexpr uint32_t kThreads = 5000;  // 20 MiB
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    all.push_back(Accumulators(*writer, thread, 0));
    ASSERT_NE(all.back(), nullptr);
    all.back()[1].Commit(1, thread);
  }
  for (Accumulator* accumulators : all) accumulators[1].Commit(1, 1);
  EXPECT_TRUE(writer->Complete());
  const Result<Spool> spool = ReadSpool(writer->file());
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, IsEmpty());
  EXPECT_EQ(Visits(*spool, 1), 2u * kThreads);
  EXPECT_EQ(spool->input.threads.at(4999).at(1).ticks, 5000u);
}

TEST_F(WriterTest, ManyThreadsAtOnce) {
  auto writer = Make();
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t block = 0; block < 50; ++block) {
        Accumulator* accumulators = Accumulators(*writer, t, block * kPathsPerBlock);
        for (int i = 0; i < 100; ++i) accumulators[2].Commit(1, 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Result<Spool> spool = ReadSpool(writer->file());
  ASSERT_TRUE(spool) << spool.error();
  for (uint32_t block = 0; block < 50; ++block) {
    EXPECT_EQ(Visits(*spool, block * kPathsPerBlock + 2), 1600u);
  }
}

// --- full file systems ------------------------------------------------------------------------

int FullFromTheStart(int, off_t, off_t) { return ENOSPC; }
int FullAfter256K(int fd, off_t offset, off_t bytes) {
  return offset + bytes > (256 << 10) ? ENOSPC : posix_fallocate(fd, offset, bytes);
}

TEST_F(WriterTest, FullFromTheStartIsNotNoticed) {
  auto writer = Make(&FullFromTheStart);
  ASSERT_NE(writer, nullptr);
  EXPECT_FALSE(writer->Complete());
  EXPECT_EQ(writer->file(), "");
  EXPECT_THAT(test::ListFiles(directory_.path()), IsEmpty()) << "an empty spool says nothing";
  Accumulators(*writer, 0, 0)[1].Commit(1, 5);
  EXPECT_THAT(ComplaintsAsLines(), test::Says(message::kSpoolFailed, "made", testing::_));
  const Result<Spool> copy = ParseSpool(writer->Freeze(), "copy");
  ASSERT_TRUE(copy) << copy.error();
  EXPECT_EQ(Visits(*copy, 1), 1u) << "snapshots know all";
}

TEST_F(WriterTest, FullWhileItGrowsKeepsWhatWasThere) {
  auto writer = Make(&FullAfter256K);
  ASSERT_NE(writer, nullptr);
  constexpr uint32_t kThreads = 200;  // 800 KiB
  for (uint32_t thread = 0; thread < kThreads; ++thread) {
    Accumulator* accumulators = Accumulators(*writer, thread, 0);
    ASSERT_NE(accumulators, nullptr);
    accumulators[1].Commit(1, 1);
  }
  EXPECT_FALSE(writer->Complete());
  EXPECT_THAT(ComplaintsAsLines(), HasSubstr("No space left on device"));
  const Result<Spool> spool = ReadSpool(writer->file());
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_THAT(spool->problems, Contains(HasSubstr("the spool became full")));
  EXPECT_GT(Visits(*spool, 1), 40u);
  EXPECT_LT(Visits(*spool, 1), kThreads);
  const Result<Spool> copy = ParseSpool(writer->Freeze(), "copy");
  ASSERT_TRUE(copy) << copy.error();
  EXPECT_EQ(Visits(*copy, 1), kThreads);
}

TEST_F(WriterTest, ARealFullTmpfs) {
  const std::string place = directory_.File("small");
  mkdir(place.c_str(), 0700);
  if (mount("roofmark-test", place.c_str(), "tmpfs", 0, "size=192k") != 0) {
    GTEST_SKIP() << "only root may mount a small tmpfs here";
  }
  struct Unmount {
    std::string place;
    ~Unmount() { umount2(place.c_str(), MNT_DETACH); }
  } unmount{place};
  auto writer = Make(place + "/job");
  for (uint32_t thread = 0; thread < 200; ++thread) {
    Accumulator* accumulators = Accumulators(*writer, thread, 0);
    for (uint32_t i = 0; i < kPathsPerBlock; ++i) accumulators[i].Commit(1, 1);  // would be SIGBUS
  }
  EXPECT_FALSE(writer->Complete());
  const Result<Spool> spool = ReadSpool(writer->file());
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_GT(Visits(*spool, 1), 10u);
}

// SIGXFSZ would end the application.
TEST_F(WriterTest, ALimitOnFileSizesIsNotReached) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {300 << 10, 300 << 10};  // less than 100 blocks
    setrlimit(RLIMIT_FSIZE, &limit);
    auto writer = Make();
    for (uint32_t thread = 0; thread < 100; ++thread)
      Accumulators(*writer, thread, 0)[1].Commit(1, 1);
    const Result<Spool> spool = ReadSpool(writer->file());
    test::EndChild(spool && Visits(*spool, 1) > 10 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(WriterTest, NoPlaceAtAll) {
  auto writer = Make("/nowhere/to/be/found");
  ASSERT_NE(writer, nullptr);
  EXPECT_NE(Accumulators(*writer, 0, 0), nullptr);
  EXPECT_THAT(ComplaintsAsLines(), HasSubstr("/nowhere/to/be/found"));
}

TEST_F(WriterTest, ADirectoryThatOthersWriteToIsRefused) {
  const std::string place = directory_.File("open");
  mkdir(place.c_str(), 0700);
  chmod(place.c_str(), 0777);
  EXPECT_EQ(Make(place)->file(), "");
  EXPECT_THAT(ComplaintsAsLines(), HasSubstr("can be written by others"));
}

TEST_F(WriterTest, SameNameTwice) {
  auto first = Make();
  auto second = Make();
  EXPECT_NE(first->file(), second->file());
  EXPECT_EQ(test::ListFiles(directory_.File("job")).size(), 2u);
}

TEST_F(WriterTest, AddressesAreLimited) {
#if ROOFMARK_TEST_ASAN || ROOFMARK_TEST_TSAN
  GTEST_SKIP() << "the sanitizer itself needs more addresses";
#endif
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {rlim_t{4} << 30, rlim_t{4} << 30};
    setrlimit(RLIMIT_AS, &limit);
    auto writer = Make();
    test::EndChild(writer != nullptr && Accumulators(*writer, 0, 0) != nullptr ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(WriterTest, TheRangeEndsWithoutACrash) {
  Writer::Options options;
  options.directory = directory_.File("job");
  options.name = "x.spool";
  options.range = 1 << 20;
  auto writer = Writer::Create(options);
  int blocks = 0;
  while (Accumulators(*writer, 0, 0) != nullptr && blocks < 1000) ++blocks;
  EXPECT_GT(blocks, 100);
  EXPECT_LT(blocks, 256);
}

// --- other processes --------------------------------------------------------------------------

TEST_F(WriterTest, AForkedChildWritesNothing) {
  auto writer = Make();
  Accumulator* accumulators = Accumulators(*writer, 0, 0);
  accumulators[1].Commit(1, 1);
  const pid_t child = fork();
  if (child == 0) {
    writer->DetachInChild();
    for (int i = 0; i < 100; ++i) accumulators[1].Commit(1, 1);
    Accumulators(*writer, 1, 0);
    writer->Remove();
    test::EndChild(0);
  }
  waitpid(child, nullptr, 0);
  const Result<Spool> spool = ReadSpool(writer->file());
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_EQ(Visits(*spool, 1), 1u);
  EXPECT_EQ(spool->input.threads.size(), 1u);
  accumulators[1].Commit(1, 1);
  EXPECT_EQ(Visits(*ReadSpool(writer->file()), 1), 2u);
}

TEST_F(WriterTest, AKilledProcessIsDeadAndItsVisitsAreThere) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto writer = Make();
    Accumulator* accumulators = Accumulators(*writer, 0, 0);
    for (int i = 0; i < 1234; ++i) accumulators[1].Commit(1, 1);
    accumulators[1].active = 1;
    [[maybe_unused]] const ssize_t written = write(ready[1], "x", 1);
    for (;;) pause();
  }
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  const std::string file = directory_.File("job/rank0.host.1.spool");
  EXPECT_EQ(LifeOf(ReadSpool(file)->identity, file), Life::kAlive);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const Result<Spool> spool = ReadSpool(file);
  ASSERT_TRUE(spool) << spool.error();
  EXPECT_EQ(LifeOf(spool->identity, file), Life::kDead);
  EXPECT_EQ(Visits(*spool, 1), 1234u);
  EXPECT_EQ(spool->open.at(1), 1u);
}

// The same process goes on as another program: no process uses what it left.
TEST_F(WriterTest, AProcessThatMapsItNoLongerIsDead) {
  auto writer = Make();
  const std::string file = writer->file();
  const Identity self = ReadSpool(file)->identity;
  writer.reset();
  EXPECT_EQ(LifeOf(self, file), Life::kDead);
}

}  // namespace
}  // namespace roofmark::spool
