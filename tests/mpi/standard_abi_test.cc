// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that use the standard ABI of MPI 5.0, whose handles no plug-in knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/mpi.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

TEST(StandardAbi, IsNotTakenForTheFamilyThatItsVersionNames) {
  const TempDir directory;
  const Ended ended =
      test::Run({USES_STANDARD_ABI}, {{"ROOFMARK_COLLECTOR", "timer"}}, directory.path());
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.out, "done\n");
  EXPECT_THAT(ended.err, test::Says(message::kStandardAbi));
  const std::vector<std::string> files = ListFiles(directory.path());
  ASSERT_EQ(files.size(), 1u);
  const JobProfile part = ReadRoofline(directory.File(files.front())).job;
  EXPECT_EQ(Value(part, "solve", metric::kVisits), 1u);
}

}  // namespace
}  // namespace roofmark::test
