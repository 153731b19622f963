// SPDX-License-Identifier: BSD-3-Clause
//
// What Open MPI's launcher is told of variables, and others are not.
#include "command/forward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

using testing::ElementsAre;

constexpr char kList[] = "OMPI_MCA_mca_base_env_list";

class Forward : public testing::Test {
 protected:
  Forward() {
    for (const char* file : {"4/orterun", "5/mpirun", "5/ompi_info", "mpich/mpiexec.hydra"}) {
      directory_.Write(file, "");
      chmod(directory_.File(file).c_str(), 0700);
    }
    symlink("orterun", directory_.File("4/mpirun").c_str());
    symlink("mpiexec.hydra", directory_.File("mpich/mpirun").c_str());
    unsetenv(kList);
  }
  ~Forward() override { unsetenv(kList); }

  static Child ChildOf(std::vector<std::string> command) {
    Child child;
    child.command = std::move(command);
    child.environment = {
        {"ROOFMARK_OUTPUT", "run.json"}, {"LD_PRELOAD", "x.so"}, {"ROOFMARK", std::nullopt}};
    return child;
  }

  test::TempDir directory_;
};

TEST_F(Forward, OpenMpiIsToldOfAllVariables) {
  for (const char* launcher : {"4/mpirun", "4/orterun", "5/mpirun"}) {
    Child child = ChildOf({directory_.File(launcher), "-n", "2", "./app"});
    ForwardVariables(child);
    EXPECT_EQ(child.environment[kList], "LD_PRELOAD;ROOFMARK_OUTPUT") << launcher;
    EXPECT_EQ(child.command.size(), 4u);
  }
}

TEST_F(Forward, WhatTheUserHasInTheListStays) {
  setenv(kList, "OMP_NUM_THREADS", 1);
  setenv("ROOFMARK_COUNT", "flops", 1);
  Child child = ChildOf({directory_.File("4/mpirun"), "./app"});
  ForwardVariables(child);
  unsetenv("ROOFMARK_COUNT");
  EXPECT_EQ(child.environment[kList], "OMP_NUM_THREADS;LD_PRELOAD;ROOFMARK_COUNT;ROOFMARK_OUTPUT");
}

TEST_F(Forward, BesideOptionsOfTheUserThereAreMoreOfThem) {
  const std::string mpirun = directory_.File("4/mpirun");
  Child child = ChildOf({mpirun, "-x", "A", "./one", ":", "-n", "2", "./two"});
  ForwardVariables(child);
  EXPECT_FALSE(child.environment.contains(kList));
  EXPECT_THAT(child.command,
              ElementsAre(mpirun, "-x", "LD_PRELOAD", "-x", "ROOFMARK_OUTPUT", "-x", "A", "./one",
                          ":", "-x", "LD_PRELOAD", "-x", "ROOFMARK_OUTPUT", "-n", "2", "./two"));
}

TEST_F(Forward, OthersAreLeftAlone) {
  for (const std::string& program : {directory_.File("mpich/mpirun"), std::string("./app"),
                                     std::string("srun"), directory_.File("none/mpirun")}) {
    Child child = ChildOf({program, "-x", "./app"});
    const Child before = child;
    ForwardVariables(child);
    EXPECT_EQ(child.command, before.command) << program;
    EXPECT_EQ(child.environment, before.environment) << program;
  }
}

}  // namespace
}  // namespace roofmark::cli
