// SPDX-License-Identifier: BSD-3-Clause
//
// An installation whose name has a blank or a colon, at which LD_PRELOAD is divided: its own
// libraries are loaded, and nothing of the working directory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "lib/core/file.h"
#include "lib/core/messages/collectors.h"
#include "lib/core/messages/command_run.h"
#include "tests/command/run/copied_prefix.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

namespace fs = std::filesystem;

class StrangePrefix : public testing::TestWithParam<const char*> {
 protected:
  StrangePrefix() : prefix_(directory_.File(GetParam())) {
    test::CopyPrefix(ROOFMARK, LIBRARY, prefix_);
    fs::create_directories(directory_.File("cache/roofmark"));
  }
  Ended Run(std::vector<std::string> options, const std::vector<std::string>& program) const {
    std::vector<std::string> command = {prefix_ + "/bin/roofmark", "run", "--no-machine",
                                        "--no-report", "--preload"};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back("--");
    command.insert(command.end(), program.begin(), program.end());
    return test::Run(command,
                     {{"XDG_CACHE_HOME", directory_.File("cache")}, {"XDG_RUNTIME_DIR", ""}},
                     directory_.path());
  }
  std::vector<std::string> Links() const {
    return test::ListFiles(directory_.File("cache/roofmark"));
  }
  test::TempDir directory_;
  const std::string prefix_;
};

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The files of LD_PRELOAD, divided as the dynamic linker does it, without links.
constexpr char kPreloaded[] =
    "IFS=' :'; for word in $LD_PRELOAD; do case $word in /*) readlink -f $word;; "
    "*) echo relative: $word;; esac; done";

TEST_P(StrangePrefix, ItsLibrariesArePreloadedByALinkThatVanishes) {
  const Ended ended = Run({"--collector", "timer", "--adapters=all"}, {"sh", "-c", kPreloaded});
  const std::vector<std::string> files = Lines(ended.out);
  EXPECT_THAT(files, Not(IsEmpty())) << ended.err;
  EXPECT_THAT(files, Each(StartsWith(fs::canonical(prefix_).string() + "/lib/libroofmark")));
  EXPECT_THAT(ended.err, Not(HasSubstr("LD_PRELOAD"))) << "the dynamic linker found all";
  EXPECT_THAT(Links(), IsEmpty());
}

TEST_P(StrangePrefix, WithoutAPlaceForTheLinkNothingIsExecuted) {
  ASSERT_EQ(chmod(directory_.File("cache/roofmark").c_str(), 0777), 0);
  const Ended ended = Run({"--collector", "timer"}, {"sh", "-c", "echo executed"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err,
              test::Says(message::kNoLinkToFolder, fs::canonical(prefix_ + "/lib").string()));
}

#ifdef HAS_ENGINE
// In place of Valgrind's engine, which adds a file of VALGRIND_LIB to LD_PRELOAD.
// It starts no program of its own, which would be counted.
constexpr char kStandIn[] =
    "#!/bin/sh\ncd \"$VALGRIND_LIB\" && pwd -P && echo \"VALGRIND_LIB=$VALGRIND_LIB\"\n";

class EngineOfStrangePrefix : public StrangePrefix {
 protected:
  EngineOfStrangePrefix() {
    const std::string file = tools_ + "/roofmark-amd64-linux";
    fs::remove(prefix_ + "/lib/" ROOFMARK_PLUGIN_FOLDER);
    fs::create_directories(tools_);
    EXPECT_TRUE(WriteFile(file, kStandIn, IfExists::kRefuse));
    chmod(file.c_str(), 0755);
  }
  const std::string tools_ = prefix_ + "/lib/" ROOFMARK_PLUGIN_FOLDER "/valgrind";
};

TEST_P(EngineOfStrangePrefix, IsGivenALinkToo) {
  const Ended ended =
      Run({"--collector", "counting", "--engine", "valgrind"}, {"printenv", "LD_PRELOAD"});
  const std::vector<std::string> lines = Lines(ended.out);
  ASSERT_THAT(lines, SizeIs(2)) << ended.out << ended.err;
  EXPECT_EQ(lines[0], fs::canonical(tools_));
  EXPECT_THAT(lines[1], StartsWith("VALGRIND_LIB=" + directory_.File("cache/roofmark/links.")));
  EXPECT_THAT(Links(), IsEmpty());
}

// Without `roofmark run` there is no link: the program is not counted.
TEST_P(EngineOfStrangePrefix, IsRefusedWhereNoLinkIsMade) {
  const Ended ended = test::Run({"printenv", "ROOFMARK_COLLECTOR"},
                                {{"ROOFMARK_COLLECTOR", "counting"},
                                 {"ROOFMARK_ENGINE", "valgrind"},
                                 {"ROOFMARK_OUTPUT", "/dev/null"},
                                 {"ROOFMARK_TOOL_DIR", tools_},
                                 {"LD_PRELOAD", LIBRARY}},
                                directory_.path());
  EXPECT_EQ(ended.out, "counting\n");
  EXPECT_THAT(ended.err, test::Says(message::kToolFolderNotListed, tools_));
}
#endif

constexpr const char* kNames[] = {"pre fix", "pre:fix"};
INSTANTIATE_TEST_SUITE_P(Names, StrangePrefix, testing::ValuesIn(kNames));
#ifdef HAS_ENGINE
INSTANTIATE_TEST_SUITE_P(Names, EngineOfStrangePrefix, testing::ValuesIn(kNames));
#endif

}  // namespace
}  // namespace roofmark
