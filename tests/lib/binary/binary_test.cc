// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/binary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "lib/core/file.h"
#include "tests/support/process.h"

namespace roofmark::binary {
namespace {

const Function* Named(const Binary& file, const std::string& symbol) {
  for (const Function& function : file.functions()) {
    if (function.symbol == symbol) return &function;
  }
  return nullptr;
}

// The line that has the mark `at NAME`.
uint32_t LineOf(const std::string& mark) {
  const auto text = ReadFile(ROOFMARK_SAMPLE_SOURCE);
  std::istringstream lines(text ? *text : "");
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find("/* at " + mark + " */") != line.npos) return number;
  }
  ADD_FAILURE() << "no mark " << mark;
  return 0;
}

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "function@line" of each frame, innermost first.
std::string TextOf(const SourceChain& chain) {
  std::string text;
  for (const SourceFrame& frame : chain) {
    text += frame.function + "@" + std::to_string(frame.line) + " ";
  }
  return text;
}

#ifdef ROOFMARK_SAMPLE_LTO
TEST(BinaryTest, KnowsWhetherItWasOptimisedAtLinking) {
  auto usual = Binary::Open(ROOFMARK_SAMPLE), linked = Binary::Open(ROOFMARK_SAMPLE_LTO);
  ASSERT_TRUE(usual && usual->sources());
  ASSERT_TRUE(linked && linked->sources());
  EXPECT_FALSE(usual->sources()->has_link_time_code());
  EXPECT_TRUE(linked->sources()->has_link_time_code());
}
#endif

void SkipWithoutTool(const char* tool) {
  if (test::Run({tool, "--version"}).status != 0) GTEST_SKIP() << tool << " is not installed";
}

TEST(BinaryTest, KnowsItsFunctions) {
  const auto file = Binary::Open(ROOFMARK_SAMPLE);
  ASSERT_TRUE(file) << file.error();
  const Function* sweep = Named(*file, "sample_sweep");
  ASSERT_NE(sweep, nullptr);
  EXPECT_EQ(Named(*file, "sample_alias"), nullptr);
  EXPECT_GT(sweep->end, sweep->begin);
  EXPECT_EQ(file->FunctionAt(sweep->begin), sweep);
  EXPECT_EQ(file->FunctionAt(sweep->end - 1), sweep);
  EXPECT_NE(Named(*file, "sample_hidden"), nullptr);
  EXPECT_TRUE(std::is_sorted(
      file->functions().begin(), file->functions().end(),
      [](const Function& a, const Function& b) { return a.end <= b.begin && a.begin < b.begin; }));
}

TEST(BinaryTest, HasABuildIdAndCode) {
  const auto file = Binary::Open(ROOFMARK_SAMPLE);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->build_id().size(), 40u);
  const Function* sweep = Named(*file, "sample_sweep");
  EXPECT_EQ(file->Code(sweep->begin, 4).size(), 4u);
  EXPECT_EQ(file->Code(uint64_t{1} << 40, 4), "");
}

// What a process that has the file mapped says of the place.
TEST(BinaryTest, OffsetsAreFromTheFirstMapping) {
  for (const char* path : {ROOFMARK_SAMPLE, ROOFMARK_SAMPLE_FIXED}) {
    const auto file = Binary::Open(path);
    ASSERT_TRUE(file) << file.error();
    const test::Ended names = test::Run({"nm", path});
    if (names.status != 0) GTEST_SKIP() << "nm is not installed";
    const size_t at = names.out.find(" T sample_sweep");
    ASSERT_NE(at, std::string::npos);
    const size_t line = names.out.rfind('\n', at);
    const uint64_t address = std::stoull(names.out.substr(line + 1), nullptr, 16);
    const uint64_t base = std::string(path) == ROOFMARK_SAMPLE ? 0 : 0x400000;
    EXPECT_EQ(Named(*file, "sample_sweep")->begin, address - base) << path;
  }
}

// Rows of one function.
std::vector<SourceRow> RowsOf(Binary& file, const std::string& symbol) {
  const Function* function = Named(file, symbol);
  EXPECT_NE(function, nullptr) << symbol;
  if (function == nullptr || !file.sources()) return {};
  return file.sources()->RowsIn(function->begin, function->end);
}

