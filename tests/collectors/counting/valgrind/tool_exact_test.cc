// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels whose FLOPs have a closed form, each built three ways. -O2 of GCC 12 vectorises no loop
// of unknown length, -O3 does with SSE2, -march=x86-64-v3 with AVX2 and contracts a*b+c to FMA.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/collectors/counting/valgrind/tool_run.h"
#include "tests/support/pairs.h"

namespace roofmark {
namespace {

// Additions, multiplications ... of one kernel before contraction, and how many pairs FMA fuses.
struct Work {
  const char* kernel;
  long size;
  uint64_t add, mul, div, sqrt, fused;
  bool vectorises;     // the loop runs at full width
  bool fuses_scalars;  // dot: products at full width, sums in order, so that FMA fuses nothing
};

// Names the test.
void PrintTo(const Work& work, std::ostream* out) { *out << work.kernel; }

// 1001 = 250 x 4 + 1 and 125 x 8 + 1; the stencil's inner extent and the matrix' are 32 + 1.
constexpr uint64_t kN = 1001, kMatrix = 33, kPoints = 33 * 33 * 33;
constexpr Work kWork[] = {
    {"triad", kN, kN, kN, 0, 0, kN, true, false},
    {"dot", kN, kN, kN, 0, 0, 0, false, true},
    {"gemm", kMatrix, kPoints, kPoints, 0, 0, kPoints, true, false},
    {"stencil", 35, 6 * kPoints, 2 * kPoints, 0, 0, kPoints, true, false},
    {"divide", kN, 0, 0, kN, 0, 0, true, false},
    {"roots", kN, 0, 0, 0, kN, 0, true, false},
};

class Exact : public testing::TestWithParam<std::tuple<Work, const char*, const char*>> {
 protected:
  void Check(const Counters& c, const Work& work, int precision, bool fma) {
    EXPECT_EQ(Flops(c, precision), Flops(c)) << "another precision was counted";
    EXPECT_EQ(Flops(c), work.add + work.mul + work.div + work.sqrt);
    EXPECT_EQ(Flops(c, -1, -1, ROOF_DIV), work.div);
    EXPECT_EQ(Flops(c, -1, -1, ROOF_SQRT), work.sqrt);
    if (!fma) {
      EXPECT_EQ(Flops(c, -1, -1, ROOF_ADD), work.add);
      EXPECT_EQ(Flops(c, -1, -1, ROOF_MUL), work.mul);
    } else if (!work.fuses_scalars) {
      EXPECT_EQ(Flops(c, -1, -1, ROOF_FMA), 2 * work.fused);
      EXPECT_EQ(Flops(c, -1, -1, ROOF_ADD), work.add - work.fused);
      EXPECT_EQ(Flops(c, -1, -1, ROOF_MUL), work.mul - work.fused);
    }
  }
};

TEST_P(Exact, FlopsByPrecisionWidthAndKind) {
  const auto& [work, real, build] = GetParam();
  ToolRun run = RunTool(
      {}, {std::string("exact_") + build + "_" + real, work.kernel, std::to_string(work.size)});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const Counters c = run.At(1, 1);
  bool v3 = std::string(build) == "v3", o2 = std::string(build) == "O2";
  Check(c, work, std::string(real) == "double" ? ROOF_DP : ROOF_SP, v3);
  // At most one iteration in 33 is left over; dot vectorises its products alone.
  int width = v3 ? ROOF_256 : o2 ? ROOF_SCALAR : ROOF_128;
  double share = o2 ? 1 : work.vectorises ? 32.0 / 33 : 0.49;
  EXPECT_GE(static_cast<double>(Flops(c, -1, width)), share * static_cast<double>(Flops(c)));
  if (!v3) {
    EXPECT_EQ(Flops(c, -1, ROOF_256), 0u);
  }
  if (o2) {
    EXPECT_EQ(Flops(c, -1, ROOF_128), 0u);
  }
  EXPECT_EQ(Flops(c, -1, ROOF_512), 0u);
  EXPECT_EQ(Flops(run.At(1, 0)), 0u) << "work outside the region";
}

INSTANTIATE_TEST_SUITE_P(Kernels, Exact,
                         testing::ValuesIn(test::Pairs(test::Factor(kWork),
                                                       std::vector{"double", "float"},
                                                       std::vector{"O2", "O3", "v3"})),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).kernel) + "_" +
                                  std::get<1>(test.param) + "_" + std::get<2>(test.param);
                         });

}  // namespace
}  // namespace roofmark
