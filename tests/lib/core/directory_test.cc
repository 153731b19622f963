// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "lib/core/descriptor.h"
#include "tests/support/lowered_limit.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

class KeptDirectoryTest : public testing::Test {
 protected:
  std::string Make(const std::string& name) const {
    const std::string path = directory_.path() + "/" + name;
    mkdir(path.c_str(), 0700);
    return path;
  }

  static std::optional<OpenFile> FileOf(const OpenDirectory& open) {
    return OpenFile::Of(open.descriptor);
  }
  static std::optional<OpenFile> FileOf(const std::string& path) {
    struct stat info;
    if (stat(path.c_str(), &info) != 0) return std::nullopt;
    return OpenFile::Of(info);
  }

  const test::TempDir directory_;
};

TEST_F(KeptDirectoryTest, IsItselfUnderAnyName) {
  const std::string mine = Make("mine"), other = Make("other"), link = directory_.path() + "/link";
  ASSERT_EQ(symlink("mine", link.c_str()), 0);
  KeptDirectory kept;
  ASSERT_TRUE(kept.Keep(link));
  EXPECT_EQ(kept.name(), std::filesystem::canonical(mine));
  EXPECT_TRUE(kept.Is(mine));
  EXPECT_TRUE(kept.Is(link));
  EXPECT_FALSE(kept.Is(other));
  EXPECT_FALSE(kept.Is(directory_.path() + "/none"));
}

TEST_F(KeptDirectoryTest, IsFollowedWhereItWasMoved) {
  const std::string mine = Make("mine"), moved = directory_.path() + "/moved";
  KeptDirectory kept;
  ASSERT_TRUE(kept.Keep(mine));
  std::filesystem::rename(mine, moved);
  Make("mine");
  EXPECT_EQ(FileOf(kept.Open()), FileOf(moved));
  EXPECT_FALSE(kept.Is(mine)) << "another one has its name";
}

// Of few files none is kept open: the name is looked at again, and may be that of another one.
TEST_F(KeptDirectoryTest, ByNameAloneItIsNotTakenForAnother) {
  const std::string mine = Make("mine");
  const test::LoweredLimit few(RLIMIT_NOFILE, kFewFiles - 1);
  KeptDirectory kept;
  ASSERT_TRUE(kept.Keep(mine));
  EXPECT_EQ(FileOf(kept.Open()), FileOf(mine));
  std::filesystem::rename(mine, directory_.path() + "/moved");
  Make("mine");
  EXPECT_EQ(kept.Open().descriptor, -1);
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(KeptDirectoryTest, HasNamesInOrder) {
  const std::string made = Make("of");
  for (const char* name : {"of/b", "of/.a", "of/c.d", "of/B"}) Make(name);
  EXPECT_EQ(*ListNames(made), (std::vector<std::string>{".a", "B", "b", "c.d"}));
  EXPECT_EQ(ListNames(made + "/none").error(), "No such file or directory");
}

TEST_F(KeptDirectoryTest, FilesOfShortLifeGoWhereTheUserSays) {
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before == nullptr ? "" : before;
  setenv("TMPDIR", directory_.path().c_str(), 1);
  EXPECT_EQ(TemporaryDirectory(), directory_.path());
  setenv("TMPDIR", (directory_.path() + "/none").c_str(), 1);
  EXPECT_EQ(TemporaryDirectory(), "/tmp");
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", saved.c_str(), 1);
}

}  // namespace
}  // namespace roofmark
