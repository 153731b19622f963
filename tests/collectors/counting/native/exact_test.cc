// SPDX-License-Identifier: BSD-3-Clause
//
// Marked kernels whose FLOPs have a closed form, each built four ways, one of them for AVX-512; and
// all counts of one build beside those of the Valgrind engine.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <tuple>

#include "tests/support/process.h"

namespace roofmark::test {
namespace {

struct Work {
  const char* kernel;
  uint64_t size, flops;
  bool vectorises;  // at full width but for a remainder; else half of it
};

// Names the test.
void PrintTo(const Work& work, std::ostream* out) { *out << work.kernel; }

// 1001 = 125 x 8 + 1 and 62 x 16 + 9; the stencil's inner extent and the matrix' are 32 + 1.
// Valgrind's processor has no AVX-512, so libc would choose other code.
constexpr char kSameLibc[] =
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512CD,-AVX512DQ,-RTM,-Prefer_No_VZEROUPPER,-"
    "ERMS,-FSRM";
constexpr uint64_t kN = 1001, kMatrix = 33, kPoints = 33 * 33 * 33;
constexpr Work kWork[] = {{"triad", kN, 2 * kN, true},
                          {"dot", kN, 2 * kN, false},
                          {"gemm", kMatrix, 2 * kPoints, true},
                          {"stencil", 35, 8 * kPoints, true},
                          {"divide", kN, kN, true},
                          {"roots", kN, kN, true}};

// 0 where the file has none.
uint64_t Counted(const JobProfile& job, MetricId id) {
  const int path = job.FindPath("counted");
  EXPECT_GE(path, 0);
  return path < 0 ? 0 : static_cast<uint64_t>(job.At(static_cast<size_t>(path), id).Sum());
}

uint64_t Flops(const JobProfile& job, Precision precision, Width width) {
  uint64_t flops = 0;
  for (const FlopKind kind :
       {FlopKind::kAdd, FlopKind::kMul, FlopKind::kFma, FlopKind::kDiv, FlopKind::kSqrt}) {
    flops += Counted(job, FlopMetric(precision, width, kind));
  }
  return flops;
}

uint64_t Flops(const JobProfile& job, Precision precision) {
  uint64_t flops = 0;
  for (const Width width : {Width::kScalar, Width::k128, Width::k256, Width::k512}) {
    flops += Flops(job, precision, width);
  }
  return flops;
}

JobProfile Count(const std::string& engine, const std::string& program, const Work& work) {
  const TempDir directory;
  const std::string output = directory.File("run.json");
  const Ended ended = test::Run(
      {ROOFMARK_GUESTS "/marked_exact_" + program, work.kernel, std::to_string(work.size)},
      {{"ROOFMARK_COLLECTOR", "counting"},
       {"ROOFMARK_ENGINE", engine},
       {"ROOFMARK_COUNT", "flops"},
       {"ROOFMARK_OUTPUT", output},
       {"GLIBC_TUNABLES", kSameLibc},
       {"LD_BIND_NOW", "1"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  JobProfile job = ReadRoofline(output).job;
  EXPECT_EQ(job.run.passes.at(0).facts.count("incomplete"), 0u);
  EXPECT_EQ(job.run.passes.at(0).facts.at("engine"), engine);
  return job;
}

class NativeExact : public testing::TestWithParam<std::tuple<Work, const char*, const char*>> {};

TEST_P(NativeExact, FlopsAreThoseThatAreKnown) {
  const auto& [work, real, build] = GetParam();
  const bool v4 = std::string(build) == "v4";
  if (v4 && !__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "the CPU has no AVX-512";
  const bool is_double = std::string(real) == "double";
  const JobProfile job = Count("native", std::string(build) + "_" + real, work);
  const Precision precision = is_double ? Precision::kDouble : Precision::kSingle;
  EXPECT_EQ(Flops(job, precision), work.flops);
  EXPECT_EQ(Flops(job, is_double ? Precision::kSingle : Precision::kDouble), 0u);
  const uint64_t wide = Flops(job, precision, Width::k512);
  if (!v4) {
    EXPECT_EQ(wide, 0u);
    return;
  }
  EXPECT_GE(static_cast<double>(wide),
            (work.vectorises ? 0.96 : 0.49) * static_cast<double>(work.flops));
}

INSTANTIATE_TEST_SUITE_P(Kernels, NativeExact,
                         testing::Combine(testing::ValuesIn(kWork),
                                          testing::Values("double", "float"),
                                          testing::Values("O2", "O3", "v3", "v4")),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).kernel) + "_" +
                                  std::get<1>(test.param) + "_" + std::get<2>(test.param);
                         });

TEST(NativeExact, EveryCountIsThatOfValgrind) {
  for (const Work& work : kWork) {
    const JobProfile native = Count("native", "v3_double", work);
    const JobProfile other = Count("valgrind", "v3_double", work);
    EXPECT_GT(Counted(native, metric::kInstructions), work.flops / 8);
    for (MetricId id = 0; id <= metric::kNtStoreBytes; ++id) {
      const bool counted = id < kFlopClasses || id >= metric::kInstructions;
      if (!counted) continue;
      EXPECT_EQ(Counted(native, id), Counted(other, id))
          << work.kernel << ": " << GetMetric(id).name;
    }
  }
}

}  // namespace
}  // namespace roofmark::test
