// SPDX-License-Identifier: BSD-3-Clause
//
// Numerical libraries as installed: nobody can rebuild them, all of their code counts.
#include <gtest/gtest.h>

#include <sstream>

#include "tests/collectors/counting/valgrind/tool_run.h"

namespace roofmark {
namespace {

TEST(Libraries, BlasDgemm) {
#ifndef WITH_BLAS
  GTEST_SKIP() << "OpenBLAS with cblas.h was not found";
#endif
  constexpr double n = 192;
  ToolRun run = RunTool({}, {"library_work", "dgemm", "192"}, {"OPENBLAS_NUM_THREADS=1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  Counters c = run.OfPath(1);
  EXPECT_NEAR(static_cast<double>(Flops(c)) / (2 * n * n * n), 1, 0.005);
  EXPECT_EQ(Flops(c), Flops(c, ROOF_DP));
}

#ifdef WITH_FFTW
constexpr bool kHasFftw = true;
#else
constexpr bool kHasFftw = false;
#endif

// Each operation the planner counts does `lanes` of ours.
void CheckFft(const char* mode, const char* size, int width, double lanes) {
  ToolRun run = RunTool({}, {"library_work", mode, size});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  double add = 0, mul = 0, fma = 0;
  std::string word;
  std::istringstream(run.out) >> word >> add >> mul >> fma;
  Counters c = run.OfPath(1);
  if (width == ROOF_256 && Flops(c, ROOF_DP, ROOF_256) == 0) {  // a processor without AVX
    width = ROOF_128;
    lanes = 2;
  }
  EXPECT_EQ(Flops(c), Flops(c, ROOF_DP, width));
  double fused = static_cast<double>(Flops(c, -1, -1, ROOF_FMA)) / 2;
  double adds = static_cast<double>(Flops(c, -1, -1, ROOF_ADD)) + fused;
  double muls = static_cast<double>(Flops(c, -1, -1, ROOF_MUL)) + fused;
  EXPECT_EQ(adds, lanes * (add + fma)) << size;
  EXPECT_NEAR(muls / (lanes * (mul + fma)), 1, 0.12) << size;
}

TEST(Libraries, FftwScalarCodeletsAgreeWithItsPlanner) {
  if (!kHasFftw) GTEST_SKIP() << "FFTW was not found";
  for (const char* size : {"1024", "4096", "3000"}) CheckFft("fft_scalar", size, ROOF_SCALAR, 1);
}

// The planner rounds vector loops of odd length down, so not every size agrees exactly; this does.
TEST(Libraries, FftwVectorCodeletsAgreeWithItsPlanner) {
  if (!kHasFftw) GTEST_SKIP() << "FFTW was not found";
  CheckFft("fft", "65536", ROOF_256, 4);
}

// The mathematical library counts as executed. glibc 2.36: exp 20, log 19 operations a call.
TEST(Libraries, MathFunctionsCountAsExecuted) {
  for (const char* function : {"exp", "log"}) {
    ToolRun run = RunTool({}, {"library_work", function, "1000"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    double each = static_cast<double>(Flops(run.OfPath(1))) / 1000;
    EXPECT_GT(each, 10) << function;
    EXPECT_LT(each, 30) << function;
  }
}

}  // namespace
}  // namespace roofmark
