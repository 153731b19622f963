// SPDX-License-Identifier: BSD-3-Clause
//
// Where a file begins of which code is found: places are offsets from there. The files are mapped
// as linkers and the dynamic linker map them.
#include "collectors/counting/native/files.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/collectors/counting/memory_fixture.h"
#include "tests/collectors/counting/native/inside.h"

namespace roofmark {
namespace {

constexpr size_t kPage = 4096;

struct Part {
  size_t at, pages;  // from the begin of the room
  int access;
  size_t offset;  // in the file, in pages
  bool anonymous = false;
};
constexpr int kRead = PROT_READ, kRun = PROT_READ | PROT_EXEC, kNone = PROT_NONE;

class NativeFiles : public ::testing::Test {
 protected:
  static constexpr size_t kPages = 64;

  void SetUp() override {
    std::string name = "/tmp/roofmark_files_XXXXXX";
    file_ = mkstemp(name.data());
    ASSERT_GE(file_, 0);
    unlink(name.c_str());
    ASSERT_EQ(ftruncate(file_, kPages * kPage), 0);
    room_ = static_cast<char*>(
        mmap(nullptr, kPages * kPage, kNone, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(room_, MAP_FAILED);
    native_ = roof_native_create(&hooks_, 64);
    ASSERT_NE(native_, nullptr);
  }
  void TearDown() override {
    if (native_ != nullptr) roof_native_destroy(native_);
    munmap(room_, kPages * kPage);
    close(file_);
  }

  // The page, from the begin of the room, at which the file of the code at this page begins.
  size_t BaseOf(const std::vector<Part>& parts, size_t page) {
    for (const Part& part : parts) {
      const int flags = MAP_PRIVATE | MAP_FIXED | (part.anonymous ? MAP_ANONYMOUS : 0);
      EXPECT_NE(mmap(room_ + part.at * kPage, part.pages * kPage, part.access, flags,
                     part.anonymous ? -1 : file_, static_cast<off_t>(part.offset * kPage)),
                MAP_FAILED);
    }
    const auto room = reinterpret_cast<uint64_t>(room_);
    EXPECT_EQ(roof_native_allow_file_at(native_, room + page * kPage), ROOF_LEAVE_REASONS);
    return (roof_test_only_base(native_) - room) / kPage;
  }

 private:
  Memory memory_;
  roof_memory hooks_ = memory_.Hooks();
  int file_ = -1;
  char* room_ = nullptr;
  roof_native* native_ = nullptr;
};

TEST_F(NativeFiles, OnePartBehindTheOther) {
  EXPECT_EQ(BaseOf({{2, 1, kRead, 0}, {3, 2, kRun, 1}, {5, 1, kRead, 3}}, 4), 2u);
}

TEST_F(NativeFiles, GapsInWhichAnythingMayLie) {
  EXPECT_EQ(BaseOf({{2, 1, kRead, 0}, {6, 1, kRead, 0, true}, {20, 2, kRun, 1}}, 20), 2u);
}

// The dynamic linker takes the access from what it mapped too much, whatever lies there in the
// file.
TEST_F(NativeFiles, GapsWithoutAccess) {
  EXPECT_EQ(BaseOf({{2, 1, kRead, 0},
                    {3, 17, kNone, 1},
                    {20, 1, kRead, 1},
                    {21, 9, kNone, 19},
                    {30, 2, kRun, 2}},
                   30),
            2u);
}

// By LLVM's linker: parts that share a page of the file have it twice.
TEST_F(NativeFiles, ItsFirstPageIsDataAndCode) {
  EXPECT_EQ(BaseOf({{2, 1, kRead, 0}, {3, 1, kRun, 0}}, 3), 2u);
}
TEST_F(NativeFiles, ItsFirstPageIsDataAndBehindAGapCode) {
  EXPECT_EQ(BaseOf({{2, 1, kRead, 0}, {20, 1, kRun, 0}}, 20), 2u);
}

TEST_F(NativeFiles, AFileThatIsThereTwice) {
  EXPECT_EQ(BaseOf({{2, 1, kRead, 0}, {3, 2, kRun, 1}, {5, 1, kRead, 0}, {9, 2, kRun, 1}}, 9), 5u);
}
TEST_F(NativeFiles, ReadAsAWholeBeforeItIsLoaded) {
  EXPECT_EQ(BaseOf({{2, 4, kRead, 0}, {6, 1, kRead, 0}, {7, 1, kRun, 0}}, 7), 6u);
}

}  // namespace
}  // namespace roofmark
