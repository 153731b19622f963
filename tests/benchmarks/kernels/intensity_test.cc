// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels' operational intensities under the counting collector with fixed caches, against the
// papers': Williams et al. 2008 (Table 2, section 6.3) and Yang et al. 2018 (Table I, section
// III-D). Sizes are smaller than theirs, working sets many times the last cache level.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/model/work.h"
#include "tests/mpi/launchers.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

using test::Environment;
using testing::AllOf;
using testing::DoubleNear;
using testing::Ge;
using testing::Le;

struct Shape {
  int ranks = 1, threads = 2;
  std::string cache = "L1:32K:8,L2:256K:8,L3:1M:16";  // "": FLOPs alone
};

// What one region did in one run.
struct Counted {
  double flops = 0, declared_flops = 0, declared_bytes = 0, dram_bytes = 0;
  double fma = 0, scalar = 0, divisions = 0, busiest_worker = 0;
  // DRAM intensity: of what was executed, of what the source says.
  double Intensity() const { return flops / dram_bytes; }
  double Canonical() const { return declared_flops / dram_bytes; }
};

double Sum(const JobProfile& job, size_t path, MetricId metric) {
  return MetricSum(job, path, metric).number.value_or(0);
}

Counted Collect(const JobProfile& job, size_t path) {
  Counted counted;
  counted.flops = TotalFlops(job, path).number.value_or(0);
  counted.dram_bytes = Traffic(job, path, MemoryLevel::kDram).number.value_or(0);
  counted.declared_flops = Sum(job, path, metric::kDeclaredFlops);
  counted.declared_bytes = Sum(job, path, metric::kDeclaredBytes);
  for (const Precision precision : {Precision::kDouble, Precision::kSingle}) {
    for (size_t width = 0; width < kWidths; ++width) {
      const auto of = [&](FlopKind kind) {
        return Sum(job, path, FlopMetric(precision, static_cast<Width>(width), kind));
      };
      counted.fma += of(FlopKind::kFma);
      counted.divisions += of(FlopKind::kDiv);
    }
    for (size_t kind = 0; kind < kFlopKinds; ++kind) {
      counted.scalar +=
          Sum(job, path, FlopMetric(precision, Width::kScalar, static_cast<FlopKind>(kind)));
    }
  }
  counted.busiest_worker = static_cast<double>(job.At(path, metric::kWorkerFlopsMax).max);
  return counted;
}

