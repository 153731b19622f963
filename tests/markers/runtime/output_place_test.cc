// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/output_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/process.h"

namespace roofmark::runtime {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A stream is written to as long as it is the same one, and stands for no other file.
TEST(OutputPlace, AStreamIsOneFile) {
  const int stream = open("/dev/null", O_WRONLY);
  ASSERT_GE(stream, 0);
  const std::string name = fmt::format("/dev/fd/{}", stream);
  OutputPlace place;
  place.Keep(name);
  EXPECT_TRUE(place.Find(name));
  EXPECT_THAT(place.Find("ranks.h5").error(), HasSubstr("it would stand beside a stream"));
  close(stream);
  EXPECT_THAT(place.Find(name).error(), HasSubstr("the program closed it"));
}

class OutputDirectory : public testing::Test {
 protected:
  OutputDirectory() : before_(fs::current_path()) {
    for (const char* name : {"mine", "other"}) fs::create_directory(directory_.File(name));
    fs::current_path(directory_.path());
    place_.Keep("mine/run-%j.json");
    fs::current_path(directory_.File("other"));
  }
  ~OutputDirectory() override { fs::current_path(before_); }

  const fs::path before_;
  const test::TempDir directory_;
  OutputPlace place_;
};

TEST_F(OutputDirectory, NamesLeadToItFromElsewhere) {
  EXPECT_EQ(place_.NameFor("mine/ranks.h5"), fs::canonical("../mine/").string() + "/ranks.h5");
  EXPECT_EQ(place_.NameFor("/tmp/ranks.h5"), "/tmp/ranks.h5");
  fs::current_path(directory_.path());
  EXPECT_EQ(place_.NameFor("mine/ranks.h5"), "mine/ranks.h5");
}

TEST_F(OutputDirectory, WhereItIsGoneTheProgramsFilesAreNotTaken) {
  const Result<FilePath> known = place_.Find("mine/run-1.json");
  ASSERT_TRUE(known) << known.error();
  ASSERT_GE(known->directory, 0);
  close(known->directory);
  fs::remove(directory_.File("mine"));
  EXPECT_THAT(place_.Find("mine/run-1.json").error(),
              HasSubstr("no such directory can be seen any more"));
}

}  // namespace
}  // namespace roofmark::runtime
