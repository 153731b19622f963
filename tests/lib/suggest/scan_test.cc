// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace roofmark::suggest {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : Scan(text).tokens) texts.emplace_back(token.text);
  return texts;
}

TEST(ScanTest, CommentsAreLeftOut) {
  EXPECT_THAT(Texts("a /* for { */ b // while\nc // goes on \\\n for\nd"),
              ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Texts("a /* has no end"), ElementsAre("a"));
}

TEST(ScanTest, TextsAreOneToken) {
  EXPECT_THAT(Texts(R"x("a } \" {" 'b' '\'' '"' u8"c" L'd')x"),
              ElementsAre(R"x("a } \" {")x", "'b'", R"('\'')", R"('"')", "u8\"c\"", "L'd'"));
  EXPECT_THAT(Texts("R\"x(a )\" } )x\" b"), ElementsAre("R\"x(a )\" } )x\"", "b"));
  EXPECT_THAT(Texts("\"has no end\nb"), ElementsAre("\"has no end", "b"));
}

TEST(ScanTest, NumbersMayHaveApostrophes) {
  EXPECT_THAT(Texts("1'000'000 + 1.5e3"), ElementsAre("1'000'000", "+", "1.5e3"));
}

TEST(ScanTest, WordsMayHaveAnyLetters) {
  EXPECT_THAT(Texts("größe::x"), ElementsAre("größe", "::", "x"));
}

TEST(ScanTest, DirectivesGoToTheirEnd) {
  const Source source =
      Scan("#define A { \\\n  for\n  # pragma omp  parallel /* x\n y */ for\nb # c");
  ASSERT_EQ(source.tokens.size(), 5u);
  EXPECT_EQ(DirectiveName(source.tokens[0]), "define");
  EXPECT_EQ(source.tokens[0].last_line, 2u);
  EXPECT_EQ(DirectiveName(source.tokens[1]), "pragma");
  EXPECT_EQ(DirectiveRest(source.tokens[1]), "omp  parallel /* x\n y */ for");
  EXPECT_EQ(source.tokens[2].line, 5u);
  EXPECT_EQ(DirectiveName(source.tokens[2]), "");
}

TEST(ScanTest, LinesAreThoseOfTheFile) {
  const Source source = Scan("a\r\n\r\n/* b\r\n c */ d\r\ne");
  ASSERT_EQ(source.tokens.size(), 3u);
  EXPECT_EQ(source.tokens[1].line, 4u);
  EXPECT_EQ(source.tokens[2].line, 5u);
  EXPECT_THAT(source.lines, ElementsAre(0, 3, 5, 11, 20, 21));
  EXPECT_THAT(source.goes_on, ElementsAre(false, false, true, false, false));
}

TEST(ScanTest, AByteOrderMarkIsNoWord) {
  const Source source = Scan("\xEF\xBB\xBF#include <a.h>\nb");
  ASSERT_EQ(source.tokens.size(), 2u);
  EXPECT_EQ(DirectiveName(source.tokens[0]), "include");
}

TEST(ScanTest, AnythingIsScanned) {
  EXPECT_THAT(Texts(""), ElementsAre());
  EXPECT_THAT(Texts("\\"), ElementsAre());
  EXPECT_THAT(Texts("#"), ElementsAre("#"));
  EXPECT_THAT(Texts("R\"x"), ElementsAre("R\"x"));
  for (int first = 0; first < 256; ++first) {
    for (const char* second : {"", "\"", "'", "/", "*", "\\", "\n", "#", "("}) {
      const std::string text = std::string(1, static_cast<char>(first)) + second;
      for (const Token& token : Scan(text).tokens) EXPECT_LE(token.end(), text.size());
    }
  }
}

}  // namespace
}  // namespace roofmark::suggest
