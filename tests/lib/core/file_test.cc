// SPDX-License-Identifier: BSD-3-Clause
//
// Files in directories where others can be faster, and outputs that are no files.
#include "lib/core/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "lib/core/clock.h"
#include "tests/support/other_user.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class FileTest : public testing::Test {
 protected:
  std::string File(const std::string& name) const { return directory_.File(name); }
  std::vector<std::string> Names() const { return test::ListFiles(directory_.path()); }

  const test::TempDir directory_;
};

TEST_F(FileTest, RefusesRenamesAndReplaces) {
  const std::string name = File("run.json");
  EXPECT_EQ(*WriteFile(name, "one", IfExists::kRefuse), name);
  const Result<std::string> refused = WriteFile(name, "two", IfExists::kRefuse);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), name + " exists already; choose another name or remove it");
  EXPECT_EQ(*WriteFile(name, "two", IfExists::kRename), File("run.1.json"));
  EXPECT_EQ(*WriteFile(name, "three", IfExists::kRename), File("run.2.json"));
  EXPECT_EQ(*ReadFile(name), "one");
  EXPECT_EQ(*WriteFile(name, "four", IfExists::kReplace), name);
  EXPECT_EQ(*ReadFile(name), "four");
  EXPECT_EQ(Names().size(), 3u) << "temporary files are left";
}

TEST_F(FileTest, ANameIsTakenBeforeItsFileIsWritten) {
  const std::string name = File("run.json");
  const Result<ReservedName> first = Reserve(name, IfExists::kRename);
  const Result<ReservedName> second = Reserve(name, IfExists::kRename);
  EXPECT_EQ(first->path, name);
  EXPECT_EQ(second->path, File("run.1.json"));
  EXPECT_FALSE(Reserve(name, IfExists::kRefuse));
  EXPECT_EQ(Reserve(name, IfExists::kReplace)->path, name);
  EXPECT_EQ(Reserve(OfUser("/dev/null"), IfExists::kRename)->path, "/dev/null");
  EXPECT_EQ(Reserve("/dev/stdout", IfExists::kRefuse)->path, "/dev/stdout");
  EXPECT_THAT(Names(), testing::UnorderedElementsAre(".run.json.reserved", ".run.1.json.reserved"))
      << "an empty file of the name would look like a result";
  EXPECT_EQ(first->keeper, File(".run.json.reserved"));
  close(first->held);
  close(second->held);
  EXPECT_EQ(Reserve(directory_.path(), IfExists::kRename).error(),
            "cannot write " + directory_.path() + ": Is a directory");
}

TEST_F(FileTest, ANameThatADeadProcessReservedIsTakenOver) {
  const std::string name = File("run.json");
  ASSERT_EQ(test::InChild([&] { return Reserve(name, IfExists::kRename) ? 0 : 1; }), 0);
  const Result<ReservedName> again = Reserve(name, IfExists::kRename);
  EXPECT_EQ(again->path, name);
  EXPECT_TRUE(again->was_left);
  EXPECT_EQ(test::InChild([&] {
              close(again->held);  // the same lock
              return Reserve(name, IfExists::kRename)->path == File("run.1.json") ? 0 : 1;
            }),
            0)
      << "this process is alive";
  close(again->held);
}

// Whoever made it may need it.
TEST_F(FileTest, AnEmptyFileOfTheUsersIsNoReservation) {
  for (const char* const users : {"run.json", ".run.json.reserved"}) {
    ASSERT_TRUE(WriteFile(File(users), "", IfExists::kRefuse));
    const Result<ReservedName> reserved = Reserve(File("run.json"), IfExists::kRename);
    EXPECT_EQ(reserved->path, File("run.1.json"));
    EXPECT_FALSE(reserved->was_left);
    close(reserved->held);
    std::remove(reserved->keeper.c_str());
    std::remove(File(users).c_str());
  }
}

TEST_F(FileTest, TooLargeFilesAndDevicesAreNotRead) {
  ASSERT_TRUE(WriteFile(File("four"), "four", IfExists::kRefuse));
  for (const auto read : {&ReadFile, &ReadFound}) {
    EXPECT_EQ(read(File("four"), 3).error(),
              "cannot read " + File("four") + ": it has 4 bytes, and the limit is 3");
    EXPECT_EQ(*read(File("four"), 4), "four");
  }
  EXPECT_EQ(ReadFile("/dev/zero").error(), "cannot read /dev/zero: it is a device, not a file");
  EXPECT_THAT(ReadFile("/proc/self/mounts", 10).error(),
              HasSubstr("more bytes, and the limit is 10"))
      << "a file whose size is not known before";
}

