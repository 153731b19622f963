// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/windows/page_walks.h"

#include <gtest/gtest.h>

#include <vector>

#include "collectors/counting/cache/record.h"
#include "tests/collectors/counting/memory_fixture.h"
#include "tests/collectors/counting/windows/files_fixture.h"

namespace roofmark {
namespace {

constexpr uint64_t kSmall = 0x40000000, kHuge = 0x80000000, kUnknown = 0xc0000000, kPage = 4096;
constexpr uint64_t kPages = 8192;

class PageWalks : public testing::Test {
 protected:
  void SetUp() override {
    KernelFiles::policy = "always [madvise] never\n";
    KernelFiles::smaps =
        "40000000-80000000 rw-p 00000000 00:00 0 \nVmFlags: rd wr\n"
        "80000000-c0000000 rw-p 00000000 00:00 0 \nVmFlags: rd wr hg\n";
    KernelFiles::smaps_opened = 0;
    const roof_memory hooks = memory_.Hooks();
    ASSERT_TRUE(roof_page_walks_start(&walks_, &hooks, &files_, 4));
  }
  // One access to each page.
  void Note(uint64_t begin, uint64_t pages, uint32_t slot = 1) {
    std::vector<uint64_t> records;
    for (uint64_t i = 0; i < pages; ++i)
      records.push_back((begin + i * kPage) | ROOF_RECORD_TAG(ROOF_LOAD, 8));
    roof_page_walks_note(&walks_, slot, records.data(), records.size());
  }
  roof_flow_page At(uint64_t address, uint32_t slot = 1) {
    return roof_page_walks_touch(&walks_, slot, address);
  }
  Memory memory_;
  const roof_files files_ = KernelFiles::Hooks();
  roof_page_walks walks_ = {};
};

TEST_F(PageWalks, AreOfSmallPages) {
  Note(kSmall, kPages);
  EXPECT_EQ(At(kSmall + (kPages - 1) * kPage), ROOF_FLOW_PAGE_FIRST);
  EXPECT_EQ(At(kSmall + (kPages - 2000) * kPage), ROOF_FLOW_PAGE_SECOND);
  EXPECT_EQ(At(kSmall + 5), ROOF_FLOW_PAGE_WALK);
  EXPECT_EQ(At(kSmall + 70), ROOF_FLOW_PAGE_FIRST) << "now it is known";
}

// They cost nothing, and take no place from small pages.
TEST_F(PageWalks, AreNotOfOtherPages) {
  Note(kSmall, 100);
  for (const uint64_t other : {kHuge, kUnknown}) {
    Note(other, kPages);
    EXPECT_EQ(At(other), ROOF_FLOW_PAGE_FIRST);
  }
  EXPECT_EQ(At(kSmall), ROOF_FLOW_PAGE_FIRST);
}

TEST_F(PageWalks, AreOfTheThreadInTheSlot) {
  Note(kSmall, kPages, 1);
  EXPECT_EQ(At(kSmall, 2), ROOF_FLOW_PAGE_FIRST) << "of another core nothing is known";
  EXPECT_EQ(At(kSmall, 1), ROOF_FLOW_PAGE_WALK);
}

TEST_F(PageWalks, AreNotKnownBehindAGap) {
  Note(kSmall, kPages);
  roof_page_walks_restart(&walks_);
  EXPECT_EQ(At(kSmall), ROOF_FLOW_PAGE_FIRST);
  Note(kSmall, kPages);
  EXPECT_EQ(At(kSmall), ROOF_FLOW_PAGE_WALK);
}

// Memory may be mapped later. Where it stays unknown, the kernel is asked ever more seldom.
TEST_F(PageWalks, AskTheKernelAgainOfNewMemory) {
  Note(kSmall, kPages);
  EXPECT_EQ(KernelFiles::smaps_opened, 1);
  Note(kUnknown, 100'000);
  EXPECT_EQ(KernelFiles::smaps_opened, 2);
  KernelFiles::smaps = "c0000000-d0000000 rw-p 00000000 00:00 0 \nVmFlags: rd wr\n";
  Note(kUnknown, 200'000);
  EXPECT_EQ(KernelFiles::smaps_opened, 3);
  EXPECT_EQ(At(kUnknown), ROOF_FLOW_PAGE_WALK);
  Note(kUnknown, 65'536);
  EXPECT_EQ(KernelFiles::smaps_opened, 3) << "nothing is new";
  KernelFiles::smaps = "1000-2000 rw-p 00000000 00:00 0 \nVmFlags: rd wr\n";
  for (int i = 0; i < 100; ++i) Note(kHuge, 100'000);
  EXPECT_LT(KernelFiles::smaps_opened, 16);
  EXPECT_EQ(KernelFiles::open_files, 0);
}

TEST_F(PageWalks, NeedMemory) {
  memory_.limit = memory_.bytes;
  Note(kSmall, kPages);
  EXPECT_EQ(At(kSmall), ROOF_FLOW_PAGE_FIRST);
}

}  // namespace
}  // namespace roofmark
