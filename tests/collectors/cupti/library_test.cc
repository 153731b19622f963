// SPDX-License-Identifier: BSD-3-Clause
//
// The whole way: markers of a program, CUPTI, roofline file.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>

#include "lib/core/messages/command_run.h"
#include "tests/support/recording.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::HasSubstr;

constexpr size_t kAdd = static_cast<size_t>(DeviceMetric::kDpAdd);

class CuptiLibrary : public Recording {
 protected:
  // `roofmark run --collector cupti` of it.
  JobProfile RunAll(const std::vector<std::string>& program, Environment environment,
                    const std::vector<std::string>& options = {}) {
    std::vector<std::string> command = {ROOFMARK,      "run",   "--no-machine", "--no-report",
                                        "--collector", "cupti", "-o",           output_};
    command.insert(command.end(), options.begin(), options.end());
    command.push_back("--");
    command.insert(command.end(), program.begin(), program.end());
    environment["XDG_CACHE_HOME"] = directory_.path();
    ended_ = test::Run(command, environment, directory_.path(), /*seconds=*/300);
    EXPECT_EQ(ended_.status, 0) << ended_.err;
    return ReadRoofline(output_).job;
  }
};

std::optional<uint64_t> OfInner(const JobProfile& job, DeviceMetric metric) {
  const DeviceInfo& device = job.run.devices[0];
  const DeviceRow* row = FindRow(device, "outer/inner");
  return row == nullptr ? std::nullopt : ValueOf(device, *row, metric);
}

TEST_F(CuptiLibrary, RegionsHaveWhatTheirKernelsDid) {
  const JobProfile job =
      RunAndRead({LAUNCHING}, {{"ROOFMARK_COLLECTOR", "cupti"}, {"LD_LIBRARY_PATH", STAND_IN}});
  ASSERT_EQ(job.run.devices.size(), 1u) << ended_.err;
  const DeviceInfo& device = job.run.devices[0];
  EXPECT_EQ(device.chip, "GH100");
  ASSERT_EQ(device.rows.size(), 2u);
  EXPECT_EQ(device.rows[0].path, "outer");
  EXPECT_EQ(device.rows[0].values[kAdd], 42u);
  EXPECT_EQ(device.rows[1].path, "outer/inner");
  EXPECT_EQ(ValueOf(device, device.rows[1], DeviceMetric::kDpAdd), 12u);
  EXPECT_EQ(ValueOf(device, device.rows[1], DeviceMetric::kDramReadBytes), std::nullopt);
  // Nothing of it is the host's, and times are not the program's.
  EXPECT_FALSE(HasValue(job.sources[metric::kFlops].status));
  EXPECT_FALSE(HasValue(job.sources[metric::kWorkerFlopsMax].status));
  EXPECT_FALSE(job.run.passes[0].times_are_real);
  EXPECT_EQ(job.run.passes[0].collector, "cupti");
}

// As if nothing had been asked for: no collector is told of boundaries, and times are valid.
TEST_F(CuptiLibrary, WithoutADriverTheProgramIsTimedAndTheReasonStandsInTheFile) {
  const JobProfile job = RunAndRead({LAUNCHING}, {{"ROOFMARK_COLLECTOR", "cupti"}});
  EXPECT_THAT(ended_.err, HasSubstr("ROOFMARK_COLLECTOR=cupti: there is no driver"));
  EXPECT_TRUE(job.run.devices.empty());
  EXPECT_TRUE(job.run.passes[0].times_are_real);
  EXPECT_EQ(job.run.passes[0].collector, "timer");
  EXPECT_THAT(job.run.passes[0].facts.at(kNoCountersFact), HasSubstr("no driver"));
  EXPECT_EQ(Value(job, "outer/inner", metric::kVisits), 3u);
}

// Libraries of the right names, and not of the right content: the C library stands in for them.
TEST_F(CuptiLibrary, LibrariesThatAreTooOldAreNamedWithWhatTheyLack) {
  Dl_info libc;
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(&std::puts), &libc), 0);
  const std::string good = std::string(STAND_IN) + "/libcupti.so.13";
  for (const bool old_driver : {false, true}) {
    const std::string folder = directory_.File(old_driver ? "driver" : "cupti");
    std::filesystem::create_directory(folder);
    std::filesystem::create_symlink(old_driver ? libc.dli_fname : good, folder + "/libcuda.so.1");
    std::filesystem::create_symlink(old_driver ? good : libc.dli_fname, folder + "/libcupti.so.13");
    RunAndRead({LAUNCHING, "without"},
               {{"ROOFMARK_COLLECTOR", "cupti"}, {"LD_LIBRARY_PATH", folder + ":" + STAND_IN}});
    EXPECT_THAT(ended_.err, HasSubstr(old_driver ? "the driver's libcuda.so.1 has no cu"
                                                 : "it is older than that of CUDA 12.6"));
    std::filesystem::remove(output_);
  }
}

