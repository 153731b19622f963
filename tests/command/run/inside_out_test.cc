// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/inside_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Launcher Of(const std::string& name, uint32_t rank, uint32_t ranks) {
  Launcher launcher;
  launcher.name = name;
  launcher.rank = rank;
  launcher.ranks = ranks;
  return launcher;
}

TEST(InsideOut, IsACommandOnSeveralRanks) {
  EXPECT_TRUE(IsInsideOut(Of("openmpi", 0, 2)));
  EXPECT_TRUE(IsInsideOut(Of("slurm", 3, 4)));
  EXPECT_FALSE(IsInsideOut(Of("slurm", 0, 1)));
  EXPECT_FALSE(IsInsideOut(Of("flux", 0, 2))) << "scripts have these variables, too";
  EXPECT_FALSE(IsInsideOut({}));
}

TEST(InsideOut, TheLineHasTheLauncherBehindTheOptions) {
  const std::vector<std::string> words = {
      "/opt/bin/roofmark", "run", "-o", "my file", "--", "./app", "a'b", "--", "c"};
  EXPECT_EQ(TurnedRound(words, Of("openmpi", 0, 2)),
            "roofmark run -o 'my file' -- mpirun -n 2 ./app 'a'\\''b' -- c");
  EXPECT_THAT(TurnedRound(words, Of("slurm", 0, 8)), HasSubstr("-- srun -n 8 ./app"));
  EXPECT_THAT(TurnedRound(words, Of("jsm", 0, 8)), HasSubstr("-- jsrun -n 8 ./app"));
  EXPECT_THAT(TurnedRound(words, Of("hydra", 0, 8)), HasSubstr("-- mpiexec -n 8 ./app"));
  EXPECT_THAT(TurnedRound(words, Of("pmi", 0, 8)), HasSubstr("-- mpirun -n 8 ./app"));
}

class RunInsideOut : public testing::Test {
 protected:
  test::Ended Run(const char* rank, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> command = {ROOFMARK,      "run",    "--no-machine",
                                        "--no-report", "--work", "never"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", "/bin/sh", "-c", "echo executed"});
    return test::Run(command, {{"OMPI_COMM_WORLD_RANK", rank}, {"OMPI_COMM_WORLD_SIZE", "2"}},
                     directory_.path());
  }
  test::TempDir directory_;
};

TEST_F(RunInsideOut, NothingIsExecutedAndOneRankSaysWhatToType) {
  const test::Ended first = Run("0"), second = Run("1");
  for (const test::Ended& ended : {first, second}) {
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.out, Not(HasSubstr("executed")));
  }
  EXPECT_THAT(first.err, test::Says(message::kLauncherInFront, "openmpi", "2",
                                    "roofmark run --no-machine --no-report --work never -- mpirun "
                                    "-n 2 /bin/sh -c 'echo executed'"));
  EXPECT_THAT(second.err, IsEmpty());
  EXPECT_THAT(test::ListFiles(directory_.path()), IsEmpty());
}

TEST_F(RunInsideOut, WhereEachRankIsAProgramOfItsOwnItIs) {
  EXPECT_THAT(Run("0", {"--each-rank"}).out, HasSubstr("executed"));
}

}  // namespace
}  // namespace roofmark::cli