TEST(SourcesTest, ChainsAreInnermostFirst) {
  auto file = Binary::Open(ROOFMARK_SAMPLE);
  ASSERT_TRUE(file) << file.error();
  if (!file->sources()) GTEST_SKIP() << file->sources().error();
  const std::string wanted = "Scale@" + std::to_string(LineOf("scale")) + " Twice@" +
                             std::to_string(LineOf("twice")) + " sample_sweep@" +
                             std::to_string(LineOf("call")) + " ";
  const auto rows = RowsOf(*file, "sample_sweep");
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().offset, Named(*file, "sample_sweep")->begin);
  EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const SourceRow& row) {
    return TextOf(row.chain) == wanted;
  })) << wanted;
  for (const SourceRow& row : rows) {
    EXPECT_EQ(file->sources()->ChainAt(row.offset), row.chain);
    ASSERT_FALSE(row.chain.empty());
    EXPECT_EQ(row.chain.back().function, "sample_sweep");
    // Some code is of no line: compilers made it.
    const SourceFrame& inner = row.chain.front();
    EXPECT_TRUE(inner.file.empty() || BaseName(inner.file) == "sample.c") << inner.file;
    EXPECT_EQ(inner.file.empty(), inner.line == 0);
  }
}

#ifdef __clang__
constexpr bool kCompilerSaysBegins = false;
#else
constexpr bool kCompilerSaysBegins = true;
#endif

// sample_sweep has Twice inlined, and in that Scale two times.
TEST(SourcesTest, InlinedCalls) {
  auto file = Binary::Open(ROOFMARK_SAMPLE);
  ASSERT_TRUE(file) << file.error();
  if (!file->sources()) GTEST_SKIP() << file->sources().error();
  const auto sweep =
      std::find_if(file->functions().begin(), file->functions().end(),
                   [](const Function& function) { return function.name == "sample_sweep"; });
  ASSERT_NE(sweep, file->functions().end());
  std::set<uint64_t> twice, scale;
  const std::vector<InlinedRow> rows = file->sources()->InlinedIn(sweep->begin, sweep->end);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().offset, sweep->begin);
  for (const InlinedRow& row : rows) {
    if (row.calls.empty()) continue;
    EXPECT_EQ(row.calls[0].function.name, "Twice");
    EXPECT_NE(row.calls[0].function.number, 0u) << "other units may have a Twice of their own";
    EXPECT_NE(row.calls[0].function.line, 0u);
    twice.insert(row.calls[0].number);
    if (row.calls.size() == 1) continue;
    EXPECT_EQ(row.calls[1].function.name, "Scale");
    scale.insert(row.calls[1].number);
    const auto& begin = row.calls[1].begin;
    EXPECT_EQ(begin.has_value(), kCompilerSaysBegins);
    if (begin) {
      EXPECT_EQ(file->FunctionAt(*begin), &*sweep);
    }
  }
  EXPECT_EQ(twice.size(), 1u);
  EXPECT_EQ(scale.size(), 2u);
  const auto itself = file->sources()->FunctionAt(sweep->begin);
  ASSERT_TRUE(itself);
  EXPECT_EQ(itself->name, "sample_sweep");
  EXPECT_EQ(itself->number, 0u) << "all units mean the same one";
}

TEST(SourcesTest, OutsideOfCodeNothingIsKnown) {
  auto file = Binary::Open(ROOFMARK_SAMPLE);
  ASSERT_TRUE(file) << file.error();
  if (!file->sources()) GTEST_SKIP() << file->sources().error();
  EXPECT_TRUE(file->sources()->ChainAt(0).empty());
  EXPECT_TRUE(file->sources()->ChainAt(UINT64_MAX / 2).empty());
  EXPECT_TRUE(file->sources()->RowsIn(10, 10).empty());
}

TEST(SourcesTest, WithoutDebugInformationTheReasonIsGiven) {
  SkipWithoutTool("strip");
  const test::TempDir directory;
  const std::string copy = directory.File("stripped");
  ASSERT_EQ(test::Run({"strip", "-o", copy, ROOFMARK_SAMPLE}).status, 0);
  auto file = Binary::Open(copy);
  ASSERT_TRUE(file) << file.error();
  ASSERT_FALSE(file->sources());
  EXPECT_NE(file->sources().error().find(copy), std::string::npos);
  EXPECT_NE(file->sources().error().find("not known"), std::string::npos);
}

