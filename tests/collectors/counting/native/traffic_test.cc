// SPDX-License-Identifier: BSD-3-Clause
//
// Modelled traffic beside that of the Valgrind engine: kernels whose arrays lie at the same
// addresses under both. What is left differs by the stack and by code around the region, some lines
// of each level; of several threads, also by the order in which they reach the shared level.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "tests/support/process.h"

namespace roofmark::test {
namespace {

struct How {
  std::string program = "v3", caches = "L1:48K:12,L2:512K:16,L3:4M:16", sample = "1";
  std::string threads = "1", times = "4";
};

JobProfile Count(const std::string& engine, const std::string& kernel, const How& how) {
  const TempDir directory;
  const std::string output = directory.File("run.json");
  const Ended ended = test::Run({ROOFMARK_GUESTS "/placed_" + how.program, kernel, how.times},
                                {{"ROOFMARK_COLLECTOR", "counting"},
                                 {"ROOFMARK_ENGINE", engine},
                                 {"ROOFMARK_COUNT", "cache"},
                                 {"ROOFMARK_CACHE", how.caches},
                                 {"ROOFMARK_SAMPLE", how.sample},
                                 {"ROOFMARK_OUTPUT", output},
                                 {"OMP_NUM_THREADS", how.threads},
                                 {"LD_BIND_NOW", "1"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  JobProfile job = ReadRoofline(output).job;
  const auto& facts = job.run.passes.at(0).facts;
  EXPECT_EQ(facts.count("incomplete"), 0u);
  EXPECT_EQ(facts.at("engine"), engine);
  EXPECT_EQ(facts.at("line_sampling"), how.sample);
  return job;
}

double Bytes(const JobProfile& job, MetricId id) {
  const int path = job.FindPath("counted");
  EXPECT_GE(path, 0);
  return path < 0 ? 0 : static_cast<double>(job.At(static_cast<size_t>(path), id).Sum());
}

// `part` of the traffic, and `lines` of those that are simulated, may differ.
void Compare(const JobProfile& one, const JobProfile& other, MetricId last, double part,
             double bytes) {
  EXPECT_GT(Bytes(other, metric::kL1ReadBytes), 64.0 * 10000);
  for (MetricId id = metric::kL1ReadBytes; id <= last; ++id) {
    const double expected = Bytes(other, id);
    EXPECT_NEAR(Bytes(one, id), expected, part * expected + bytes) << GetMetric(id).name;
  }
}

static_assert(metric::kL1ReadBytes < metric::kL2WriteBytes &&
              metric::kL2WriteBytes < metric::kL3WriteBytes &&
              metric::kL3WriteBytes < metric::kDramWriteBytes);
constexpr double kLine = 64;

class NativeTraffic : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(NativeTraffic, IsThatOfValgrind) {
  const auto& [kernel, sample] = GetParam();
  How how;
  how.sample = sample;
  // A line of the stack that is sampled stands for as many.
  const double part = how.sample == "1" ? 0.001 : 0.03;
  Compare(Count("native", kernel, how), Count("valgrind", kernel, how), metric::kDramWriteBytes,
          part, 40 * kLine * std::stod(how.sample));
}

INSTANTIATE_TEST_SUITE_P(Kernels, NativeTraffic,
                         testing::Combine(testing::Values("triad", "stencil", "spmv", "gemm",
                                                          "force"),
                                          testing::Values("1", "16")),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + "_" +
                                  std::get<1>(test.param);
                         });

// One thread is simulated in one order; its stack lies elsewhere each time.
TEST(NativeTrafficAlone, IsTheSameEachTime) {
  Compare(Count("native", "triad", {}), Count("native", "triad", {}), metric::kDramWriteBytes, 0,
          40 * kLine);
}

// The same lines, by masks and gathers.
TEST(NativeTrafficAlone, WideVectorsTouchTheSameLines) {
  if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "the CPU has no AVX-512";
  How wide;
  wide.program = "v4";
  for (const char* kernel : {"triad", "stencil", "spmv", "gemm", "force"}) {
    SCOPED_TRACE(kernel);
    Compare(Count("native", kernel, wide), Count("native", kernel, {}), metric::kDramWriteBytes,
            0.01, 40 * kLine);
  }
}

// Each thread's own levels are exact; so is the shared one where everything fits, and where nothing
// stays for longer than threads are ahead of each other. In between the order decides.
TEST(NativeTrafficAlone, OfTwoThreads) {
  How two;
  two.threads = "2";
  two.caches = "L1:48K:12,L2:512K:16,L3:64M:16";
  for (const char* kernel : {"triad", "stencil", "spmv", "gemm", "force"}) {
    SCOPED_TRACE(kernel);
    Compare(Count("native", kernel, two), Count("valgrind", kernel, two), metric::kDramReadBytes,
            0.002, 60 * kLine);
  }
  two.caches = "L1:48K:12,L2:256K:16,L3:512K:16";
  const JobProfile native = Count("native", "triad", two);
  Compare(native, Count("valgrind", "triad", two), metric::kDramWriteBytes, 0.01, 60 * kLine);
}

}  // namespace
}  // namespace roofmark::test
