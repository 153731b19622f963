// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels' operational intensities under the counting collector with fixed caches, against the
// papers': Williams et al. 2008 (Table 2, section 6.3) and Yang et al. 2018 (Table I, section
// III-D). Sizes are smaller than theirs, working sets many times the last cache level.
//
// Most of what a job costs under Valgrind is the start of MPI: 2 s of CPU time, a tenth of that
// under the native engine. So but for one kernel they are counted by the native engine where it was
// built, and by both in the group `exhaustive`. How `slow` differs from variant to variant:
// cause_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/model/work.h"
#include "tests/benchmarks/kernels/counted.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Environment;
using testing::AllOf;
using testing::Ge;
using testing::Le;

struct Shape {
  int ranks = 1, threads = 2;
  std::string cache = "L1:32K:8,L2:256K:8,L3:1M:16";  // "": FLOPs alone
};

// The engine is the parameter.
class Kernels : public testing::TestWithParam<std::string> {
 protected:
  Counted Count(const std::string& kernel, std::vector<std::string> switches,
                const Shape& shape = {}, const std::string& region = "") {
    const test::Mpi& mpi = kCheapMpi;
    // One rank needs no launcher.
    std::vector<std::string> command;
    if (shape.ranks > 1) command = {mpi.launcher, "-n", std::to_string(shape.ranks)};
    command.push_back(std::string(KERNELS "/") + mpi.name + "/" + kernel);
    command.insert(command.end(), switches.begin(), switches.end());
    const std::string output = directory_.File("run.json");
    std::remove(output.c_str());
    Environment environment = {{"ROOFMARK_COLLECTOR", "counting"},
                               {"ROOFMARK_ENGINE", GetParam()},
                               {"ROOFMARK_OUTPUT", output},
                               {"OMP_NUM_THREADS", std::to_string(shape.threads)},
                               {"OMPI_MCA_hwloc_base_binding_policy", "none"}};
    if (shape.cache.empty()) {
      environment["ROOFMARK_COUNT"] = "flops";
    } else {
      environment["ROOFMARK_CACHE"] = shape.cache;
    }
    const test::Ended ended =
        test::Run(command, test::ForLaunchers(environment), directory_.path());
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out, testing::HasSubstr("result checked"));
    const JobProfile job = test::ReadRoofline(output).job;
    const int path = job.FindPath(region.empty() ? kernel : region);
    if (path < 0) {
      ADD_FAILURE() << "no region of that name";
      return {};
    }
    return Collect(job, static_cast<size_t>(path));
  }
  test::TempDir directory_;
};

std::string EngineOf(const testing::TestParamInfo<std::string>& given) { return given.param; }

class KernelsOnBoth : public Kernels {};

TEST_P(KernelsOnBoth, SpmvInCompressedRowsStaysNearItsOwnArithmetic) {
  const Counted csr = Count("spmv", {"--n", "8", "--iterations", "2", "--unknowns", "8"});
  EXPECT_THAT(csr.Intensity(), Within(0.1, csr.declared_flops / csr.declared_bytes));
  EXPECT_THAT(csr.Intensity(), AllOf(Le(2 / 12.), Ge(0.95 * 2 / 12.)));
  EXPECT_THAT(csr.flops, Within(1e-4, csr.declared_flops));
}

TEST_P(Kernels, SpmvInRegisterBlocksReachesAQuarter) {
  double before = 0;
  for (const char* size : {"2", "4", "8"}) {
    const Counted blocked = Count("spmv",
                                  {"--n", "8", "--iterations", "2", "--unknowns", "8", "--variant",
                                   "bcsr", "--rows", size, "--columns", size},
                                  {2, 2});
    EXPECT_GT(blocked.Intensity(), before) << size;
    EXPECT_THAT(blocked.Intensity(), AllOf(Ge(0.17), Le(0.25))) << size;
    EXPECT_THAT(blocked.flops, Within(1e-4, blocked.declared_flops));
    before = blocked.Intensity();
  }
  EXPECT_THAT(before, Within(0.05, 0.25));
}

TEST_P(Kernels, LbmhdWithAndWithoutWriteAllocation) {
  const Counted allocate = Count("lbmhd", {"--n", "32", "--iterations", "1"});
  EXPECT_THAT(allocate.Intensity(), Within(0.05, 0.70));
  EXPECT_THAT(allocate.dram_bytes, Within(0.02, allocate.declared_bytes));
  // The compiler shares some expressions.
  EXPECT_THAT(allocate.flops, Within(0.05, allocate.declared_flops));
  EXPECT_LT(allocate.scalar, 1e-3 * allocate.flops);
  const Counted nt = Count("lbmhd", {"--n", "32", "--iterations", "1", "--variant", "nt"});
  EXPECT_THAT(nt.Intensity(), Within(0.05, 1.07));
  EXPECT_THAT(nt.dram_bytes, Within(0.02, nt.declared_bytes));
}

// The paper's 256^3. Stores that go around the caches need whole lines, which rows do not begin
// and end with.
TEST_P(Kernels, StencilWithAndWithoutWriteAllocation) {
  const Shape shape = {1, 1, "L1:48K:12,L2:1M:16,L3:4M:16"};
  const Counted naive = Count("stencil", {"--iterations", "1"}, shape);
  EXPECT_THAT(naive.Intensity(), Within(0.05, 1 / 3.));
  EXPECT_THAT(naive.flops, Within(1e-4, naive.declared_flops));
  const Counted nt = Count("stencil", {"--iterations", "1", "--variant", "nt"}, shape);
  EXPECT_THAT(nt.Intensity(), Within(0.05, 0.5));
}