TEST_F(FileTest, ErrorsNameTheFile) {
  const Result<std::string> unreadable = ReadFile("/nowhere/x.json");
  ASSERT_FALSE(unreadable);
  EXPECT_EQ(unreadable.error(), "cannot read /nowhere/x.json: No such file or directory");
  const Result<std::string> unwritable = WriteFile("/nowhere/x.json", "", IfExists::kRefuse);
  ASSERT_FALSE(unwritable);
  EXPECT_EQ(unwritable.error(), "cannot write /nowhere/x.json: No such file or directory");
}

TEST_F(FileTest, FullDeviceIsAnError) {
  const Result<std::string> full = WriteFile(OfUser("/dev/full"), "text", IfExists::kRename);
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error(), "cannot write /dev/full: No space left on device");
}

TEST_F(FileTest, ALinkThatWaitsUnderAGuessedNameIsNotFollowed) {
  ASSERT_TRUE(WriteFile(File("precious"), "kept", IfExists::kRefuse));
  const std::string guessed = fmt::format("run.json.{}.tmp", getpid());
  ASSERT_EQ(symlink(File("precious").c_str(), File(guessed).c_str()), 0);
  ASSERT_TRUE(WriteFile(File("run.json"), "text", IfExists::kReplace));
  EXPECT_EQ(*ReadFile(File("precious")), "kept");
  EXPECT_THAT(Names(), UnorderedElementsAre("precious", "run.json", guessed));
}

TEST_F(FileTest, NamesBesideAreDifferentEachTime) {
  const FilePath path(File("run.json"));
  EXPECT_NE(TemporaryBeside(path).shown, TemporaryBeside(path).shown);
  EXPECT_EQ(TemporaryBeside("run.json").shown.find('/'), std::string::npos);
}

