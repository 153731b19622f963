// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/loops_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "lib/report/display_width.h"
#include "tests/lib/incore/made_up_loops.h"
#include "tests/lib/report/golden.h"

namespace roofmark {
namespace {

using test::ExpectGolden;
using test::MadeUpLoops;

incore::LoopsView Views() {
  incore::LoopsView views = incore::ViewLoops(MadeUpLoops());
  views.clock_ghz = 2.5;
  views.model = "znver4 of LLVM 16.0.6";
  views.loops[0].bound = incore::PortBound{1.5, 4.0, "Zn4FP0", 1.5};
  for (size_t i = 1; i < views.loops.size(); ++i) {
    views.loops[i].why_no_bound = views.loops[i].why_no_body;
  }
  return views;
}

class LoopsText : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!assembly::CanRead()) GTEST_SKIP() << assembly::WhyNot();
  }
};

TEST_F(LoopsText, List) { ExpectGolden(RenderLoopList(Views()), "loops_list.txt"); }

TEST_F(LoopsText, Code) {
  ExpectGolden(RenderLoops(ReportJob(), Views(), "solve"), "loops_code.txt");
}

TEST_F(LoopsText, LinesFitATerminal) {
  incore::LoopsView views = Views();
  views.loops[0].loop.name = std::string(200, 'x') + ".c:7 in f()";
  views.loops[0].blocks[0].instructions[0].code.text = std::string(300, 'y');
  views.loops[0].blocks[0].instructions[0].line = 1234567;
  std::istringstream lines(RenderLoopList(views) + RenderLoops(ReportJob(), views, ""));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 80u) << line;
}

TEST_F(LoopsText, NamesCannotControlATerminal) {
  incore::LoopsView views = Views();
  views.loops[0].loop.name = "a\033[2J";
  views.loops[2].findings[0].file = "b\033[2J";
  views.loops[2].blocks[0].instructions[0].file = "c\033[2J";
  const std::string text = RenderLoopList(views) + RenderLoops(ReportJob(), views, "");
  EXPECT_EQ(text.find('\033'), std::string::npos);
}

TEST_F(LoopsText, OfCodeThatTheFileLacksNothingIsSaid) {
  incore::LoopsView views = Views();
  views.loops.resize(1);
  views.loops[0].cut = true;
  const auto text = [&views] { return RenderLoops(ReportJob(), views, ""); };
  EXPECT_NE(text().find("arithmetic in the code that the file has: "), std::string::npos);
  views.loops[0].blocks.clear();
  views.loops[0].lanes = {};
  EXPECT_EQ(text().find("arithmetic"), std::string::npos) << text();
  EXPECT_NE(text().find("(its code is too long"), std::string::npos) << text();
}

TEST_F(LoopsText, WithoutAModelTheReasonStandsOnce) {
  incore::LoopsView views = Views();
  views.model.clear();
  views.why_no_model = "What ports allow is not known: it is not installed.";
  views.loops[0].bound.reset();
  const std::string text = RenderLoops(ReportJob(), views, "");
  EXPECT_NE(text.find("it is not installed."), std::string::npos);
  EXPECT_EQ(text.find("With its data in L1"), std::string::npos);
}

}  // namespace
}  // namespace roofmark
