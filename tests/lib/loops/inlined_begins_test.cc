// SPDX-License-Identifier: BSD-3-Clause
#include "lib/loops/inlined_begins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/loops/code.h"

namespace roofmark::loops {
namespace {

using test::Code;
using test::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

SourceChain InMain(uint32_t line) { return {{"main", "a.c", line}}; }
SourceChain InBody(uint32_t line) { return {{"body", "a.c", line}, {"main", "a.c", 21}}; }

// main calls body, which is inlined at line 21, in the loop of line 20: 0x110 to 0x170, 10
// iterations. body has a loop of its own in line 5: 0x130 to 0x140, 5 iterations each.
class BeginsOf : public ::testing::Test {
 protected:
  BeginsOf() {
    code_.Function("main", 0x100, 0x200);
    code_.Edge(kElsewhere, 0x100, 1)
        .Block(0x100, 0x110, 1)
        .Block(0x110, 0x130, 10)
        .Block(0x130, 0x140, 50)
        .Edge(0x13e, 0x130, 40)
        .Block(0x140, 0x170, 10)
        .Edge(0x16e, 0x110, 9)
        .Block(0x170, 0x180, 1)
        .Edge(0x17e, kElsewhere, 1, Kind::kReturn)
        .Line(0x100, InMain(19))
        .Line(0x110, InMain(20))
        .Line(0x120, InBody(4))
        .Line(0x130, InBody(5))
        .Line(0x140, InBody(6))
        .Line(0x160, InMain(20));
    inlined_.functions = {{"body", "a.c", 3, {}}};
    inlined_.bodies = {{0, 0, {}, 0x120, 0, {}, 0}};
    inlined_.places = {{0x120, 0x160, 0}};
  }
  const InlinedBody& Find() {
    const Input input = code_.Input();
    const Forest forest = FindLoops(input);
    FindBegins(input, forest, FindNests(input, forest), inlined_);
    return inlined_.bodies[0];
  }

  Code code_;
  Inlined inlined_;
};

TEST_F(BeginsOf, OneThatTheCompilerTells) {
  const InlinedBody& body = Find();
  EXPECT_THAT(body.begins, ElementsAre(InlinedBegin{0x120, false}));
  EXPECT_EQ(body.calls, 10u);
}

// An instruction of the body stands before its begin.
TEST_F(BeginsOf, CodeBeforeTheBeginIsWhereItBegins) {
  inlined_.places = {{0x11c, 0x160, 0}};
  code_.Line(0x11c, InBody(7));
  EXPECT_THAT(Find().begins, ElementsAre(InlinedBegin{0x11c, false}));
}

TEST_F(BeginsOf, ABeginThatBecameTheHeadOfALoopIsLeftForCodeOutsideOfIt) {
  inlined_.bodies[0].entry = 0x130;
  inlined_.places = {{0x130, 0x160, 0}};
  code_.Line(0x120, InMain(21));
  const InlinedBody& body = Find();
  EXPECT_THAT(body.begins, ElementsAre(InlinedBegin{0x140, false}));
  EXPECT_EQ(body.calls, 10u);
}

TEST_F(BeginsOf, ABodyThatIsNothingButALoop) {
  inlined_.bodies[0].entry = {};
  inlined_.places = {{0x130, 0x140, 0}};
  code_.Line(0x120, InMain(21)).Line(0x140, InMain(22));
  const InlinedBody& body = Find();
  EXPECT_THAT(body.begins, ElementsAre(InlinedBegin{0x130, true}));
  EXPECT_EQ(body.calls, 10u);
}

TEST_F(BeginsOf, CodeThatWasMovedOutOfTheLoopOfTheCallBeginsNothing) {
  for (const auto& entry : {std::optional<uint64_t>(0x120), std::optional<uint64_t>()}) {
    inlined_.bodies = {{0, 0, {}, entry, 0, {}, 0}};
    inlined_.places = {{0x108, 0x110, 0}, {0x120, 0x160, 0}};
    code_.Line(0x108, InBody(4));
    EXPECT_THAT(Find().begins, ElementsAre(InlinedBegin{0x120, false}));
  }
}

// 0x110 chooses one of two copies.
class TwoCopies : public ::testing::Test {
 protected:
  TwoCopies() {
    code_.Function("main", 0x100, 0x200);
    code_.Edge(kElsewhere, 0x100, 1)
        .Block(0x100, 0x110, 1)
        .Block(0x110, 0x120, 10)
        .Edge(0x11e, 0x140, 4)
        .Block(0x120, 0x140, 6)
        .Edge(0x13e, 0x160, 6, Kind::kJump)
        .Block(0x140, 0x160, 4)
        .Block(0x160, 0x170, 10)
        .Edge(0x16e, 0x110, 9)
        .Block(0x170, 0x180, 1)
        .Edge(0x17e, kElsewhere, 1, Kind::kReturn)
        .Line(0x100, InMain(19))
        .Line(0x110, InMain(20))
        .Line(0x120, InBody(4))
        .Line(0x160, InMain(20));
    inlined_.functions = {{"body", "a.c", 3, {}}};
    inlined_.bodies = {{0, 0, {}, 0x120, 0, {}, 0}};
    inlined_.places = {{0x120, 0x160, 0}};
  }
  const InlinedBody& Find() {
    const Input input = code_.Input();
    const Forest forest = FindLoops(input);
    FindBegins(input, forest, FindNests(input, forest), inlined_);
    return inlined_.bodies[0];
  }

