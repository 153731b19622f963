// SPDX-License-Identifier: BSD-3-Clause
#include "lib/binary/functions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roofmark::binary {
namespace {

constexpr uint64_t kBase = 0x400000;

// A global function of so many bytes.
Symbol Global(const std::string& name, uint64_t offset, uint64_t bytes) {
  return {name, kBase + offset, bytes, true, false, true, false, 0};
}
Symbol Local(const std::string& name, uint64_t offset, uint64_t bytes, uint32_t unit) {
  return {name, kBase + offset, bytes, true, false, false, false, unit};
}

FunctionInput Input(std::vector<Symbol> symbols, std::vector<FrameExtent> frames = {}) {
  for (FrameExtent& frame : frames) frame = {frame.begin + kBase, frame.end + kBase};
  return {
      "libx.so", kBase, std::move(symbols), std::move(frames), {{kBase + 0x1000, kBase + 0x2000}}};
}

// "begin-end name" of each, gaps at the beginning and the end left out.
std::vector<std::string> Texts(const std::vector<Function>& functions) {
  std::vector<std::string> texts;
  for (const Function& function : functions) {
    if (function.symbol.empty() && (function.begin == 0x1000 || function.end == 0x2000)) continue;
    char text[100];
    snprintf(text, sizeof text, "%lx-%lx ", function.begin, function.end);
    texts.push_back(text + function.name);
  }
  return texts;
}

TEST(FunctionsTest, AliasesAreOneFunction) {
  auto weak = Global("alias", 0x1100, 0x20);
  weak.weak = true;
  const auto functions =
      MakeFunctions(Input({weak, Global("__sweep", 0x1100, 0x20), Global("sweep", 0x1100, 0x20),
                           Local("local", 0x1100, 0x20, 1), Global("sweep_long", 0x1100, 0x20)}));
  EXPECT_EQ(Texts(functions), std::vector<std::string>{"1100-1120 sweep"});
}

TEST(FunctionsTest, TheOrderOfSymbolsDoesNotMatter) {
  const Symbol a = Global("a", 0x1100, 0x20), b = Global("b", 0x1100, 0x20);
  EXPECT_EQ(Texts(MakeFunctions(Input({a, b}))), Texts(MakeFunctions(Input({b, a}))));
}

TEST(FunctionsTest, AnImplementationNamesItsFunctionBeforeTheResolver) {
  auto resolver = Global("copy", 0x1100, 0x20);
  resolver.resolver = true;
  EXPECT_EQ(Texts(MakeFunctions(Input({resolver, Local("select_copy", 0x1100, 0x20, 1)}))),
            std::vector<std::string>{"1100-1120 select_copy"});
}

TEST(FunctionsTest, SizesThatAreMissingComeFromFramesOrTheNextFunction) {
  EXPECT_EQ(Texts(MakeFunctions(
                Input({Global("a", 0x1100, 0), Global("b", 0x1200, 0), Global("c", 0x1240, 0x10)},
                      {{0x1100, 0x1130}}))),
            (std::vector<std::string>{"1100-1130 a", "1130-1200 libx.so+0x1130", "1200-1240 b",
                                      "1240-1250 c"}));
}

TEST(FunctionsTest, FramesOfAStrippedLibraryAreFunctions) {
  const auto functions =
      MakeFunctions(Input({Global("dgemm_", 0x1100, 0x40)}, {{0x1140, 0x1180}, {0x1180, 0x1200}}));
  EXPECT_EQ(Texts(functions),
            (std::vector<std::string>{"1100-1140 dgemm_", "1140-1180 libx.so+0x1140",
                                      "1180-1200 libx.so+0x1180"}));
  EXPECT_EQ(FindFunction(functions, 0x1190)->nearest, "dgemm_");
}

TEST(FunctionsTest, LabelsInsideAFunctionAreNone) {
  Symbol label = Global("label", 0x1110, 0);
  label.function = false;
  EXPECT_EQ(Texts(MakeFunctions(Input({Global("a", 0x1100, 0x40), label}, {{0x1120, 0x1130}}))),
            std::vector<std::string>{"1100-1140 a"});
}

TEST(FunctionsTest, NoneOverlap) {
  EXPECT_EQ(Texts(MakeFunctions(Input({Global("a", 0x1100, 0x60), Global("b", 0x1140, 0x40)}))),
            (std::vector<std::string>{"1100-1140 a", "1140-1180 b"}));
  EXPECT_EQ(Texts(MakeFunctions(Input({Global("a", 0x1f00, 0x900)}))),
            std::vector<std::string>{"1f00-2000 a"});
}

TEST(FunctionsTest, WhatIsOutsideOfCodeIsLeftOut) {
  const auto functions = MakeFunctions(Input({Global("data", 0x3000, 8)}, {{0x10, 0x20}}));
  ASSERT_EQ(functions.size(), 1u);
  EXPECT_EQ(functions[0].name, "libx.so+0x1000");
  EXPECT_EQ(functions[0].nearest, "");
}

std::string ParentOf(const std::vector<Function>& functions, uint64_t offset) {
  const Function* function = FindFunction(functions, offset);
  if (function == nullptr || !function->parent) return "none";
  char text[100];
  snprintf(text, sizeof text, "%s %lx", functions[*function->parent].symbol.c_str(),
           functions[*function->parent].begin);
  return text;
}

TEST(FunctionsTest, PartsKnowTheirParent) {
  const auto functions = MakeFunctions(Input(
      {Global("sweep", 0x1100, 0x40), Local("sweep.cold", 0x1900, 0x10, 1),
       Local("sweep._omp_fn.0", 0x1200, 0x40, 1), Local("sweep._omp_fn.0.cold", 0x1910, 0x10, 1),
       Local("gone.isra.0", 0x1300, 0x40, 1)}));
  EXPECT_EQ(ParentOf(functions, 0x1900), "sweep 1100");
  EXPECT_EQ(ParentOf(functions, 0x1200), "sweep 1100");
  EXPECT_EQ(ParentOf(functions, 0x1910), "sweep._omp_fn.0 1200");
  EXPECT_EQ(ParentOf(functions, 0x1300), "none");
  EXPECT_EQ(FindFunction(functions, 0x1300)->name, "gone");
  EXPECT_EQ(ParentOf(functions, 0x1100), "none");
}

TEST(FunctionsTest, BodiesOfAnInlinedFunctionBelongTogether) {
  const auto functions = MakeFunctions(Input(
      {Local("gone._omp_fn.0", 0x1100, 0x40, 1), Local("gone._omp_fn.1", 0x1200, 0x40, 1),
       Local("gone._omp_fn.1.cold", 0x1910, 0x10, 1), Local("gone._omp_fn.0", 0x1300, 0x40, 2),
       Local("other._omp_fn.0", 0x1400, 0x40, 1), Local(".omp_outlined.", 0x1500, 0x40, 1),
       Local(".omp_outlined..1", 0x1600, 0x40, 1)}));
  EXPECT_EQ(ParentOf(functions, 0x1100), "none");
  EXPECT_EQ(ParentOf(functions, 0x1200), "gone._omp_fn.0 1100");
  EXPECT_EQ(RootAt(functions, 0x1910), RootAt(functions, 0x1100));
  EXPECT_EQ(ParentOf(functions, 0x1300), "none") << "of another file";
  EXPECT_EQ(ParentOf(functions, 0x1400), "none");
  EXPECT_EQ(ParentOf(functions, 0x1600), "none") << "nothing says of which function";
}

TEST(FunctionsTest, BodiesOfAFunctionOfWhichClonesAreLeftBelongToTheFirst) {
  const auto functions = MakeFunctions(Input(
      {Local("step._omp_fn.0", 0x1100, 0x40, 1), Local("step.constprop.0", 0x1200, 0x40, 1),
       Local("step.constprop.1", 0x1300, 0x40, 1), Local("step._omp_fn.0", 0x1400, 0x40, 2)}));
  EXPECT_EQ(ParentOf(functions, 0x1100), "step.constprop.0 1200");
  EXPECT_EQ(ParentOf(functions, 0x1200), "none");
  EXPECT_EQ(ParentOf(functions, 0x1400), "none") << "of another file";
}

TEST(FunctionsTest, AParentIsOfTheSameSourceFile) {
  const auto functions = MakeFunctions(
      Input({Local("help", 0x1100, 0x40, 1), Local("help", 0x1200, 0x40, 2),
             Local("help.cold", 0x1900, 0x10, 2), Local("help.cold", 0x1910, 0x10, 3)}));
  EXPECT_EQ(ParentOf(functions, 0x1900), "help 1200");
  EXPECT_EQ(ParentOf(functions, 0x1910), "none");
}

TEST(FunctionsTest, FortranHasNoUnderscore) {
  auto functions = MakeFunctions(Input({Global("sweep_", 0x1100, 0x40), Global("c_", 0x1200, 8)}));
  NameFortran(functions, [](uint64_t offset) { return offset < 0x1200; });
  EXPECT_EQ(FindFunction(functions, 0x1100)->name, "sweep");
  EXPECT_EQ(FindFunction(functions, 0x1200)->name, "c_");
}

TEST(FunctionsTest, AnOffsetOutsideHasNone) {
  const auto functions = MakeFunctions(Input({Global("a", 0x1100, 0x10), Global("b", 0x1120, 8)}));
  EXPECT_EQ(FindFunction(functions, 0), nullptr);
  EXPECT_EQ(FindFunction(functions, 0x1118), nullptr);
  EXPECT_EQ(FindFunction(functions, 0x110f)->name, "a");
  EXPECT_EQ(FindFunction({}, 0), nullptr);
}

}  // namespace
}  // namespace roofmark::binary
