// SPDX-License-Identifier: BSD-3-Clause
#include "command/output_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/command.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(OutputFiles, ANameForAnotherKindOfFileIsRefused) {
  EXPECT_THAT(WhyMisnamed("dir/x.png", "svg"), HasSubstr("name it dir/x.svg"));
  EXPECT_THAT(WhyMisnamed("x.PNG", "svg"), HasSubstr("name it x.svg"));
  EXPECT_THAT(WhyMisnamed("x.svg", "html"), HasSubstr("name it x.html"));
  for (const char* right : {"x.svg", "x", "x.SVG", "-", "x.1", "/dev/stdout", "x.roofline"}) {
    EXPECT_THAT(WhyMisnamed(right, "svg"), IsEmpty()) << right;
  }
  EXPECT_THAT(WhyMisnamed("x.htm", "html"), IsEmpty());
  EXPECT_THAT(WhyMisnamed("x.markdown", "md"), IsEmpty());
}

// What it says, or nothing if the file may be written.
std::string Refusal(const std::string& file, const bool* force) {
  testing::internal::CaptureStderr();
  const bool may = MayWrite(file, force);
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(may, said.empty()) << file;
  return said;
}

TEST(OutputFiles, AreLookedAtBeforeTheyAreWritten) {
  const test::TempDir directory;
  directory.Write("there.svg", "mine");
  const std::string there = directory.File("there.svg");
  const bool no = false, yes = true;
  EXPECT_EQ(Refusal(there, &no),
            test::LineOf(message::kFileExists, there, ", remove it, or use --force"));
  EXPECT_EQ(Refusal(there, nullptr), test::LineOf(message::kFileExists, there, " or remove it"));
  EXPECT_EQ(Refusal(there, &yes), "");
  const std::string nowhere = directory.File("none/x.svg");
  EXPECT_EQ(Refusal(nowhere, &yes),
            test::LineOf(message::kCannotWrite, nowhere, "No such file or directory"));
  EXPECT_EQ(Refusal(directory.path(), &yes),
            test::LineOf(message::kCannotWrite, directory.path(), "Is a directory"));
  for (const std::string& may : {directory.File("new.svg"), std::string("-"), std::string(),
                                 std::string("/dev/null"), std::string("/dev/stdout")}) {
    EXPECT_EQ(Refusal(may, &no), "") << may;
  }
}

}  // namespace
}  // namespace roofmark::cli
