// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_first.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace roofmark::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::string Elsewhere(const std::vector<std::string>& command,
                      const std::map<std::string, const char*>& variables = {}) {
  return MayRunElsewhere(command, [&variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second;
  });
}

TEST(MayRunElsewhere, NotWhereTheLauncherStaysHere) {
  EXPECT_THAT(Elsewhere({"./app"}), IsEmpty());
  EXPECT_THAT(Elsewhere({"mpirun", "-n", "4", "./app"}), IsEmpty());
  EXPECT_THAT(Elsewhere({"mpirun", "-n", "4", "./app"},
                        {{"SLURM_JOB_ID", "7"}, {"SLURMD_NODENAME", "node1"}}),
              IsEmpty())
      << "a batch script on the first node of its job";
}

TEST(MayRunElsewhere, LaunchersThatChooseNodes) {
  EXPECT_THAT(Elsewhere({"/usr/bin/srun", "-n", "4", "./app"}), HasSubstr("srun chooses"));
  EXPECT_THAT(Elsewhere({"mpirun", "--hostfile", "nodes", "./app"}),
              HasSubstr("--hostfile names the nodes"));
  EXPECT_THAT(Elsewhere({"./app", "-f", "input"}), IsEmpty()) << "the program's own option";
}

TEST(MayRunElsewhere, AShellOutsideOfItsAllocation) {
  EXPECT_THAT(Elsewhere({"mpirun", "./app"}, {{"SLURM_JOB_ID", "7"}}),
              HasSubstr("outside of its Slurm allocation"));
}

}  // namespace
}  // namespace roofmark::cli
