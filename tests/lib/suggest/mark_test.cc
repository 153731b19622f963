// SPDX-License-Identifier: BSD-3-Clause
//
// Sources with a loop or function to be marked, and what becomes of them.
#include "lib/suggest/mark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace roofmark::suggest {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Wanted {
  uint32_t line = 0;  // 0: that of the text "HERE"
  std::string function = {};
  bool is_function = false;
};

// The text with its marks, or why there are none.
std::string Marked(const std::string& text, const std::string& file = "a.c", Wanted wanted = {}) {
  const Source source = Scan(text);
  const Structure structure(source);
  if (wanted.line == 0) {
    const size_t here = text.find("HERE");
    for (size_t i = 0; i < here; ++i) wanted.line += text[i] == '\n' ? 1 : 0;
    ++wanted.line;
  }
  const Result<Target> target =
      FindTarget(structure, {wanted.line, wanted.function, wanted.is_function});
  if (!target) return "refused: " + target.error();
  const Result<Marks> marks = MarksFor(structure, *target, LanguageOf(file, source), "r");
  if (!marks) return "refused: " + marks.error();
  return Applied(text, marks->insertions);
}

std::string In(const std::string& body) { return "void f(int n) {\n" + body + "}\n"; }

TEST(MarkTest, ALoopWithBraces) {
  EXPECT_EQ(Marked(In("  a();\n  for (;;) { // HERE\n    b();\n  } // end\n  c();\n")),
            In("  a();\n  ROOF_REGION_BEGIN(\"r\");\n  for (;;) { // HERE\n    b();\n  } // end\n"
               "  ROOF_REGION_END(\"r\");\n  c();\n"));
}

TEST(MarkTest, NestsWithoutBraces) {
  EXPECT_EQ(
      Marked(In("\tfor (i = 0; i < n; i++) /* HERE */\n\t\tfor (;;)\n\t\t\tif (a)\n\t\t\t\tb();\n"
                "\t\t\telse\n\t\t\t\tc();\n\td();\n")),
      In("\tROOF_REGION_BEGIN(\"r\");\n\tfor (i = 0; i < n; i++) /* HERE */\n\t\tfor (;;)\n"
         "\t\t\tif "
         "(a)\n\t\t\t\tb();\n\t\t\telse\n\t\t\t\tc();\n\tROOF_REGION_END(\"r\");\n\td();\n"));
}

TEST(MarkTest, AnyLineOfTheHeader) {
  const std::string text = In("  for (int i = 0;\n       i < n;\n       ++i)\n    a();\n");
  for (uint32_t line = 2; line <= 4; ++line) {
    EXPECT_EQ(
        Marked(text, "a.c", {line}),
        In("  ROOF_REGION_BEGIN(\"r\");\n  for (int i = 0;\n       i < n;\n       ++i)\n    a();\n"
           "  ROOF_REGION_END(\"r\");\n"));
  }
  EXPECT_THAT(Marked(text, "a.c", {5}), StartsWith("refused: line 5 has no `for`"));
}

TEST(MarkTest, DoAndWhile) {
  const std::string text = In("  do {\n    while (a) b();\n  } while (c);\n");
  const std::string marked =
      In("  ROOF_REGION_BEGIN(\"r\");\n  do {\n    while (a) b();\n  } while (c);\n"
         "  ROOF_REGION_END(\"r\");\n");
  EXPECT_EQ(Marked(text, "a.c", {2}), marked);
  EXPECT_EQ(Marked(text, "a.c", {4}), marked);
  EXPECT_EQ(
      Marked(text, "a.c", {3}),
      In("  do {\n    ROOF_REGION_BEGIN(\"r\");\n    while (a) b();\n    ROOF_REGION_END(\"r\");\n"
         "  } while (c);\n"));
  EXPECT_EQ(
      Marked(In("  do b();\n  while (c);\n"), "a.c", {3}),
      In("  ROOF_REGION_BEGIN(\"r\");\n  do b();\n  while (c);\n  ROOF_REGION_END(\"r\");\n"));
  EXPECT_EQ(Marked(In("  do b();\n  while (c);\n  while (d);\n"), "a.c", {4}),
            In("  do b();\n  while (c);\n  ROOF_REGION_BEGIN(\"r\");\n  while (d);\n"
               "  ROOF_REGION_END(\"r\");\n"))
      << "the second one has no `do`";
}

