// SPDX-License-Identifier: BSD-3-Clause
//
// A marked program with more rights than whoever starts it does not obey that one's environment.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "tests/support/other_user.h"
#include "tests/support/process.h"
#include "tests/support/sanitizers.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Environment;

// `security.capability` of a file, as the kernel lays it out (version 2).
struct FileCapabilities {
  uint32_t magic = 0x02000001;                  // effective too
  uint32_t low_permitted = 1u << 2 | 1u << 13;  // CAP_DAC_READ_SEARCH, to read the library, and any
  uint32_t low_inheritable = 0, high_permitted = 0, high_inheritable = 0;
};

class Privilege : public testing::Test {
 protected:
  void SetUp() override {
#if ROOFMARK_TEST_SANITIZED
    GTEST_SKIP() << "a sanitizer does not work in programs with more rights than their caller";
#endif
    if (!test::CanBeOthers()) GTEST_SKIP() << test::kOnlyRoot;
    struct statvfs mount;
    ASSERT_EQ(statvfs(directory_.path().c_str(), &mount), 0);
    if ((mount.f_flag & ST_NOSUID) != 0) {
      GTEST_SKIP() << directory_.path() << " is mounted nosuid";
    }
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1) {
      GTEST_SKIP() << "this process may start no program with more rights (no_new_privs)";
    }
    std::filesystem::copy_file(MARKED, program_);
    ASSERT_EQ(chmod(directory_.path().c_str(), 0755), 0);
    ASSERT_EQ(mkdir(Out("").c_str(), 0777), 0);
    ASSERT_EQ(chmod(Out("").c_str(), 0777), 0);
  }

  std::string Out(const std::string& name) const { return directory_.File("out/") + name; }

  bool OthersReadTheLibrary() {
    return test::AsOtherUser([] { return access(LIBRARY, R_OK); }) == 0;
  }

  // As another user. The program prints whether it records.
  void ExpectOfOther(const std::string& expected, const Environment& environment) {
    EXPECT_EQ(test::AsOtherUser([&] {
                const Ended ended = test::Run({program_, "active"}, environment, Out(""));
                EXPECT_EQ(ended.out, expected) << ended.err;
                EXPECT_EQ(ended.status, 0);
                EXPECT_TRUE(expected == "active 1\n" || ended.err.empty()) << ended.err;
                return HasFailure() ? 1 : 0;
              }),
              0);
  }

  // The program obeys nothing: neither for where to write nor for
  // what to execute.
  void ExpectOff() {
    std::ofstream(directory_.File("roofmark-amd64-linux"))
        << "#!/bin/sh\ntouch " << Out("executed") << "\n";
    chmod(directory_.File("roofmark-amd64-linux").c_str(), 0755);
    for (const char* collector : {"timer", "counting"}) {
      ExpectOfOther("active 0\n", {{"ROOFMARK_COLLECTOR", collector},
                                   {"ROOFMARK_TOOL_DIR", directory_.path()},
                                   {"ROOFMARK_SPOOL", Out("")},
                                   {"ROOFMARK_OUTPUT", Out("run.json")}});
      EXPECT_EQ(test::ListFiles(Out("")), std::vector<std::string>{}) << collector;
    }
  }

  test::TempDir directory_;
  const std::string program_ = directory_.File("program");
};

// What the other tests rest on: the same program without more rights records where it is told to.
TEST_F(Privilege, AProgramWithoutMoreRightsObeys) {
  if (!OthersReadTheLibrary()) GTEST_SKIP() << "other users cannot read " << LIBRARY;
  ExpectOfOther("active 1\n",
                {{"ROOFMARK_COLLECTOR", "timer"}, {"ROOFMARK_OUTPUT", Out("run.json")}});
  EXPECT_EQ(test::ListFiles(Out("")), std::vector<std::string>{"run.json"});
}

TEST_F(Privilege, ASetuidProgramDoesNot) {
  ASSERT_EQ(chmod(program_.c_str(), 04755), 0);
  ExpectOff();
}

TEST_F(Privilege, ASetgidProgramDoesNot) {
  if (!OthersReadTheLibrary()) GTEST_SKIP() << "other users cannot read " << LIBRARY;
  ASSERT_EQ(chown(program_.c_str(), test::kOtherUser, 0), 0);
  ASSERT_EQ(chmod(program_.c_str(), 02755), 0);
  ExpectOff();
}

TEST_F(Privilege, AProgramWithFileCapabilitiesDoesNot) {
  const FileCapabilities capabilities;
  if (setxattr(program_.c_str(), "security.capability", &capabilities, sizeof capabilities, 0) !=
      0) {
    GTEST_SKIP() << "this filesystem, or this container, keeps no file capabilities";
  }
  ExpectOff();
}

}  // namespace
}  // namespace roofmark
