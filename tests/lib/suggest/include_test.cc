// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "lib/suggest/mark.h"

namespace roofmark::suggest {
namespace {

std::string Included(const std::string& text, bool scoped = false) {
  const Source source = Scan(text);
  return Applied(text, IncludeFor(Structure(source), scoped));
}

constexpr const char* kLine = "#include <roofmark/roofmark.h>\n";

TEST(IncludeTest, BehindTheLastOfTheLeadingOnes) {
  EXPECT_EQ(
      Included("// a\n#include <a.h>\n#include \"b.h\"\n#define C\nint d;\n#include \"e.inc\"\n"),
      std::string("// a\n#include <a.h>\n#include \"b.h\"\n") + kLine +
          "#define C\nint d;\n#include \"e.inc\"\n");
}

TEST(IncludeTest, OutsideOfConditions) {
  EXPECT_EQ(Included("#include <a.h>\n#if X\n#include <b.h>\n#endif\nint c;\n"),
            std::string("#include <a.h>\n#if X\n#include <b.h>\n#endif\n") + kLine + "int c;\n");
  EXPECT_EQ(Included("#include <a.h>\n#if X\n#include <b.h>\nint c;\n#endif\n"),
            std::string("#include <a.h>\n") + kLine + "#if X\n#include <b.h>\nint c;\n#endif\n");
  EXPECT_EQ(Included("#if X\nint c;\n#endif\n"), std::string(kLine) + "#if X\nint c;\n#endif\n");
}

TEST(IncludeTest, InsideOfAGuard) {
  EXPECT_EQ(Included("#ifndef A_H\n#define A_H\n#include <a.h>\nint c;\n#endif\n"),
            std::string("#ifndef A_H\n#define A_H\n#include <a.h>\n") + kLine + "int c;\n#endif\n");
  EXPECT_EQ(Included("#ifndef A_H\n#define A_H\nint c;\n#endif\n"),
            std::string("#ifndef A_H\n#define A_H\n") + kLine + "int c;\n#endif\n");
}

TEST(IncludeTest, WithoutAny) {
  EXPECT_EQ(Included("/* a */\nint b;\n"), std::string("/* a */\n") + kLine + "int b;\n");
}

TEST(IncludeTest, OnlyOnce) {
  const std::string has = "#include <roofmark/roofmark.h>\nint a;\n";
  EXPECT_EQ(Included(has), has);
  const std::string more = "#include \"roofmark/roofmark.hpp\"\nint a;\n";
  EXPECT_EQ(Included(more), more);
  EXPECT_EQ(Included(has, /*scoped=*/true),
            std::string(kLine) + "#include <roofmark/roofmark.hpp>\nint a;\n");
}

TEST(IncludeTest, LineEndsAndTheByteOrderMarkStay) {
  EXPECT_EQ(Included("#include <a.h>\r\nint b;\r\n"),
            "#include <a.h>\r\n#include <roofmark/roofmark.h>\r\nint b;\r\n");
  EXPECT_EQ(Included("\xEF\xBB\xBFint b;\n"), std::string("\xEF\xBB\xBF") + kLine + "int b;\n");
}

}  // namespace
}  // namespace roofmark::suggest