  Code code_;
  Inlined inlined_;
};

TEST_F(TwoCopies, EachBeginsVisits) {
  const InlinedBody& body = Find();
  EXPECT_THAT(body.begins, ElementsAre(InlinedBegin{0x120, false}, InlinedBegin{0x140, false}));
  EXPECT_EQ(body.calls, 10u);
}

// The compiler's place is in one of them; most was executed where they meet.
TEST_F(TwoCopies, ThatGoOnTogetherBeginOnce) {
  inlined_.bodies[0].entry = {};
  inlined_.places = {{0x120, 0x168, 0}};
  code_.Line(0x160, InBody(6)).Line(0x168, InMain(20));
  const InlinedBody& body = Find();
  EXPECT_THAT(body.begins, ElementsAre(InlinedBegin{0x160, false}));
  EXPECT_EQ(body.calls, 10u);
}

TEST_F(TwoCopies, WithoutLinesAllCodeIsWhereTheCallIs) {
  inlined_.places = {{0x120, 0x130, 0}};
  code_.Line(0x120, {});
  const InlinedBody& body = Find();
  EXPECT_THAT(body.begins, ElementsAre(InlinedBegin{0x120, false}));
  EXPECT_EQ(body.calls, 6u);
}

TEST_F(TwoCopies, WhatWasNotExecutedBeginsNothing) {
  inlined_.places = {{0x190, 0x1a0, 0}};
  const InlinedBody& body = Find();
  EXPECT_THAT(body.begins, IsEmpty());
  EXPECT_EQ(body.calls, 0u);
}

TEST_F(TwoCopies, WhatHasNoCodeBeginsNothing) {
  inlined_.places = {};
  EXPECT_THAT(Find().begins, IsEmpty());
}

// main calls one of two in each iteration; both begin with the same instruction, which stands
// before the branch and is said to be of the one that was not called: 0x118, with its rest at
// 0x1a0.
class OneOfTwoCalls : public ::testing::Test {
 protected:
  OneOfTwoCalls() {
    code_.Function("main", 0x100, 0x200);
    code_.Edge(kElsewhere, 0x100, 1)
        .Block(0x100, 0x110, 1)
        .Block(0x110, 0x120, 10)
        .Block(0x120, 0x140, 10)
        .Edge(0x13e, 0x110, 9)
        .Block(0x140, 0x150, 1)
        .Edge(0x14e, kElsewhere, 1, Kind::kReturn)
        .Line(0x100, InMain(20))
        .Line(0x118, InBody(4))
        .Line(0x11c, InMain(21))
        .Line(0x1a0, InBody(4))
        .Line(0x1a8, InBody(5))
        .Line(0x1b0, InBody(6))
        .Line(0x1c0, InMain(21));
    inlined_.functions = {{"body", "a.c", 3, {}}};
    inlined_.bodies = {{0, 0, {}, 0x118, 0, {}, 0}};
    inlined_.places = {{0x118, 0x11c, 0}, {0x1a0, 0x1c0, 0}};
  }
  const InlinedBody& Find() {
    const Input input = code_.Input();
    const Forest forest = FindLoops(input);
    FindBegins(input, forest, FindNests(input, forest), inlined_);
    return inlined_.bodies[0];
  }

  Code code_;
  Inlined inlined_;
};

TEST_F(OneOfTwoCalls, WhatBothBeginWithIsNoVisitOfTheOther) {
  EXPECT_THAT(Find().begins, IsEmpty());
  EXPECT_EQ(inlined_.bodies[0].calls, 0u);
}

// The branch stands among the instructions of the function, but in a line of the caller.
TEST_F(OneOfTwoCalls, TheBranchOfTheCallerIsKnownByItsLine) {
  inlined_.functions.push_back({"main", "a.c", 19, {0}});
  inlined_.of_root[0] = 1;
  inlined_.places[0].end = 0x120;
  code_.Line(0x11c, InBody(21));
  EXPECT_THAT(Find().begins, IsEmpty());
}

TEST_F(OneOfTwoCalls, ACallThatReturnsEarlyIsAVisit) {
  inlined_.places[0].end = 0x120;
  code_.Line(0x11c, InBody(4));
  EXPECT_THAT(Find().begins, ElementsAre(InlinedBegin{0x118, false}));
}

TEST_F(OneOfTwoCalls, ACallOfWhichAllLinesWereExecutedIsAVisit) {
  code_.Line(0x110, InBody(5));
  inlined_.places[0].begin = 0x110;
  EXPECT_THAT(Find().begins, ElementsAre(InlinedBegin{0x110, false}));
}

}  // namespace
}  // namespace roofmark::loops