TEST(MarkTest, BracesInTextsAndComments) {
  EXPECT_EQ(
      Marked(In("  for (;;) { // HERE }\n    p(\"}\", '}'); /* } */\n  }\n  a();\n")),
      In("  ROOF_REGION_BEGIN(\"r\");\n  for (;;) { // HERE }\n    p(\"}\", '}'); /* } */\n  }\n"
         "  ROOF_REGION_END(\"r\");\n  a();\n"));
  EXPECT_EQ(Marked(In("  for (;;) p(R\"(})\"); // HERE\n"), "a.cc"),
            In("  ROOF_REGION_BEGIN(\"r\");\n  for (;;) p(R\"(})\"); // HERE\n  "
               "ROOF_REGION_END(\"r\");\n"));
}

TEST(MarkTest, DirectivesStayWithTheirLoop) {
  EXPECT_EQ(Marked(In("  a();\n#pragma omp parallel for\n  for (;;) { // HERE\n  }\n")),
            In("  a();\n  ROOF_REGION_BEGIN(\"r\");\n#pragma omp parallel for\n  for (;;) { // "
               "HERE\n  }\n"
               "  ROOF_REGION_END(\"r\");\n"));
  EXPECT_EQ(Marked(In("#ifdef X\n#pragma GCC ivdep\n#endif\n  for (;;) a(); // HERE\n")),
            In("  ROOF_REGION_BEGIN(\"r\");\n#ifdef X\n#pragma GCC ivdep\n#endif\n  for (;;) a(); "
               "// HERE\n"
               "  ROOF_REGION_END(\"r\");\n"));
}

TEST(MarkTest, BodiesOfOtherStatementsGetBraces) {
  EXPECT_EQ(Marked(In("  if (a)\n    for (;;) b(); // HERE\n  else\n    c();\n")),
            In("  if (a)\n    {\n    ROOF_REGION_BEGIN(\"r\");\n    for (;;) b(); // HERE\n"
               "    ROOF_REGION_END(\"r\");\n    }\n  else\n    c();\n"));
  EXPECT_EQ(Marked(In("  if (a) b(); else for (;;) c(); // HERE\n")),
            In("  if (a) b(); else { ROOF_REGION_BEGIN(\"r\"); for (;;) c(); // HERE\n"
               "  ROOF_REGION_END(\"r\");\n  }\n"));
  EXPECT_EQ(Marked(In("  for (;;)\n    while (a) b(); // HERE\n")),
            In("  for (;;)\n    {\n    ROOF_REGION_BEGIN(\"r\");\n    while (a) b(); // HERE\n"
               "    ROOF_REGION_END(\"r\");\n    }\n"));
  EXPECT_EQ(Marked(In("  if (a) for (;;) b(); else c(); // HERE\n")),
            In("  if (a) { ROOF_REGION_BEGIN(\"r\"); for (;;) b(); ROOF_REGION_END(\"r\"); } else "
               "c(); // "
               "HERE\n"));
}

TEST(MarkTest, LabelsStayInFront) {
  EXPECT_EQ(
      Marked(In("again: for (;;) a(); // HERE\n")),
      In("again: ROOF_REGION_BEGIN(\"r\"); for (;;) a(); // HERE\nROOF_REGION_END(\"r\");\n"));
  EXPECT_EQ(
      Marked(In("  switch (n) {\n    case A::B:\n    case 2:\n      for (;;) a(); // HERE\n  }\n"),
             "a.cc"),
      In("  switch (n) {\n    case A::B:\n    case 2:\n      ROOF_REGION_BEGIN(\"r\");\n"
         "      for (;;) a(); // HERE\n      ROOF_REGION_END(\"r\");\n  }\n"));
}

TEST(MarkTest, AMacroInFrontIsRefused) {
  EXPECT_EQ(Marked(In("  WHEN(a) for (;;) b(); // HERE\n")),
            "refused: what is in front of it is not known: a macro?");
  EXPECT_EQ(Marked(In("  for (;;) EACH(i) { a(); } // HERE\n")),
            "refused: it has a macro whose shape is not known: EACH");
}