TEST_P(Kernels, StencilBlockedWherePlanesDoNotStayCached) {
  const Shape small = {1, 1, "L1:32K:8,L2:768K:12"};
  const Counted naive = Count("stencil", {"--n", "190", "--iterations", "1"}, small);
  // Three planes of 290 kB do not fit: each is fetched three times.
  EXPECT_THAT(naive.Intensity(), Within(0.05, 8 / 40.));
  const Counted blocked =
      Count("stencil", {"--n", "190", "--iterations", "1", "--variant", "blocked"}, small);
  EXPECT_THAT(blocked.Intensity(), Within(0.05, 1 / 3.));
}

// The paper counts 5 n log2 n FLOPs a line; FFTW needs fewer.
TEST_P(Kernels, FftDimensionByDimension) {
#ifndef WITH_FFT
  GTEST_SKIP() << "built without FFTW";
#endif
  const Counted passes = Count("fft", {"--n", "128", "--iterations", "1"});
  EXPECT_THAT(passes.Canonical(), Within(0.05, 1.09));
  EXPECT_THAT(passes.flops / passes.declared_flops, AllOf(Ge(0.6), Le(0.85)));
  const Counted planes = Count("fft", {"--n", "128", "--iterations", "1", "--variant", "planes"});
  EXPECT_THAT(planes.Canonical(), Within(0.05, 1.64));
  EXPECT_DOUBLE_EQ(planes.declared_flops, passes.declared_flops);
}

// A row of one array is half of this, and three are read in turn.
const Shape kGppShape = {1, 1, "L1:32K:8,L2:256K:8"};

class Gpp : public Kernels {
 protected:
  Counted CountGpp(const std::string& program, int frequencies, const std::string& variant,
                   const Shape& shape = {1, 1, ""}, int stride = 1) {
    return Count(program,
                 {"--n", "8192", "--iterations", "1", "--nw", std::to_string(frequencies),
                  "--variant", variant, "--stride", std::to_string(stride)},
                 shape, "gpp");
  }
  // Of what the division is executed as: FLOPs beside the variant that multiplies instead.
  double Gap(const std::string& program, int frequencies) {
    return CountGpp(program, frequencies, "divide").flops /
               CountGpp(program, frequencies, "multiply").flops -
           1;
  }
};

TEST_P(Gpp, FlopsAreLinearInTheFrequencies) {
  std::vector<double> flops;
  for (int nw = 1; nw <= 6; ++nw) flops.push_back(CountGpp("gpp", nw, "divide").flops);
  const double step = (flops[5] - flops[0]) / 5;
  EXPECT_GT(step, 0.5 * flops[0]);
  for (size_t i = 1; i < 6; ++i) {
    EXPECT_THAT(flops[i] - flops[i - 1], Within(1e-3, step)) << i;
  }
}

TEST_P(Gpp, WithoutFmaTheFlopsAreThoseOfTheSource) {
  for (const int nw : {1, 6}) {
    const Counted counted = CountGpp("gpp_nofma", nw, "divide");
    EXPECT_THAT(counted.flops, Within(1e-3, counted.declared_flops));
    EXPECT_EQ(counted.fma, 0);
    // With it, products that several sums share are computed again in each.
    const Counted fused = CountGpp("gpp", nw, "divide");
    EXPECT_GT(fused.fma, 0.5 * fused.flops);
    EXPECT_GT(fused.flops, counted.flops);
  }
}

// Table I on KNL: 14.6, 20.4 and 22.2 % for 1, 3 and 6 frequencies.
TEST_P(Gpp, ExpandedDivisionsCostMoreThanOneFlop) {
#ifndef WITH_MRECIP
  GTEST_SKIP() << "the compiler has no -mrecip";
#endif
  const double one = Gap("gpp_recip", 1), three = Gap("gpp_recip", 3), six = Gap("gpp_recip", 6);
  EXPECT_THAT(one, AllOf(Ge(0.10), Le(0.20)));
  EXPECT_GT(three, one);
  EXPECT_GT(six, three);
  EXPECT_LT(six, 0.35);
}

TEST_P(Gpp, DivisionsOfTheInstructionSetAreOneFlop) {
  EXPECT_EQ(Gap("gpp", 3), 0);
  EXPECT_EQ(Gap("gpp_sp", 3), 0);
  EXPECT_GT(CountGpp("gpp", 3, "divide").divisions, 0);
}

TEST_P(Gpp, StrideCostsIntensityUntilALineIsOneNumber) {
  const auto intensity = [&](int stride) {
    return CountGpp("gpp", 6, "divide", kGppShape, stride).Intensity();
  };
  const double unit = intensity(1);
  EXPECT_THAT(intensity(2), Within(0.1, unit / 2));
  EXPECT_THAT(intensity(4), Within(0.1, unit / 4));
  EXPECT_GE(intensity(8), 0.99 * unit / 4);
  EXPECT_GE(intensity(16), 0.99 * unit / 4);
}

TEST_P(Gpp, IntensityGrowsWithTheFrequencies) {
  const double one = CountGpp("gpp_nofma", 1, "divide", kGppShape).Intensity();
  const double six = CountGpp("gpp_nofma", 6, "divide", kGppShape).Intensity();
  EXPECT_THAT(one, Within(0.05, 26 / 48.));
  EXPECT_THAT(six, Within(0.05, 116 / 48.));
}

INSTANTIATE_TEST_SUITE_P(Engines, KernelsOnBoth, testing::ValuesIn(AllEngines()), EngineOf);
INSTANTIATE_TEST_SUITE_P(Engines, Kernels, testing::ValuesIn(Engines()), EngineOf);
INSTANTIATE_TEST_SUITE_P(Engines, Gpp, testing::ValuesIn(Engines()), EngineOf);

}  // namespace
}  // namespace roofmark
