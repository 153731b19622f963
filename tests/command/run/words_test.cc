// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/run/against.h"

namespace roofmark::cli {
namespace {

using ::testing::ElementsAre;

TEST(Words, AsAShellTellsThemApart) {
  EXPECT_THAT(*SplitWords("mpirun -n 4  ./app"), ElementsAre("mpirun", "-n", "4", "./app"));
  EXPECT_THAT(*SplitWords(R"(./a 'b c' "d \"e\" $HOME" f\ g '' \')"),
              ElementsAre("./a", "b c", "d \"e\" $HOME", "f g", "", "'"));
  EXPECT_THAT(*SplitWords(R"('a\b' "c\d" e''f)"), ElementsAre("a\\b", "c\\d", "ef"));
}

TEST(Words, WhatIsNoCommand) {
  EXPECT_EQ(SplitWords("a \"b").error(), "has a \" without its second one");
  EXPECT_EQ(SplitWords(" \t").error(), "has no word; give a command");
}

TEST(Against, TheOtherFileIsBesideIt) {
  EXPECT_EQ(OutputBefore("app.roofline.json"), "app.before.roofline.json");
  EXPECT_EQ(OutputBefore("d.x/run.json"), "d.x/run.before.json");
  EXPECT_EQ(OutputBefore("run"), "run.before");
}

}  // namespace
}  // namespace roofmark::cli