class Kernels : public testing::Test {
 protected:
  Counted Count(const std::string& kernel, std::vector<std::string> switches, Shape shape = {},
                const std::string& region = "") {
    const test::Mpi& mpi = test::kMpis[0];
    // One rank needs no launcher.
    std::vector<std::string> command;
    if (shape.ranks > 1) command = {mpi.launcher, "-n", std::to_string(shape.ranks)};
    command.push_back(std::string(KERNELS "/") + mpi.name + "/" + kernel);
    command.insert(command.end(), switches.begin(), switches.end());
    const std::string output = directory_.File("run.json");
    std::remove(output.c_str());
    Environment environment = {{"ROOFMARK_COLLECTOR", "counting"},
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

auto Within(double share, double value) { return DoubleNear(value, share * value); }

TEST_F(Kernels, SpmvInCompressedRowsStaysNearItsOwnArithmetic) {
  const Counted csr = Count("spmv", {"--n", "8", "--iterations", "2", "--unknowns", "8"});
  EXPECT_THAT(csr.Intensity(), Within(0.1, csr.declared_flops / csr.declared_bytes));
  EXPECT_THAT(csr.Intensity(), AllOf(Le(2 / 12.), Ge(0.95 * 2 / 12.)));
  EXPECT_THAT(csr.flops, Within(1e-4, csr.declared_flops));
}

TEST_F(Kernels, SpmvInRegisterBlocksReachesAQuarter) {
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

TEST_F(Kernels, LbmhdWithAndWithoutWriteAllocation) {
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
TEST_F(Kernels, StencilWithAndWithoutWriteAllocation) {
  const Shape shape = {1, 1, "L1:48K:12,L2:1M:16,L3:4M:16"};
  const Counted naive = Count("stencil", {"--iterations", "1"}, shape);
  EXPECT_THAT(naive.Intensity(), Within(0.05, 1 / 3.));
  EXPECT_THAT(naive.flops, Within(1e-4, naive.declared_flops));
  const Counted nt = Count("stencil", {"--iterations", "1", "--variant", "nt"}, shape);
  EXPECT_THAT(nt.Intensity(), Within(0.05, 0.5));
}

TEST_F(Kernels, StencilBlockedWherePlanesDoNotStayCached) {
  const Shape small = {1, 1, "L1:32K:8,L2:768K:12"};
  const Counted naive = Count("stencil", {"--n", "190", "--iterations", "1"}, small);
  // Three planes of 290 kB do not fit: each is fetched three times.
  EXPECT_THAT(naive.Intensity(), Within(0.05, 8 / 40.));
  const Counted blocked =
      Count("stencil", {"--n", "190", "--iterations", "1", "--variant", "blocked"}, small);
  EXPECT_THAT(blocked.Intensity(), Within(0.05, 1 / 3.));
}

// The paper counts 5 n log2 n FLOPs a line; FFTW needs fewer.
TEST_F(Kernels, FftDimensionByDimension) {
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

TEST_F(Gpp, FlopsAreLinearInTheFrequencies) {
  std::vector<double> flops;
  for (int nw = 1; nw <= 6; ++nw) flops.push_back(CountGpp("gpp", nw, "divide").flops);
  const double step = (flops[5] - flops[0]) / 5;
  EXPECT_GT(step, 0.5 * flops[0]);
  for (size_t i = 1; i < 6; ++i) {
    EXPECT_THAT(flops[i] - flops[i - 1], Within(1e-3, step)) << i;
  }
}

TEST_F(Gpp, WithoutFmaTheFlopsAreThoseOfTheSource) {
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
TEST_F(Gpp, ExpandedDivisionsCostMoreThanOneFlop) {
#ifndef WITH_MRECIP
  GTEST_SKIP() << "the compiler has no -mrecip";
#endif
  const double one = Gap("gpp_recip", 1), three = Gap("gpp_recip", 3), six = Gap("gpp_recip", 6);
  EXPECT_THAT(one, AllOf(Ge(0.10), Le(0.20)));
  EXPECT_GT(three, one);
  EXPECT_GT(six, three);
  EXPECT_LT(six, 0.35);
}

TEST_F(Gpp, DivisionsOfTheInstructionSetAreOneFlop) {
  EXPECT_EQ(Gap("gpp", 3), 0);
  EXPECT_EQ(Gap("gpp_sp", 3), 0);
  EXPECT_GT(CountGpp("gpp", 3, "divide").divisions, 0);
}

TEST_F(Gpp, StrideCostsIntensityUntilALineIsOneNumber) {
  const auto intensity = [&](int stride) {
    return CountGpp("gpp", 6, "divide", kGppShape, stride).Intensity();
  };
  const double unit = intensity(1);
  EXPECT_THAT(intensity(2), Within(0.1, unit / 2));
  EXPECT_THAT(intensity(4), Within(0.1, unit / 4));
  EXPECT_GE(intensity(8), 0.99 * unit / 4);
  EXPECT_GE(intensity(16), 0.99 * unit / 4);
}

TEST_F(Gpp, IntensityGrowsWithTheFrequencies) {
  const double one = CountGpp("gpp_nofma", 1, "divide", kGppShape).Intensity();
  const double six = CountGpp("gpp_nofma", 6, "divide", kGppShape).Intensity();
  EXPECT_THAT(one, Within(0.05, 26 / 48.));
  EXPECT_THAT(six, Within(0.05, 116 / 48.));
}

class Slow : public Kernels {
 protected:
  Counted CountSlow(const std::string& variant, const Shape& shape = {1, 2, ""}) {
    return Count("slow", {"--n", "512", "--iterations", "1", "--variant", variant}, shape);
  }
};

TEST_F(Slow, EachWayOfComputingDiffersInOneRespect) {
  const Counted good = CountSlow("compute");
  EXPECT_GT(good.fma, 0.999 * good.flops);
  EXPECT_LT(good.scalar, 1e-3 * good.flops);
  EXPECT_THAT(good.busiest_worker, Within(0.05, good.flops / 2));

  const Counted scalar = CountSlow("scalar");
  EXPECT_GT(scalar.scalar, 0.999 * scalar.flops);
  EXPECT_GT(scalar.fma, 0.999 * scalar.flops);

  const Counted unfused = CountSlow("no-fma");
  EXPECT_EQ(unfused.fma, 0);
  EXPECT_LT(unfused.scalar, 1e-3 * unfused.flops);

  const Counted divides = CountSlow("divides");
  EXPECT_THAT(divides.divisions, Within(1e-3, divides.flops / 5));
  EXPECT_LT(divides.scalar, 1e-3 * divides.flops);

  for (const Counted& other : {scalar, unfused}) {
    EXPECT_THAT(other.flops, Within(1e-3, good.flops));
    EXPECT_THAT(other.busiest_worker, Within(0.05, good.flops / 2));
  }
}

TEST_F(Slow, OneThreadAndOneRankDoAll) {
  const Shape two_ranks = {2, 2, ""};
  const Counted thread = CountSlow("one-thread", two_ranks);
  const Counted rank = CountSlow("one-rank", two_ranks);
  EXPECT_THAT(thread.busiest_worker, Within(1e-3, thread.flops / 2));
  EXPECT_THAT(rank.busiest_worker, Within(0.05, rank.flops / 2));
  EXPECT_THAT(rank.flops, Within(1e-3, thread.flops));
  EXPECT_GT(thread.fma, 0.999 * thread.flops);
}

TEST_F(Slow, EachWayOfMovingMovesAsMuchAsItSays) {
  for (const char* variant : {"memory", "write-allocate", "spread", "conflict"}) {
    const Counted counted = CountSlow(variant, Shape());
    EXPECT_THAT(counted.dram_bytes, Within(0.05, counted.declared_bytes)) << variant;
    EXPECT_LT(counted.scalar, 1e-3 * counted.flops) << variant;
  }
}

}  // namespace
}  // namespace roofmark
