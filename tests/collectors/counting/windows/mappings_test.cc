// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/windows/mappings.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "tests/collectors/counting/memory_fixture.h"
#include "tests/collectors/counting/windows/files_fixture.h"

namespace roofmark {
namespace {

// As Linux 6.18 writes them.
std::string Mapping(const std::string& header, const std::string& flags) {
  return header +
         "\nSize:              32768 kB\nKernelPageSize:        4 kB\nRss:          0 kB\n" +
         "AnonHugePages:         0 kB\nTHPeligible:           1\n" + "VmFlags: " + flags + " \n";
}

constexpr char kPlain[] = "rd wr mr mw me ac";

class Mappings : public testing::Test {
 protected:
  void SetUp() override {
    KernelFiles::policy = "always [madvise] never\n";
    KernelFiles::smaps.clear();
    mappings_.memory = memory_.Hooks();
    mappings_.files = &files_;
  }
  roof_pages At(uint64_t address) { return roof_mappings_find(&mappings_, address); }
  // Of a private mapping of that size.
  roof_pages Of(const std::string& flags, const std::string& mode = "rw-p",
                const std::string& end = "7f0002000000", const std::string& file = "00:00 0 ") {
    KernelFiles::smaps = Mapping("7f0000000000-" + end + " " + mode + " 00000000 " + file, flags);
    roof_mappings_read(&mappings_);
    EXPECT_EQ(KernelFiles::open_files, 0);
    EXPECT_EQ(At(0x7effffffffff), ROOF_PAGES_UNKNOWN);
    EXPECT_EQ(At(std::stoull(end, nullptr, 16)), ROOF_PAGES_UNKNOWN);
    return At(0x7f0000000000);
  }
  Memory memory_;
  const roof_files files_ = KernelFiles::Hooks();
  roof_mappings mappings_ = {};
};

TEST_F(Mappings, AreSmallWhereNobodyAskedForHugePages) {
  EXPECT_EQ(Of(kPlain), ROOF_PAGES_SMALL);
  EXPECT_EQ(Of(std::string(kPlain) + " hg"), ROOF_PAGES_OTHER);
  EXPECT_EQ(Of(std::string(kPlain) + " ht"), ROOF_PAGES_OTHER) << "a file system of huge pages";
}

TEST_F(Mappings, AreNotKnownToBeSmallWhereTheKernelDecides) {
  for (const char* policy : {"[always] madvise never\n", ""}) {
    KernelFiles::policy = policy;
    EXPECT_EQ(Of(kPlain), ROOF_PAGES_OTHER) << policy;
    EXPECT_EQ(Of(std::string(kPlain) + " nh"), ROOF_PAGES_SMALL) << policy;
    EXPECT_EQ(Of(kPlain, "rw-p", "7f00001ff000"), ROOF_PAGES_SMALL) << "no huge page has room";
  }
}

TEST_F(Mappings, AreSmallWhereTheKernelHasNoHugePages) {
  KernelFiles::policy = "always madvise [never]\n";
  EXPECT_EQ(Of(std::string(kPlain) + " hg"), ROOF_PAGES_SMALL);
  EXPECT_EQ(Of(std::string(kPlain) + " ht"), ROOF_PAGES_OTHER);
}

TEST_F(Mappings, OfFilesAndOfSeveralProcessesAreOther) {
  EXPECT_EQ(Of(kPlain, "rw-s"), ROOF_PAGES_OTHER);
  EXPECT_EQ(Of(kPlain, "rw-p", "7f0002000000", "fe:00 247134   /usr/lib/libm.so.6"),
            ROOF_PAGES_OTHER);
  EXPECT_EQ(Of(kPlain, "rw-p", "7f0002000000", "00:00 0   [heap]"), ROOF_PAGES_SMALL);
}

TEST_F(Mappings, AreFoundAmongMany) {
  std::string text;
  char header[80];
  for (uint64_t i = 0; i < 2000; ++i) {
    std::snprintf(header, sizeof header, "%llx-%llx rw-p 00000000 00:00 0 ",
                  static_cast<unsigned long long>(0x100000000 + i * 0x800000),
                  static_cast<unsigned long long>(0x100000000 + i * 0x800000 + 0x400000));
    text += Mapping(header, i % 2 ? kPlain : "rd wr hg");
  }
  KernelFiles::smaps = text;
  roof_mappings_read(&mappings_);
  for (uint64_t i = 0; i < 2000; i += 7) {
    const uint64_t begin = 0x100000000 + i * 0x800000;
    const roof_pages expected = i % 2 ? ROOF_PAGES_SMALL : ROOF_PAGES_OTHER;
    EXPECT_EQ(At(begin), expected) << i;
    EXPECT_EQ(At(begin + 0x3fffff), expected) << i;
    EXPECT_EQ(At(begin + 0x400000), ROOF_PAGES_UNKNOWN) << i;
  }
}

TEST_F(Mappings, AreUnknownWhereNothingCanBeRead) {
  roof_mappings_read(&mappings_);
  EXPECT_EQ(At(0x1000), ROOF_PAGES_UNKNOWN);
}

TEST_F(Mappings, WithoutMemoryOthersStayUnknown) {
  memory_.limit = 0;
  EXPECT_EQ(Of(kPlain), ROOF_PAGES_UNKNOWN);
}

// The kernel's own files.
TEST(MappingsOfThisProcess, TellWhoAskedForHugePages) {
  static const roof_files kReal = {
      [](const char* path) { return open(path, O_RDONLY); },
      [](int file, char* out, size_t bytes) { return static_cast<long>(read(file, out, bytes)); },
      [](int file) { close(file); }};
  if (access("/proc/self/smaps", R_OK) != 0) GTEST_SKIP() << "no /proc/self/smaps";
  constexpr size_t kBytes = 8 << 20;
  const auto map = [](int advice) {
    void* memory =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
    const bool done = madvise(memory, kBytes, advice) == 0;
    return std::pair{reinterpret_cast<uint64_t>(memory), done};
  };
  const auto [huge, is_huge] = map(MADV_HUGEPAGE);
  const auto [small, is_small] = map(MADV_NOHUGEPAGE);
  Memory memory;
  roof_mappings mappings = {};
  mappings.memory = memory.Hooks();
  mappings.files = &kReal;
  roof_mappings_read(&mappings);
  if (!is_small || !is_huge) GTEST_SKIP() << "this kernel has no huge pages";
  EXPECT_EQ(roof_mappings_find(&mappings, small + kBytes / 2), ROOF_PAGES_SMALL);
  EXPECT_NE(roof_mappings_find(&mappings, huge + kBytes / 2), ROOF_PAGES_UNKNOWN);
  std::string policy;
  char line[100] = {};
  const int file = open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY);
  if (file >= 0 && read(file, line, sizeof line - 1) > 0) policy = line;
  if (file >= 0) close(file);
  if (policy.find("[never]") == std::string::npos) {
    EXPECT_EQ(roof_mappings_find(&mappings, huge + kBytes / 2), ROOF_PAGES_OTHER);
  }
  munmap(reinterpret_cast<void*>(huge), kBytes);
  munmap(reinterpret_cast<void*>(small), kBytes);
}

}  // namespace
}  // namespace roofmark