// The extents are those of the symbols that were there before.
TEST(BinaryTest, AStrippedFileHasItsFunctionsByFrames) {
  SkipWithoutTool("strip");
  const test::TempDir directory;
  const std::string copy = directory.File("stripped");
  ASSERT_EQ(test::Run({"strip", "-o", copy, ROOFMARK_SAMPLE}).status, 0);
  const auto whole = Binary::Open(ROOFMARK_SAMPLE);
  const auto file = Binary::Open(copy);
  ASSERT_TRUE(file) << file.error();
  const Function* sweep = Named(*whole, "sample_sweep");
  const Function* found = file->FunctionAt(sweep->begin + 1);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->begin, sweep->begin);
  EXPECT_EQ(found->end, sweep->end);
  char name[64];
  snprintf(name, sizeof name, "stripped+%#lx", sweep->begin);
  EXPECT_EQ(found->name, name);
}

TEST(SourcesTest, ASeparateFileIsFoundByItsLink) {
  SkipWithoutTool("objcopy");
  const test::TempDir directory;
  const std::string copy = directory.File("program"), debug = directory.File("program.debug");
  ASSERT_EQ(test::Run({"objcopy", "--only-keep-debug", ROOFMARK_SAMPLE, debug}).status, 0);
  ASSERT_EQ(
      test::Run({"objcopy", "--strip-all", "--add-gnu-debuglink=" + debug, ROOFMARK_SAMPLE, copy})
          .status,
      0);
  auto file = Binary::Open(copy);
  ASSERT_TRUE(file) << file.error();
  if (!file->sources() && !Binary::Open(ROOFMARK_SAMPLE)->sources()) {
    GTEST_SKIP() << file->sources().error();
  }
  ASSERT_TRUE(file->sources()) << file->sources().error();
  EXPECT_EQ(file->sources()->debug_file(), debug);
  // Its symbols count, too.
  EXPECT_FALSE(RowsOf(*file, "sample_hidden").empty());
  const auto alone = Binary::Open(copy, DebugInformation::kInTheFile);
  ASSERT_TRUE(alone) << alone.error();
  EXPECT_EQ(Named(*alone, "sample_hidden"), nullptr) << "nothing else is opened";
}

// Not the lines of what was inlined where it begins.
TEST(SourcesTest, WhereAFunctionBegins) {
  auto file = Binary::Open(ROOFMARK_SAMPLE, DebugInformation::kInTheFile);
  ASSERT_TRUE(file) << file.error();
  if (!file->sources()) GTEST_SKIP() << file->sources().error();
  const SourceFrame begin = file->sources()->BeginAt(Named(*file, "sample_sweep")->begin);
  EXPECT_EQ(BaseName(begin.file), "sample.c");
  EXPECT_EQ(begin.line, LineOf("loop") - 1);
  EXPECT_EQ(file->sources()->BeginAt(uint64_t{1} << 40), SourceFrame());
}

TEST(SourcesTest, NamesOfOtherLanguages) {
  auto file = Binary::Open(ROOFMARK_SAMPLE_MIXED);
  ASSERT_TRUE(file) << file.error();
  const Function* sum = Named(*file, "_ZN6sample3SumIdEET_PKS1_i");
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->name, "sample::Sum<double>");
#ifdef ROOFMARK_SAMPLE_FORTRAN
  const Function* sweep = Named(*file, "__sample_solver_MOD_sweep");
  ASSERT_NE(sweep, nullptr);
  EXPECT_EQ(sweep->name, "sample_solver::sweep");
  const Function* outer = Named(*file, "sample_outer_");
  ASSERT_NE(outer, nullptr);
  if (!file->sources()) GTEST_SKIP() << file->sources().error();
  EXPECT_EQ(outer->name, "sample_outer");
  EXPECT_EQ(file->sources()->ChainAt(sweep->begin).back().function, "sample_solver::sweep");
#endif
}

}  // namespace
}  // namespace roofmark::binary