TEST(MarkTest, SeveralStatementsInALine) {
  EXPECT_EQ(
      Marked(In("  a(); for (;;) b(); c(); // HERE\n")),
      In("  a(); ROOF_REGION_BEGIN(\"r\"); for (;;) b(); ROOF_REGION_END(\"r\"); c(); // HERE\n"));
  EXPECT_EQ(
      Marked("void f() { for (;;) a(); } // HERE\n"),
      "void f() { ROOF_REGION_BEGIN(\"r\"); for (;;) a(); ROOF_REGION_END(\"r\"); } // HERE\n");
  EXPECT_EQ(Marked(In("  for (;;) a(); /* HERE\n  */ b();\n")),
            In("  ROOF_REGION_BEGIN(\"r\");\n  for (;;) a(); ROOF_REGION_END(\"r\"); /* HERE\n  */ "
               "b();\n"));
}

TEST(MarkTest, WhatLeavesTheLoop) {
  EXPECT_EQ(Marked(In("  for (;;) { // HERE\n    if (a) break;\n    if (b) continue;\n  }\n")),
            In("  ROOF_REGION_BEGIN(\"r\");\n  for (;;) { // HERE\n    if (a) break;\n    if (b) "
               "continue;\n"
               "  }\n  ROOF_REGION_END(\"r\");\n"));
  EXPECT_EQ(Marked(In("  for (;;) // HERE\n    if (a) return;\n")),
            "refused: line 3 leaves it by `return`, so that an end would be missed");
  EXPECT_EQ(Marked(In("  for (;;) { goto out; } // HERE\nout:;\n")),
            "refused: line 2 leaves it by `goto`, so that an end would be missed");
  EXPECT_THAT(Marked(In("  for (;;) { if (a) goto next; next:; } // HERE\n")),
              HasSubstr("ROOF_REGION_END"));
}

TEST(MarkTest, InCxxABlockEndsTheRegion) {
  EXPECT_EQ(
      Marked(In("  for (;;) { // HERE\n    if (a) throw 1;\n  }\n  b();\n"), "a.cpp"),
      In("  {\n  ROOF_REGION_SCOPE(\"r\");\n  for (;;) { // HERE\n    if (a) throw 1;\n  }\n  }\n"
         "  b();\n"));
  EXPECT_EQ(Marked(In("  if (a) for (auto x : v) return x; // HERE\n"), "a.cpp"),
            In("  if (a) { ROOF_REGION_SCOPE(\"r\"); for (auto x : v) return x; // HERE\n  }\n"));
}

TEST(MarkTest, LambdasAndTemplates) {
  EXPECT_EQ(Marked("template <class T>\nvoid G<T>::f(std::vector<T> v) const noexcept {\n"
                   "  for (auto& [a, b] : v) {  // HERE\n    g([&] { a = b; }, T{});\n  }\n}\n",
                   "a.cc", {0, "G<double>::f"}),
            "template <class T>\nvoid G<T>::f(std::vector<T> v) const noexcept {\n"
            "  ROOF_REGION_BEGIN(\"r\");\n  for (auto& [a, b] : v) {  // HERE\n    g([&] { a = b; "
            "}, T{});\n"
            "  }\n  ROOF_REGION_END(\"r\");\n}\n");
  EXPECT_EQ(
      Marked(In("  each(v, [&](int i) {\n    for (;;) a(i);  // HERE\n  });\n"), "a.cc",
             {0, "f(int)::<lambda(int)>"}),
      In("  each(v, [&](int i) {\n    ROOF_REGION_BEGIN(\"r\");\n    for (;;) a(i);  // HERE\n"
         "    ROOF_REGION_END(\"r\");\n  });\n"));
}

