// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/structure.h"

#include <gtest/gtest.h>

#include <string>

namespace roofmark::suggest {
namespace {

// The text of the statement that begins with the first `for`, `while`, `do` or `if`.
std::string Statement(const std::string& text) {
  const Source source = Scan(text);
  const Structure structure(source);
  for (size_t i = 0; i < structure.size(); ++i) {
    bool begins = false;
    for (const char* word : {"for", "while", "do", "if"}) begins |= structure.Is(i, word);
    if (!begins) continue;
    const Result<size_t> end = structure.EndOf(i);
    if (!end) return "error: " + end.error();
    const size_t first = structure.At(structure.BeginOf(i)).begin;
    return text.substr(first, structure.At(*end).end() - first);
  }
  return "none";
}

TEST(StructureTest, WhereStatementsEnd) {
  EXPECT_EQ(Statement("for (;;) a(); b();"), "for (;;) a();");
  EXPECT_EQ(Statement("for (;;) { a(); } b();"), "for (;;) { a(); }");
  EXPECT_EQ(Statement("for (;;) for (;;) if (a) b(); else c(); d();"),
            "for (;;) for (;;) if (a) b(); else c();");
  EXPECT_EQ(Statement("for (;;) if (a) { b(); } else if (c) d(); else { e(); } f();"),
            "for (;;) if (a) { b(); } else if (c) d(); else { e(); }");
  EXPECT_EQ(Statement("while (a) switch (b) { case 1: c(); } d();"),
            "while (a) switch (b) { case 1: c(); }");
  EXPECT_EQ(Statement("do { a(); } while (b); c();"), "do { a(); } while (b);");
  EXPECT_EQ(Statement("do a(); while (b); c();"), "do a(); while (b);");
  EXPECT_EQ(Statement("for (;;) do a(); while (b); c();"), "for (;;) do a(); while (b);");
  EXPECT_EQ(Statement("for (;;) ; a();"), "for (;;) ;");
  EXPECT_EQ(Statement("for (;;) x: a(); b();"), "for (;;) x: a();");
}

TEST(StructureTest, OfCxx) {
  EXPECT_EQ(Statement("for (;;) try { a(); } catch (...) { b(); } catch (int) { } c();"),
            "for (;;) try { a(); } catch (...) { b(); } catch (int) { }");
  EXPECT_EQ(Statement("for (;;) if constexpr (a) b(); c();"), "for (;;) if constexpr (a) b();");
  EXPECT_EQ(Statement("for (auto x : v) f([&](int i) { return i; }, {1, 2}); c();"),
            "for (auto x : v) f([&](int i) { return i; }, {1, 2});");
  EXPECT_EQ(Statement("for (;;) [[likely]] { a(); } b();"), "for (;;) [[likely]] { a(); }");
  EXPECT_EQ(Statement("for (;;) v = std::vector<int>{1}; b();"),
            "for (;;) v = std::vector<int>{1};");
}

TEST(StructureTest, WhatHidesTheShapeIsAnError) {
  EXPECT_EQ(Statement("for (;;) FORALL(i) { a(); } b();"),
            "error: it has a macro whose shape is not known: FORALL");
  EXPECT_EQ(Statement("for (;;) a() }"), "error: the end of its statement was not found");
  EXPECT_EQ(Statement("for (;;) {"), "error: its '{' has no '}'");
  EXPECT_EQ(Statement("for (;;"), "error: its header has no end");
  EXPECT_EQ(Statement("do a(); b();"), "error: its `do` has no `while`");
  EXPECT_EQ(Statement("for (;;)"), "error: its end was not found");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "for (;;) ";
  EXPECT_EQ(Statement(deep + ";"), "error: its end was not found");
}

TEST(StructureTest, DirectivesBelongToTheirStatement) {
  EXPECT_EQ(Statement("a();\n#pragma GCC ivdep\n#pragma omp simd\nfor (;;) b();"),
            "#pragma GCC ivdep\n#pragma omp simd\nfor (;;) b();");
  EXPECT_EQ(Statement("a();\n#pragma omp barrier\nfor (;;) b();"), "for (;;) b();");
  EXPECT_EQ(
      Statement("a();\n#ifdef X\n#pragma omp for\n#else\n#pragma simd\n#endif\nfor (;;) b();"),
      "#ifdef X\n#pragma omp for\n#else\n#pragma simd\n#endif\nfor (;;) b();");
  EXPECT_EQ(Statement("#ifdef X\na();\n#endif\nfor (;;) b();"), "for (;;) b();");
  EXPECT_EQ(Statement("a(); _Pragma(\"omp for\") for (;;) b();"),
            "_Pragma(\"omp for\") for (;;) b();");
}

TEST(StructureTest, AlternativesThatCutThroughBrackets) {
  const auto why = [](const std::string& text) {
    const Source source = Scan(text);
    return Structure(source).WhyCut(0, source.tokens.size() - 1);
  };
  EXPECT_EQ(why("{\n#if A\n{ }\n#else\n{ }\n#endif\n}"), "");
  EXPECT_EQ(why("#if A\nfor (;;) {\n#else\nfor (;;) {\n#endif\n}"),
            "#if and #else cut through its brackets");
  EXPECT_EQ(why("a;\n#endif\nb;"), "an #if begins before it and ends in it");
  EXPECT_EQ(why("a;\n#if A\nb;"), "an #if begins in it and ends behind it");
}

}  // namespace
}  // namespace roofmark::suggest
