// SPDX-License-Identifier: BSD-3-Clause
#include "command/folder_links.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "lib/core/messages/command_run.h"
#include "lib/core/path_list.h"
#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

namespace fs = std::filesystem;

class FolderLinksTest : public testing::Test {
 protected:
  FolderLinksTest() : strange_(directory_.File("my tools")), cache_(directory_.File("cache")) {
    for (const char* name : {"my tools", "cache/roofmark", "runtime"}) {
      fs::create_directories(directory_.File(name));
    }
    setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
    setenv("XDG_RUNTIME_DIR", directory_.File("runtime").c_str(), 1);
  }
  void LetOthersWriteInCache() const { chmod((cache_ + "/roofmark").c_str(), 0777); }
  test::TempDir directory_;
  const std::string strange_, cache_;
};

TEST(PathList, TakesPathsThatNoReaderDividesOrReplaces) {
  EXPECT_TRUE(FitsInPathList("/opt/roofmark-0.1/lib"));
  for (const char* path : {"", "lib", "/my tools", "/a:b", "/a;b", "/opt/$LIB"}) {
    EXPECT_FALSE(FitsInPathList(path)) << path;
  }
}

TEST_F(FolderLinksTest, WhatFitsNeedsNone) {
  FolderLinks links(true);
  EXPECT_EQ(*links.To(cache_), cache_);
  EXPECT_EQ(*links.To(""), "");
  EXPECT_TRUE(fs::is_empty(cache_ + "/roofmark"));
}

TEST_F(FolderLinksTest, OthersGetOneInADirectoryOfTheirOwnWhichVanishes) {
  for (const char* name : {"my tools", "a:b", "a;b", "$LIB"}) {
    fs::create_directories(directory_.File(name));
    FolderLinks links(false);
    const Result<std::string> link = links.To(directory_.File(name));
    ASSERT_TRUE(link) << link.error();
    EXPECT_TRUE(FitsInPathList(*link)) << *link;
    EXPECT_TRUE(fs::equivalent(*link, directory_.File(name)));
    struct stat place;
    ASSERT_EQ(stat(fs::path(*link).parent_path().c_str(), &place), 0);
    EXPECT_EQ(place.st_mode & 07777, 0700u);
  }
  EXPECT_TRUE(fs::is_empty(cache_ + "/roofmark"));
  EXPECT_TRUE(fs::exists(strange_)) << "the link is removed, not its folder";
}

TEST_F(FolderLinksTest, WhereOthersCanWriteNoneIsMade) {
  LetOthersWriteInCache();
  chmod(directory_.File("runtime").c_str(), 0777);
  EXPECT_EQ(FolderLinks(true).To(strange_).error(), InWords(message::kNoLinkToFolder, strange_));
}

TEST_F(FolderLinksTest, WhatThisNodeAloneSeesServesItsOwnProcesses) {
  LetOthersWriteInCache();
  EXPECT_TRUE(FolderLinks(true).To(strange_));
  EXPECT_FALSE(FolderLinks(false).To(strange_));
}

}  // namespace
}  // namespace roofmark::cli
