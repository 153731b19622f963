// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/call_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A program: solve() has a loop, which calls smooth() and multiply(); both call exchange(), which
// is no region, and that calls MPI. So does reduce().
enum : uint64_t { kMain = 0, kSolve = 100, kLoop = 150, kSmooth = 200, kMultiply = 300 };
enum : uint64_t { kExchange = 400, kReduce = 500, kLibrary = 600 };
const NestPlan kPlan = {{"/app"},
                        {{"solve()", "", 0, std::nullopt, true},
                         {"a.c:7 in solve()", "", 0, 0, false},
                         {"smooth()", "", 0, std::nullopt, true},
                         {"multiply()", "", 0, std::nullopt, true},
                         {"re/duce()", "", 0, std::nullopt, true}},
                        {{0, 0, kSolve, kLoop},
                         {0, 1, kLoop, kSmooth},
                         {0, 2, kSmooth, kMultiply},
                         {0, 3, kMultiply, kExchange},
                         {0, 4, kReduce, kLibrary}},
                        {}};
enum : uint32_t { kNone, kSolveLoop, kInSmooth, kInMultiply, kInReduce, kMarked };

class CallPathsOf : public ::testing::Test {
 protected:
  CallPathsOf() {
    executed_.paths = {"",
                       "solve()/a.c:7 in solve()",
                       "solve()/a.c:7 in solve()/smooth()",
                       "solve()/a.c:7 in solve()/multiply()",
                       "solve()/a.c:7 in solve()/smooth()/re\\/duce()",
                       "marked/solve()/a.c:7 in solve()/smooth()"};
    executed_.modules = {{"/app", {}, {}, {}}, {"/libx.so", {}, {}, {}}};
  }
  void Executes(uint64_t begin, uint32_t path, uint64_t times, Layer layer = Layer::kWork,
                bool leads = true) {
    executed_.modules[0].parts.push_back({begin, 32, path, layer, leads, times});
  }
  std::vector<PathShare> Of(const std::vector<uint64_t>& frames) const {
    std::vector<CodePlace> places;
    for (const uint64_t frame : frames) {
      places.push_back({frame >= kLibrary ? "/libx.so" : "/app", frame});
    }
    return CallPaths(kPlan, executed_).Of(places);
  }
  static auto All(uint32_t path) { return ElementsAre(PathShare{path, 1}); }

  Executed executed_;
};

TEST_F(CallPathsOf, InlinedCodeHasThePathOfItsFunction) {
  NestPlan plan = kPlan;
  plan.nests.push_back({"smooth()", "", 0, 1, false, 2});
  plan.ranges[1].end = kLoop + 20;
  plan.ranges.insert(plan.ranges.begin() + 2, {0, 5, kLoop + 20, kSmooth});
  Executes(kExchange, kInSmooth, 30);
  Executes(kExchange, kInMultiply, 10);
  const std::vector<CodePlace> frames = {{"/app", kExchange + 1}, {"/app", kLoop + 21}};
  EXPECT_THAT(CallPaths(plan, executed_).Of(frames), All(kInSmooth));
}

TEST_F(CallPathsOf, TheWayOfCallsTellsThePath) {
  Executes(kExchange, kInSmooth, 30);
  Executes(kExchange, kInMultiply, 10);
  EXPECT_THAT(Of({kExchange + 4, kSmooth + 9, kLoop + 1, kMain}), All(kInSmooth));
  EXPECT_THAT(Of({kExchange + 4, kMultiply, kLoop + 1, kMain}), All(kInMultiply));
}

TEST_F(CallPathsOf, WithoutItTheExecutionsDivideIt) {
  Executes(kExchange, kInSmooth, 30);
  Executes(kExchange, kInMultiply, 10);
  Executes(kExchange, kNone, 999, Layer::kMpi);
  Executes(kExchange, kNone, 999, Layer::kWork, /*leads=*/false);
  EXPECT_THAT(Of({kExchange + 4}),
              ElementsAre(PathShare{kInSmooth, 0.75}, PathShare{kInMultiply, 0.25}));
}

TEST_F(CallPathsOf, BlocksThatOverlapAreOneExecutor) {
  Executes(kExchange, kInSmooth, 30);
  Executes(kExchange + 16, kInSmooth, 10);
  EXPECT_THAT(Of({kExchange + 20}), All(kInSmooth));
}

TEST_F(CallPathsOf, OuterCallsMayBeMissing) {
  Executes(kExchange, kInSmooth, 1);
  Executes(kExchange, kInMultiply, 1);
  EXPECT_THAT(Of({kExchange, kSmooth}), All(kInSmooth));
}

TEST_F(CallPathsOf, MarkersMayBeAround) {
  Executes(kExchange, kMarked, 1);
  Executes(kExchange, kInMultiply, 1);
  EXPECT_THAT(Of({kExchange, kSmooth, kLoop, kMain}), All(kMarked));
}

TEST_F(CallPathsOf, AFunctionThatEndsByACallLeavesNoTrace) {
  Executes(kReduce, kInReduce, 1);
  Executes(kReduce, kInMultiply, 1);
  EXPECT_THAT(Of({kReduce, kLoop, kMain}), All(kInReduce)) << "smooth() has called it last";
}

TEST_F(CallPathsOf, RecursionStaysInItsPath) {
  Executes(kExchange, kInSmooth, 1);
  Executes(kExchange, kInMultiply, 1);
  EXPECT_THAT(Of({kExchange, kSmooth, kLoop, kSmooth, kLoop}), All(kInSmooth));
}

TEST_F(CallPathsOf, WhoIsInnermostAmongThoseThatAreKnownCalls) {
  Executes(kExchange, kInSmooth, 1);
  EXPECT_THAT(Of({kLibrary, kExchange, kSmooth, kLoop}), All(kInSmooth))
      << "a library that nobody executed as work";
}

TEST_F(CallPathsOf, CallsThatNobodyExecutedHaveNone) {
  EXPECT_THAT(Of({}), IsEmpty());
  EXPECT_THAT(Of({kExchange, kSmooth}), IsEmpty());
  Executes(kExchange, kInSmooth, 0);
  EXPECT_THAT(Of({kExchange, kSmooth}), IsEmpty());
}

}  // namespace
}  // namespace roofmark
