// SPDX-License-Identifier: BSD-3-Clause
//
// What is modelled in bursts, beside the same modelled all the time. Each kernel does the same
// again and again, so that what it asks of each level is known from two short executions; how much
// of it is in bursts depends on how busy the machine is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/process.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;

constexpr MetricId kTraffic[] = {metric::kL1ReadBytes,   metric::kL1WriteBytes,
                                 metric::kL2ReadBytes,   metric::kL2WriteBytes,
                                 metric::kDramReadBytes, metric::kDramWriteBytes};

struct Kernel {
  const char* name;
  int times;  // half a second and more
};

// The last level is small: what is dirty there at the end is not extrapolated, and bursts soon turn
// it over.
struct How {
  std::string visits = "bursts", caches = "L1:16K:8,L2:64K:16,L3:256K:16", threads = "1";
  std::string latencies = "off", sample = "1";
};

JobProfile Count(const std::string& kernel, int times, const How& how = {}) {
  const TempDir directory;
  const std::string output = directory.File("run.json");
  const Ended ended = test::Run({ROOFMARK_GUESTS "/placed_v3", kernel, std::to_string(times)},
                                {{"ROOFMARK_COLLECTOR", "counting"},
                                 {"ROOFMARK_ENGINE", "native"},
                                 {"ROOFMARK_COUNT", "cache"},
                                 {"ROOFMARK_VISITS", how.visits},
                                 {"ROOFMARK_CACHE", how.caches},
                                 {"ROOFMARK_LATENCIES", how.latencies},
                                 {"ROOFMARK_SAMPLE", how.sample},
                                 {"ROOFMARK_OUTPUT", output},
                                 {"OMP_NUM_THREADS", how.threads},
                                 {"LD_BIND_NOW", "1"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  JobProfile job = ReadRoofline(output).job;
  EXPECT_EQ(job.run.passes.at(0).facts.count("incomplete"), 0u);
  return job;
}

double Counted(const JobProfile& job, MetricId id) {
  const int path = job.FindPath("counted");
  EXPECT_GE(path, 0);
  return path < 0 ? 0 : static_cast<double>(job.At(static_cast<size_t>(path), id).Sum());
}

// Of a kernel that is executed so often, all the time modelled.
class AllTheTime {
 public:
  AllTheTime(const std::string& kernel, How how) {
    how.visits = "all";
    few_ = Count(kernel, kFew, how);
    more_ = Count(kernel, 2 * kFew, how);
  }
  double Of(MetricId id, int times) const {
    const double few = Counted(few_, id), each = (Counted(more_, id) - few) / kFew;
    return few + (times - kFew) * each;
  }

 private:
  static constexpr int kFew = 20;
  JobProfile few_, more_;
};

class Bursts : public testing::TestWithParam<Kernel> {};

TEST_P(Bursts, CountWhatIsCountedAllTheTime) {
  const auto& [kernel, times] = GetParam();
  const AllTheTime expected(kernel, {});
  const JobProfile job = Count(kernel, times);
  EXPECT_THAT(job.run.passes.at(0).facts.at("sampled"), HasSubstr("in bursts"));
  for (MetricId id = 0; id <= metric::kStoreBytes; ++id) {
    const bool counted = id < kFlopClasses || id >= metric::kInstructions;
    if (!counted) continue;
    EXPECT_EQ(Counted(job, id), expected.Of(id, times)) << GetMetric(id).name;
  }
  // What is asked for seldom is little beside what is asked for in all.
  const double all = expected.Of(metric::kL1ReadBytes, times);
  for (const MetricId id : kTraffic) {
    const double bytes = expected.Of(id, times);
    EXPECT_NEAR(Counted(job, id), bytes, 0.05 * bytes + 0.005 * all) << GetMetric(id).name;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Bursts,
                         testing::Values(Kernel{"triad", 5000}, Kernel{"stencil", 4000},
                                         Kernel{"spmv", 1500}, Kernel{"gemm", 400},
                                         Kernel{"force", 800}),
                         [](const auto& test) { return std::string(test.param.name); });

// What the last level holds is read from memory once, not once in each burst.
TEST(BurstsAlone, DataThatFitAreReadOnce) {
  How how;
  how.caches = "L1:48K:12,L2:512K:16,L3:64M:16";
  constexpr double kArrays = 3 * 200'000 * 8;
  const JobProfile job = Count("triad", 5000, how);
  EXPECT_GT(Counted(job, metric::kL2ReadBytes), 1000 * kArrays);
  EXPECT_LT(Counted(job, metric::kDramReadBytes), 3 * kArrays);
}

TEST(BurstsAlone, OfTwoThreads) {
  How how;
  how.threads = "2";
  constexpr int kTimes = 4000;
  const AllTheTime expected("stencil", how);
  const JobProfile job = Count("stencil", kTimes, how);
  for (MetricId id = metric::kLoadInstructions; id <= metric::kStoreBytes; ++id) {
    EXPECT_EQ(Counted(job, id), expected.Of(id, kTimes)) << GetMetric(id).name;
  }
  for (const MetricId id : {metric::kL1ReadBytes, metric::kL2ReadBytes}) {
    const double bytes = expected.Of(id, kTimes);
    EXPECT_NEAR(Counted(job, id), bytes, 0.1 * bytes) << GetMetric(id).name;
  }
}

// One line in 16, as `roofmark run --auto` has it.
TEST(BurstsAlone, HaveWindowsOfDependences) {
  How how;
  how.latencies =
      "dp_add=3,dp_mul=5,dp_fma=4,dp_div=13,int=1,int_mul=3,load_l1=4,load_l2=14,load_l3=50,"
      "load_dram=300,load_vector=3,forward_vector=9,forward_general=2,width=6,window=320,misses=24";
  how.sample = "16";
  for (const auto& [kernel, times] : {Kernel{"spmv", 1500}, Kernel{"gemm", 400}}) {
    const double cycles = AllTheTime(kernel, how).Of(metric::kDependenceCycles, times);
    EXPECT_GT(cycles, 1e8);
    EXPECT_NEAR(Counted(Count(kernel, times, how), metric::kDependenceCycles), cycles, 0.1 * cycles)
        << kernel;
  }
}

}  // namespace
}  // namespace roofmark::test
