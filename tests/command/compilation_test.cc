// SPDX-License-Identifier: BSD-3-Clause
#include "command/compilation.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "lib/core/file.h"
#include "tests/support/process.h"

namespace roofmark::cli {
namespace {

TEST(Compilation, IsToldByGccsOptions) {
  constexpr const char* kPlain = "GNU C17 12.2.0 -mtune=generic -march=x86-64 -g";
  EXPECT_TRUE(IsGccsDescription(kPlain));
  EXPECT_TRUE(IsGccsDescription("GNU C++20 12.2.0 -mtune=generic"));
  EXPECT_TRUE(IsGccsDescription("GNU Fortran2008 12.2.0 -mlittle-endian -O2"));
  for (const char* other : {"GNU AS 2.40", "clang version 14.0.6", "GNU C is a language", ""}) {
    EXPECT_FALSE(IsGccsDescription(other)) << other;
  }
  EXPECT_FALSE(IsOptimised(kPlain));
  for (const char* level : {"-O", "-O1", "-O2", "-O3", "-Os", "-Og", "-Ofast"}) {
    EXPECT_TRUE(IsOptimised(std::string(kPlain) + " " + level)) << level;
    EXPECT_TRUE(IsOptimised(std::string(kPlain) + " " + level + " -fno-common")) << level;
  }
  EXPECT_FALSE(IsOptimised(std::string(kPlain) + " -O0 -fopenmp"));
  EXPECT_TRUE(IsOptimised(std::string(kPlain) + " -O0 -O2")) << "the last one counts";
  EXPECT_FALSE(IsOptimised(std::string(kPlain) + " -O2 -g -O0"));
}

#ifdef UNOPTIMISED
TEST(Compilation, IsReadFromTheProgramsFile) {
  EXPECT_TRUE(CompiledWithoutOptimisation(UNOPTIMISED));
  EXPECT_FALSE(CompiledWithoutOptimisation(OPTIMISED));
  EXPECT_FALSE(CompiledWithoutOptimisation(UNKNOWN)) << "without -g nothing is known";
}

TEST(Compilation, DamagedFilesTellNothing) {
  const test::TempDir directory;
  const std::string file = directory.File("program");
  EXPECT_FALSE(CompiledWithoutOptimisation(file));
  EXPECT_FALSE(CompiledWithoutOptimisation(directory.path()));
  EXPECT_FALSE(CompiledWithoutOptimisation("/dev/zero"));
  const std::string whole = *ReadFile(UNOPTIMISED);
  // The table of sections stands at the end.
  for (size_t size = 0; size < whole.size(); size += 1 + size / 8) {
    ASSERT_TRUE(WriteFile(file, whole.substr(0, size), IfExists::kReplace));
    EXPECT_FALSE(CompiledWithoutOptimisation(file)) << size;
  }
  // The end of GCC's description becomes another string.
  const auto ending = [&](const std::string& other) {
    std::string mixed = whole;
    const size_t end = mixed.find('\0', mixed.find("GNU C"));
    mixed.replace(end - other.size() - 1, other.size() + 1, std::string(1, '\0') + other);
    EXPECT_TRUE(WriteFile(file, mixed, IfExists::kReplace));
    return CompiledWithoutOptimisation(file);
  };
  EXPECT_TRUE(ending("other version"));
  EXPECT_FALSE(ending("clang version")) << "it does not record its options";
  // Each byte of the header, and of the sections: whatever is said, it is said.
  for (size_t at = 0; at < whole.size(); at += at < 64 ? 1 : 61) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(~damaged[at]);
    ASSERT_TRUE(WriteFile(file, damaged, IfExists::kReplace));
    static_cast<void>(CompiledWithoutOptimisation(file));
  }
}

TEST(Compilation, IsAFactOfTheRun) {
  const test::TempDir directory;
  for (const auto& [program, unoptimised] : {std::pair(UNOPTIMISED, true), {OPTIMISED, false}}) {
    std::filesystem::copy(program, directory.File("app"),
                          std::filesystem::copy_options::overwrite_existing);
    const test::Ended ended = test::Run({ROOFMARK, "run", "--collector", "timer", "--preload",
                                         "--force", "-o", "run.json", "--", "./app"},
                                        {}, directory.path());
    ASSERT_EQ(ended.status, 0) << ended.err;
    const JobProfile job = test::ReadRoofline(directory.File("run.json")).job;
    EXPECT_EQ(job.run.passes[0].facts.contains(kCompiledFact), unoptimised) << ended.err;
  }
}
#endif

}  // namespace
}  // namespace roofmark::cli
