// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "lib/core/file.h"
#include "lib/model/machine_files.h"
#include "lib/model/machine_json.h"
#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

using testing::ElementsAre;

Machine MachineOf(bool partial, double seconds) {
  Machine machine;
  machine.cpu_model = "a CPU";
  machine.partial = partial;
  machine.seconds = seconds;
  return machine;
}

class Keeping : public testing::Test {
 protected:
  void SetUp() override { setenv("XDG_CACHE_HOME", directory_.path().c_str(), 1); }
  void TearDown() override { unsetenv("XDG_CACHE_HOME"); }
  double SecondsIn(const std::string& path) {
    const auto text = ReadFile(path);
    if (!text) return -1;
    const auto machine = MachineFromJson(*text, path);
    return machine ? machine->seconds : -2;
  }
  test::TempDir directory_;
};

TEST_F(Keeping, TheEndReplacesWhatWasKeptMeanwhile) {
  const std::string path = directory_.File("m.json");
  MachineKeeper keeper(path, /*force=*/false);
  keeper.KeepSoFar(MachineOf(true, 1));
  EXPECT_EQ(SecondsIn(path), 1);
  keeper.KeepSoFar(MachineOf(true, 2));
  EXPECT_EQ(SecondsIn(path), 2);
  EXPECT_EQ(keeper.Keep(MachineOf(false, 3)), path);
  EXPECT_EQ(SecondsIn(path), 3);
  EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("m.json"));
}

TEST_F(Keeping, FilesOfOthersStay) {
  const std::string path = directory_.File("m.json");
  ASSERT_TRUE(WriteFile(path, "of another", IfExists::kRefuse));
  MachineKeeper keeper(path, /*force=*/false);
  keeper.KeepSoFar(MachineOf(true, 1));
  EXPECT_EQ(*ReadFile(path), "of another");
  EXPECT_EQ(keeper.Keep(MachineOf(false, 2)), directory_.File("m.1.json"));
  EXPECT_EQ(*ReadFile(path), "of another");
  EXPECT_EQ(SecondsIn(directory_.File("m.1.json")), 2);
}

TEST_F(Keeping, PipesGetTheEndAlone) {
  const std::string path = directory_.File("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  MachineKeeper keeper(path, /*force=*/true);
  keeper.KeepSoFar(MachineOf(true, 1));
  char byte;
  EXPECT_EQ(read(reader, &byte, 1), 0) << "nobody has written";
  EXPECT_TRUE(keeper.Keep(MachineOf(false, 2)));
  EXPECT_EQ(read(reader, &byte, 1), 1);
  close(reader);
}

TEST_F(Keeping, FiguresThatContradictEachOtherReplaceNoTrustedOnes) {
  Machine doubtful = MachineOf(false, 2);
  doubtful.contradictions = {"DRAM read: 2 GB/s on 2 cores, 20 GB/s on 1 core"};
  const std::string path = *MachineFilePath(doubtful);
  MachineKeeper keeper("", /*force=*/false);
  EXPECT_EQ(keeper.Keep(doubtful), path) << "where there is nothing, they are kept and marked";
  EXPECT_EQ(keeper.Keep(MachineOf(false, 3)), path);
  EXPECT_EQ(keeper.Keep(doubtful), std::nullopt);
  keeper.KeepSoFar(doubtful);
  EXPECT_EQ(SecondsIn(path), 3);
}

TEST_F(Keeping, ACompleteMeasurementInTheCacheStays) {
  MachineKeeper keeper("", /*force=*/false);
  keeper.KeepSoFar(MachineOf(true, 1));
  const auto kept = MachineFilePath(MachineOf(true, 0));
  ASSERT_TRUE(kept);
  EXPECT_EQ(SecondsIn(*kept), 1);
  EXPECT_EQ(keeper.Keep(MachineOf(false, 2)), *kept);
  keeper.KeepSoFar(MachineOf(true, 3));
  EXPECT_EQ(SecondsIn(*kept), 2);
  EXPECT_EQ(keeper.Keep(MachineOf(true, 4)), std::nullopt);
  EXPECT_EQ(SecondsIn(*kept), 2);
}

}  // namespace
}  // namespace roofmark::cli