TEST(MarkTest, TheFileStaysWhatItIs) {
  EXPECT_EQ(Marked("void f() {\r\n  for (;;)\r\n    a(); // HERE\r\n}\r\n", "a.c", {2}),
            "void f() {\r\n  ROOF_REGION_BEGIN(\"r\");\r\n  for (;;)\r\n    a(); // HERE\r\n"
            "  ROOF_REGION_END(\"r\");\r\n}\r\n");
  EXPECT_EQ(
      Marked("int größe; void f() {\n  for (;;) größe(\"ä}\"); // HERE ü\n}"),
      "int größe; void f() {\n  ROOF_REGION_BEGIN(\"r\");\n  for (;;) größe(\"ä}\"); // HERE ü\n"
      "  ROOF_REGION_END(\"r\");\n}");
  EXPECT_EQ(Marked("void f() {\nfor (;;) a(); }", "a.c", {2}),
            "void f() {\nROOF_REGION_BEGIN(\"r\");\nfor (;;) a(); ROOF_REGION_END(\"r\"); }");
}

TEST(MarkTest, ParallelConstructsAreMarkedFromOutside) {
  EXPECT_EQ(
      Marked(
          In("#pragma omp parallel\n  {\n    a();\n#pragma omp for\n    for (;;) { // HERE\n    }\n"
             "  }\n")),
      In("  ROOF_REGION_BEGIN(\"r\");\n#pragma omp parallel\n  {\n    a();\n#pragma omp for\n"
         "    for (;;) { // HERE\n    }\n  }\n  ROOF_REGION_END(\"r\");\n"));
  EXPECT_EQ(Marked(In("#pragma omp parallel for \\\n  schedule(static)\n  for (;;)\n    for (;;) "
                      "a(); // HERE\n")),
            In("  ROOF_REGION_BEGIN(\"r\");\n#pragma omp parallel for \\\n  schedule(static)\n  "
               "for (;;)\n"
               "    for (;;) a(); // HERE\n  ROOF_REGION_END(\"r\");\n"));
  EXPECT_THAT(Marked(In("#pragma omp for schedule(static)\n  for (;;) a(); // HERE\n")),
              HasSubstr("their parallel construct is in another function"));
}

TEST(MarkTest, LinesInTheBodyOfADividedLoop) {
  const std::string marked = In(
      "  ROOF_REGION_BEGIN(\"r\");\n#pragma omp parallel for\n  for (;;) {\n    a(); // HERE\n  }\n"
      "  ROOF_REGION_END(\"r\");\n");
  const std::string text = In("#pragma omp parallel for\n  for (;;) {\n    a(); // HERE\n  }\n");
  for (uint32_t line = 2; line <= 5; ++line) EXPECT_EQ(Marked(text, "a.c", {line}), marked);
  EXPECT_EQ(Marked(text, "a.c", {0, "f"}), marked);
  EXPECT_EQ(
      Marked(text, "a.c", {0, "g"}),
      "refused: line 4 is not in the function g(): the file is not the one that was compiled");
  EXPECT_THAT(
      Marked(In("#pragma omp parallel for\n  for (;;) {\n#pragma omp atomic\n    a += 1;\n  }\n"),
             "a.c", {4}),
      HasSubstr("ROOF_REGION_BEGIN(\"r\");\n#pragma omp parallel for\n"));
  EXPECT_THAT(Marked(In("  for (;;) {\n    a(); // HERE\n  }\n")),
              StartsWith("refused: line 3 has no"));
}

TEST(MarkTest, IsInParallelConstruct) {
  const auto is = [](const std::string& text, uint32_t line, bool function = false) {
    const Source source = Scan(text);
    return IsInParallelConstruct(Structure(source), {line, "f", function});
  };
  EXPECT_TRUE(is(In("#pragma omp parallel for\n  for (;;) a();\n"), 3));
  EXPECT_TRUE(is(In("#pragma omp for\n  for (;;) a();\n"), 3));
  EXPECT_FALSE(is(In("#pragma omp simd\n  for (;;) a();\n"), 3));
  EXPECT_FALSE(is(In("  for (;;) a();\n"), 2));
  EXPECT_FALSE(is(In("  for (;;) a();\n"), 1, true));
}

