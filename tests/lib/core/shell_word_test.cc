// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/shell_word.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lib/core/terminal_text.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

TEST(ShellWord, LeavesOrdinaryNamesAsTheyAre) {
  EXPECT_EQ(ShellWord("/home/a_b/run-1.json"), "/home/a_b/run-1.json");
  EXPECT_EQ(ShellWord("my file"), "'my file'");
  EXPECT_EQ(ShellWord("a'b"), "'a'\\''b'");
}

TEST(ShellWord, IsReadBackByAShellAndShownAsItStands) {
  const std::vector<std::string> words = {"",
                                          "a b",
                                          "it's",
                                          "$(touch planted)",
                                          "`touch planted`",
                                          "x;touch y",
                                          "a\nb",
                                          "~",
                                          "a\\",
                                          "\x1b[2J",
                                          "tab\tand'",
                                          "\xc3\xa9t",
                                          "\xff\x38",
                                          "#!*?[a]{b,c}|<>&",
                                          "\xe2\x80\xae"
                                          "gpj"};
  std::string line = "printf '<%s>'", expected;
  for (const std::string& word : words) {
    EXPECT_EQ(Printable(ShellWord(word)), ShellWord(word)) << "a message would change it";
    line += " " + ShellWord(word);
    expected += "<" + word + ">";
  }
  const test::TempDir directory;
  EXPECT_EQ(test::Run({"bash", "-c", line}, {}, directory.path()).out, expected);
  EXPECT_TRUE(test::ListFiles(directory.path()).empty()) << "nothing of a name is executed";
}

}  // namespace
}  // namespace roofmark