TEST_F(FileTest, AFileHasTheModeThatTheUmaskLeaves) {
  const mode_t before = umask(027);
  const auto written = WriteFile(File("run.json"), "text", IfExists::kRefuse);
  umask(before);
  ASSERT_TRUE(written) << written.error();
  struct stat info;
  ASSERT_EQ(stat(File("run.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
}

TEST_F(FileTest, ANewFileTakesNothingThatIsThere) {
  ASSERT_TRUE(WriteFile(File("precious"), "kept", IfExists::kRefuse));
  ASSERT_EQ(symlink(File("precious").c_str(), File("run.json").c_str()), 0);
  ASSERT_EQ(mkfifo(File("run.1.json").c_str(), 0600), 0);
  const auto written = WriteNewFile(directory_.path(), "run.json", "text");
  ASSERT_TRUE(written) << written.error();
  EXPECT_EQ(*written, File("run.2.json"));
  EXPECT_EQ(*ReadFile(*written), "text");
  EXPECT_EQ(*ReadFile(File("precious")), "kept");
}

TEST_F(FileTest, ANewFileWantsADirectoryWhereNobodyReplacesIt) {
  ASSERT_EQ(chmod(directory_.path().c_str(), 0777), 0);
  const auto refused = WriteNewFile(directory_.path(), "run.json", "text");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("can be written by others"));
  ASSERT_EQ(chmod(directory_.path().c_str(), 01777), 0);
  EXPECT_TRUE(WriteNewFile(directory_.path(), "run.json", "text"));
}

TEST_F(FileTest, APipeWithoutReaderIsAnError) {
  ASSERT_EQ(mkfifo(File("pipe").c_str(), 0600), 0);
  const auto refused = WriteFile(OfUser(File("pipe")), "text", IfExists::kRename);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("no process reads from it"));
}

TEST_F(FileTest, APipeWithAReaderGetsEverything) {
  ASSERT_EQ(mkfifo(File("pipe").c_str(), 0600), 0);
  const int reader = open(File("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  ASSERT_EQ(fcntl(reader, F_SETFL, 0), 0);
  const std::string text(1 << 20, 'x');  // more than a pipe holds
  Result<std::string> written = Error{"not tried"};
  std::thread writer([&] { written = WriteFile(OfUser(File("pipe")), text, IfExists::kRename); });
  std::string got;
  char buffer[1 << 16];
  while (got.size() < text.size()) {
    const ssize_t some = read(reader, buffer, sizeof buffer);
    if (some > 0) got.append(buffer, static_cast<size_t>(some));
    if (some == 0) usleep(1000);  // it has not opened the pipe yet
  }
  writer.join();
  close(reader);
  EXPECT_TRUE(written) << written.error();
  EXPECT_EQ(got, text);
}

TEST_F(FileTest, ALinkThatTheUserNamedIsFollowedToItsPipe) {
  ASSERT_EQ(symlink("/dev/null", File("link").c_str()), 0);
  EXPECT_EQ(*WriteFile(OfUser(File("link")), "text", IfExists::kRename), File("link"));
}

TEST_F(FileTest, StandardOutputIsThatDescriptor) {
  ASSERT_TRUE(WriteFile(File("out"), "", IfExists::kRefuse));
  EXPECT_EQ(test::InChild([&] {
              dup2(open(File("out").c_str(), O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
              if (write(STDOUT_FILENO, "before\n", 7) != 7) return 1;
              if (!WriteFile("/dev/stdout", "text\n", IfExists::kRename)) return 2;
              if (!WriteFile("/dev/fd/1", "again\n", IfExists::kRename)) return 3;
              return WriteFile("/dev/fd/77", "nowhere\n", IfExists::kRename) ? 4 : 0;
            }),
            0);
  EXPECT_EQ(*ReadFile(File("out")), "before\ntext\nagain\n");
}

// Without protection the signal ends the child.
TEST_F(FileTest, TheLimitOnFileSizesIsAnErrorAndNoSignal) {
  EXPECT_EQ(test::InChild([&] {
              const rlimit limit{1000, 1000};
              setrlimit(RLIMIT_FSIZE, &limit);
              const std::string text(5000, 'x');
              return WriteFile(File("run.json"), text, IfExists::kRefuse) ? 1 : 0;
            }),
            0);
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(FileTest, AReaderThatGoesIsAnErrorAndNoSignal) {
  ASSERT_EQ(mkfifo(File("pipe").c_str(), 0600), 0);
  EXPECT_EQ(test::InChild([&] {
              const int reader = open(File("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
              const std::string text(1 << 20, 'x');
              std::thread leaves([&] {
                char byte;
                while (read(reader, &byte, 1) != 1) usleep(1000);
                close(reader);
              });
              const bool written =
                  static_cast<bool>(WriteFile(OfUser(File("pipe")), text, IfExists::kRename));
              leaves.join();
              return written ? 1 : 0;
            }),
            0);
}

// A disk has no end that a limit of bytes could be compared with, and is never meant.
TEST_F(FileTest, BlockDevicesAreNeitherReadNorWritten) {
  constexpr unsigned kLoop = 7;
  if (mknod(File("disk").c_str(), S_IFBLK | 0600, makedev(kLoop, 0)) != 0) {
    GTEST_SKIP() << "this process cannot make a block device: " << std::strerror(errno);
  }
  const int fd = open(File("disk").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) GTEST_SKIP() << "block devices cannot be opened here: " << std::strerror(errno);
  close(fd);
  EXPECT_THAT(ReadFile(File("disk")).error(), HasSubstr("it is a device, not a file"));
  EXPECT_THAT(ReadFound(File("disk")).error(), HasSubstr("is not a regular file"));
  EXPECT_THAT(WriteFile(OfUser(File("disk")), "text", IfExists::kReplace).error(),
              HasSubstr("it is neither a regular file nor a pipe of this user"));
}

// --- what others put under the name of an output ------------------------------------------------

// Each kind of file under a name that roofmark chooses.
class PlantedTest : public FileTest {
 protected:
  // A pipe with a reader that takes nothing, as large as pipes are: who writes more would wait.
  void Plant() {
    ASSERT_EQ(mkfifo(File("pipe").c_str(), 0600), 0);
    reader_ = open(File("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader_, 0);
    ASSERT_EQ(mknod(File("socket").c_str(), S_IFSOCK | 0600, 0), 0);
    ASSERT_EQ(mkdir(File("directory").c_str(), 0700), 0);
    ASSERT_TRUE(WriteFile(File("precious"), "kept", IfExists::kRefuse));
    ASSERT_EQ(symlink("precious", File("link").c_str()), 0);
    ASSERT_EQ(symlink("nowhere", File("dangling").c_str()), 0);
    ASSERT_EQ(symlink("/dev/null", File("device").c_str()), 0);
    ASSERT_EQ(symlink("pipe", File("to_pipe").c_str()), 0);
  }
  ~PlantedTest() override { close(reader_); }
  void ExpectNothingWasGiven() const {
    char byte;
    EXPECT_EQ(read(reader_, &byte, 1), 0) << "the pipe was written";
    EXPECT_EQ(*ReadFile(File("precious")), "kept");
    EXPECT_NE(access(File("nowhere").c_str(), F_OK), 0);
  }
  int reader_ = -1;
  const std::string text_ = std::string(1 << 20, 'x');
};

TEST_F(PlantedTest, ChosenNamesOfAnyOtherFileAreTaken) {
  Plant();
  for (const char* kind :
       {"pipe", "socket", "directory", "link", "dangling", "device", "to_pipe"}) {
    EXPECT_FALSE(WriteFile(File(kind), text_, IfExists::kRefuse)) << kind;
    const Result<std::string> written = WriteFile(File(kind), text_, IfExists::kRename);
    ASSERT_TRUE(written) << kind << ": " << written.error();
    EXPECT_EQ(*written, File(kind) + ".1");
    EXPECT_EQ(*ReadFound(*written, text_.size()), text_);
  }
  ExpectNothingWasGiven();
}

TEST_F(PlantedTest, ChosenNamesAreReserved) {
  Plant();
  for (const char* kind : {"pipe", "socket", "link", "dangling", "device", "to_pipe"}) {
    const Result<ReservedName> name = Reserve(File(kind), IfExists::kRename);
    ASSERT_TRUE(name) << kind << ": " << name.error();
    EXPECT_EQ(name->path, File(kind) + ".1");
    close(name->held);
  }
  ExpectNothingWasGiven();
}

TEST_F(PlantedTest, WhatIsReplacedIsTheNameAlone) {
  Plant();
  for (const char* kind : {"pipe", "socket", "link", "dangling", "device", "to_pipe"}) {
    EXPECT_TRUE(WriteFile(File(kind), text_, IfExists::kReplace)) << kind;
    EXPECT_EQ(*ReadFound(File(kind), text_.size()), text_);
  }
  EXPECT_FALSE(WriteFile(File("directory"), text_, IfExists::kReplace));
  ExpectNothingWasGiven();
}

TEST_F(FileTest, WhatAnotherUserPutUnderTheUsersNameIsNotWritten) {
  if (!test::CanBeOthers()) GTEST_SKIP() << test::kOnlyRoot;
  ASSERT_EQ(chmod(directory_.path().c_str(), 01777), 0);
  ASSERT_EQ(test::AsOtherUser([&] {
              return mkfifo(File("pipe").c_str(), 0666) |
                     symlink("/dev/null", File("device").c_str());
            }),
            0);
  const int reader = open(File("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  for (const char* kind : {"pipe", "device"}) {
    EXPECT_EQ(*WriteFile(OfUser(File(kind)), "text", IfExists::kRename), File(kind) + ".1");
    EXPECT_EQ(Reserve(OfUser(File(kind)), IfExists::kRename)->path, File(kind) + ".2");
    EXPECT_THAT(WriteFile(OfUser(File(kind)), "text", IfExists::kRefuse).error(),
                HasSubstr("exists already"));
  }
  ASSERT_EQ(chown(directory_.path().c_str(), test::kOtherUser, test::kOtherUser), 0);
  for (const char* kind : {"pipe", "device"}) {
    EXPECT_EQ(*WriteFile(OfUser(File(kind)), "text", IfExists::kRename), File(kind))
        << "an administrator names the file of a user in that user's directory";
  }
  close(reader);
}

// --- what is found in a directory ---------------------------------------------------------------

TEST_F(FileTest, FoundAreRegularFilesAlone) {
  ASSERT_EQ(mkfifo(File("pipe").c_str(), 0600), 0);
  ASSERT_EQ(symlink("/dev/zero", File("link").c_str()), 0);
  ASSERT_TRUE(WriteFile(File("file"), "text", IfExists::kRefuse));
  EXPECT_THAT(ReadFound(File("pipe")).error(), HasSubstr("is not a regular file"));
  EXPECT_THAT(ReadFound(File("link")).error(), HasSubstr("is a link"));
  EXPECT_THAT(ReadFound(directory_.path()).error(), HasSubstr("is not a regular file"));
  EXPECT_EQ(*ReadFound(File("file")), "text");
}

TEST_F(FileTest, FoundAreThoseOfThisUserOrOfTheDirectorysOwner) {
  if (!test::CanBeOthers()) GTEST_SKIP() << test::kOnlyRoot;
  ASSERT_EQ(chmod(directory_.path().c_str(), 01777), 0);
  ASSERT_EQ(test::AsOtherUser(
                [&] { return WriteFile(File("strange"), "text", IfExists::kRefuse) ? 0 : 1; }),
            0);
  EXPECT_THAT(ReadFound(File("strange")).error(), HasSubstr("belongs to another user"));
  ASSERT_EQ(chown(directory_.path().c_str(), test::kOtherUser, test::kOtherUser), 0);
  EXPECT_EQ(*ReadFound(File("strange")), "text") << "an administrator looks at a user's job";
}

TEST(AsNamePart, NamesNoOtherDirectory) {
  EXPECT_EQ(AsNamePart("4711.server-1"), "4711.server-1");
  EXPECT_EQ(AsNamePart("a/b/"), "a_b_");
  EXPECT_EQ(AsNamePart("../../etc"), "_._.._etc");
  EXPECT_EQ(AsNamePart(".."), "_.");
  EXPECT_EQ(AsNamePart(""), "");
}

}  // namespace
}  // namespace roofmark