TEST(MarkTest, WhatIsNoLoopIsRefused) {
  EXPECT_THAT(Marked(In("  a(); // for HERE\n")), StartsWith("refused: line 2 has no `for`"));
  EXPECT_EQ(Marked("#define FOR for (;;) // HERE\n"),
            "refused: line 1 is a directive: a macro may have the loop");
  EXPECT_EQ(Marked(In(""), "a.c", {7}),
            "refused: the file has no line 7: it is not the one that was compiled");
  EXPECT_EQ(Marked(In("#if A\n  for (;;) { // HERE\n#else\n  for (;;) {\n#endif\n  }\n")),
            "refused: an #if begins before it and ends in it");
}

TEST(MarkTest, AlternativesAroundALoop) {
  EXPECT_EQ(
      Marked(In("#if A\n  if (b) {\n#else\n  if (c) {\n#endif\n    for (;;) a(); // HERE\n  }\n")),
      In("#if A\n  if (b) {\n#else\n  if (c) {\n#endif\n    ROOF_REGION_BEGIN(\"r\");\n"
         "    for (;;) a(); // HERE\n    ROOF_REGION_END(\"r\");\n  }\n"));
}

TEST(MarkTest, AlternativesInAFunction) {
  const std::string body = "#if A\n  if (b) {\n#else\n  if (c) {\n#endif\n    a();\n  }\n";
  EXPECT_EQ(Marked("void f() {\n  c();\n" + body + "}\n", "a.c", {1, "f", true}),
            "void f() {\n  ROOF_FUNCTION;\n  c();\n" + body + "}\n");
}

TEST(MarkTest, ConstantFunctionsAreRefused) {
  EXPECT_EQ(Marked("constexpr int f() {\n  for (;;) a(); // HERE\n}\n", "a.cc"),
            "refused: its function is `constexpr`");
}

TEST(MarkTest, Functions) {
  EXPECT_EQ(Marked("static int f(int a)\n{\n\treturn a;\n}\n", "a.c", {1, "f", true}),
            "static int f(int a)\n{\n\tROOF_FUNCTION;\n\treturn a;\n}\n");
  EXPECT_EQ(
      Marked("int g();\nint n::S::f(int a) const { return a; }\n", "a.cc", {2, "n::S::f", true}),
      "int g();\nint n::S::f(int a) const { ROOF_FUNCTION; return a; }\n");
  EXPECT_EQ(Marked("S::S(int a)\n    : a_(a), b_{a} {\n  c();\n}\n", "a.cc", {1, "S::S", true}),
            "S::S(int a)\n    : a_(a), b_{a} {\n  ROOF_FUNCTION;\n  c();\n}\n");
  EXPECT_EQ(Marked("int g(int a) {\n  return a;\n}\n", "a.c", {1, "f", true}),
            "refused: line 1 does not begin the function f()");
}

TEST(MarkTest, Languages) {
  const auto language = [](const std::string& file, const std::string& text = "") {
    const Source source = Scan(text);
    return LanguageOf(file, source);
  };
  EXPECT_EQ(language("d.d/a.c"), Language::kC);
  EXPECT_EQ(language("a.C"), Language::kCxx);
  EXPECT_EQ(language("a.h", "int a;"), Language::kC);
  EXPECT_EQ(language("a.h", "namespace a {}"), Language::kCxx);
  EXPECT_EQ(language("a.f90"), Language::kFortran);
  EXPECT_EQ(language("a.F"), Language::kFortran);
  EXPECT_EQ(language("a.S"), Language::kUnknown);
  EXPECT_EQ(language("c"), Language::kUnknown);
}

// Whatever a file has: an answer, and text that is inserted inside of it.
TEST(MarkTest, AnyTextGetsAnAnswer) {
  const std::string text =
      "#if A\nint f(int n) { x: for (;;) do { a(\"}\"); } while (b); return 'c'; }\n#else\n"
      "#pragma omp parallel\n{ if (a) for (;;) case 1: b(); else ; }\n#endif\n";
  for (size_t cut = 0; cut < text.size(); ++cut) {
    for (const std::string& part : {text.substr(0, cut), text.substr(cut)}) {
      for (uint32_t line = 1; line < 8; ++line) {
        Marked(part, "a.cc", {line, "f"});
        Marked(part, "a.cc", {line, "f", true});
      }
    }
  }
}

}  // namespace
}  // namespace roofmark::suggest