TEST_F(CuptiLibrary, RunJoinsTimesKernelsAndTraffic) {
  const JobProfile job = RunAll({LAUNCHING}, {{"LD_LIBRARY_PATH", STAND_IN}});
  ASSERT_EQ(job.run.devices.size(), 1u) << ended_.err;
  EXPECT_EQ(OfInner(job, DeviceMetric::kKernels), 9u);
  EXPECT_EQ(OfInner(job, DeviceMetric::kKernelNs), 9000u);
  EXPECT_EQ(OfInner(job, DeviceMetric::kToDeviceBytes), 3u * 4096);
  EXPECT_EQ(OfInner(job, DeviceMetric::kDpAdd), 12u);
  EXPECT_EQ(OfInner(job, DeviceMetric::kDramReadBytes), 300u);
  EXPECT_EQ(OfInner(job, DeviceMetric::kPcieReceivedBytes), 3u * 512);
  ASSERT_EQ(job.run.passes.size(), 5u);
  EXPECT_TRUE(job.run.passes[0].times_are_real);
  EXPECT_NE(job.run.passes[0].collector, "cupti") << "times are of an execution without it";
  for (size_t pass = 1; pass < 5; ++pass) {
    EXPECT_EQ(job.run.passes[pass].collector, "cupti");
    EXPECT_FALSE(job.run.passes[pass].times_are_real);
  }
  EXPECT_EQ(Value(job, "outer/inner", metric::kVisits), 3u);
  EXPECT_TRUE(HasValue(job.sources[metric::kTimeNs].status));
  EXPECT_THAT(ended_.err, testing::Not(HasSubstr("work pass")));
}

TEST_F(CuptiLibrary, RunEndsWhereThereIsNothingToCount) {
  JobProfile job = RunAll({LAUNCHING}, {});
  EXPECT_EQ(job.run.passes.size(), 1u);
  EXPECT_THAT(ended_.err, test::Says(message::kNothingCountedOnGpus, testing::_));
  EXPECT_THAT(job.run.warnings,
              testing::Contains(test::Says(message::kNothingCountedOnGpus, testing::_)));
  output_ = directory_.File("other.json");
  job = RunAll({LAUNCHING, "without"}, {{"LD_LIBRARY_PATH", STAND_IN}});
  EXPECT_EQ(job.run.passes.size(), 1u);
  EXPECT_THAT(ended_.err, test::Says(message::kNothingCountedOnGpus, "the program used none"));
}

// Without any marker of roofmark.
TEST_F(CuptiLibrary, RangesOfNvtxHaveWhatTheirKernelsDid) {
  const JobProfile job = RunAll({ANNOTATED}, {{"LD_LIBRARY_PATH", STAND_IN}}, {"--adapters=nvtx"});
  ASSERT_EQ(job.run.devices.size(), 1u) << ended_.err;
  const DeviceInfo& device = job.run.devices[0];
  ASSERT_EQ(device.rows.size(), 2u);
  EXPECT_EQ(ValueOf(device, device.rows[0], DeviceMetric::kDpAdd), 42u) << device.rows[0].path;
  EXPECT_EQ(OfInner(job, DeviceMetric::kDpAdd), 12u);
  EXPECT_EQ(OfInner(job, DeviceMetric::kKernels), 6u);
  EXPECT_EQ(OfInner(job, DeviceMetric::kToDeviceBytes), 3u * 4096);
  EXPECT_EQ(OfInner(job, DeviceMetric::kDramReadBytes), 300u);
  EXPECT_EQ(Value(job, "outer/inner", metric::kVisits), 3u);
  EXPECT_EQ(job.paths[0].kind, RegionKind::kTeam);
}

TEST_F(CuptiLibrary, RunSaysThatGpusAreHidden) {
  const JobProfile job =
      RunAll({LAUNCHING, "without"}, {{"LD_LIBRARY_PATH", STAND_IN}, {"CUDA_VISIBLE_DEVICES", ""}});
  EXPECT_THAT(ended_.err, test::Says(message::kNothingCountedOnGpus,
                                     "the program used none; CUDA_VISIBLE_DEVICES hides every GPU "
                                     "from the program: unset CUDA_VISIBLE_DEVICES"));
  EXPECT_THAT(job.run.warnings, testing::Contains(HasSubstr("hides every GPU")));
}

TEST_F(CuptiLibrary, AutoNeverAsksGpus) {
  const JobProfile job =
      RunAndRead({LAUNCHING}, {{"ROOFMARK", "on"}, {"LD_LIBRARY_PATH", STAND_IN}});
  EXPECT_TRUE(job.run.devices.empty());
}

}  // namespace
}  // namespace roofmark::test
