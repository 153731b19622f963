// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "collectors/cupti/session.h"
#include "lib/core/device_facts.h"
#include "tests/collectors/cupti/fixture.h"

namespace roofmark {
namespace {

using stand_in::kAdd;
using stand_in::kFma;
using stand_in::kRead;
using stand_in::Script;
using test::Cupti;
using test::Value;
using testing::HasSubstr;

TEST_F(Cupti, KernelsBelongToThePathInWhichTheyWereLaunched) {
  Open();
  const auto context = stand_in::CreateContext(0);
  stand_in::Launch(context, kAdd, 1000);  // in no region
  Enter(1);
  stand_in::Launch(context, kAdd, 10);
  Enter(2);
  stand_in::Launch(context, kFma, 7);
  Enter(1);
  stand_in::Launch(context, kAdd, 5);
  Enter(0);
  stand_in::Launch(context, kAdd, 1000);
  auto devices = Harvest();
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].chip, "GH100");
  EXPECT_EQ(devices[0].name, "GPU number 0");
  EXPECT_EQ(devices[0].properties, (DeviceProperties{1075, 1076, 1016, 1013, 1036, 1037}));
  EXPECT_EQ(devices[0].uuid, "GPU-a0a0a0a0-a0a0-a0a0-a0a0-a0a0a0a0a0a0");
  ASSERT_EQ(devices[0].paths.size(), 2u);
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kDpAdd), 15u);
  EXPECT_EQ(devices[0].paths[1].ranges, 2u);
  EXPECT_EQ(Value(devices[0].paths[2], DeviceMetric::kDpFma), 14u) << "two FLOPs each";
  EXPECT_EQ(Value(devices[0].paths[2], DeviceMetric::kDpAdd), 0u);
  EXPECT_EQ(devices[0].missing[0], "");
  EXPECT_THAT(devices[0].missing[static_cast<size_t>(DeviceMetric::kDramReadBytes)],
              HasSubstr("ROOFMARK_GROUP=mem"));
}

TEST_F(Cupti, AContextThatIsMadeInARegionCountsFromThere) {
  Open();
  Enter(3);
  const auto context = stand_in::CreateContext(0);
  stand_in::Launch(context, kAdd, 4);
  auto devices = Harvest();  // the region is open still
  EXPECT_EQ(Value(devices[0].paths[3], DeviceMetric::kDpAdd), 4u);
  EXPECT_EQ(devices[0].paths[3].lost, 0u);
}

// A thread that makes a context while another one is at a boundary does not wait for it: what the
// context executes in that region is lost, and known to be.
TEST_F(Cupti, AContextThatIsMadeAtABoundaryCountsFromTheNextOne) {
  cupti::Context second = nullptr;
  Script script;
  script.meanwhile = [&] { second = stand_in::CreateContext(0); };
  Open(script);
  stand_in::CreateContext(0);
  Enter(1);
  ASSERT_NE(second, nullptr);
  stand_in::Launch(second, kAdd, 1000);
  Enter(2);
  stand_in::Launch(second, kAdd, 4);
  Enter(0);
  auto devices = Harvest();
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kDpAdd), 0u);
  EXPECT_EQ(devices[0].paths[1].lost, 1u);
  EXPECT_EQ(Value(devices[0].paths[2], DeviceMetric::kDpAdd), 4u);
  EXPECT_EQ(devices[0].paths[2].lost, 0u);
}

TEST_F(Cupti, AContextThatGoesAtABoundaryTakesItsCountsAlong) {
  LoseContextAtABoundary("auto");
  EXPECT_EQ(stand_in::Open(), 1) << "the subscription alone: what was made for it is given back";
  Enter(0);
  EXPECT_THAT(Harvest()[0].missing[0], HasSubstr("was destroyed by a thread at a boundary"));
}

TEST_F(Cupti, TheGroupOfMemoryCountsBytes) {
  Open({}, "mem");
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, kRead, 4096);
  stand_in::Launch(context, kAdd, 10);
  auto devices = Harvest();
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kDramReadBytes), 4096u);
  EXPECT_NE(devices[0].missing[static_cast<size_t>(DeviceMetric::kDpAdd)], "");
}

TEST_F(Cupti, WhatKernelsLackIsCountedWithWhatTheyDo) {
  Open();
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, "sm__sass_inst_executed.sum", 10);
  stand_in::Launch(context, "sm__sass_thread_inst_executed.sum", 80);
  stand_in::Launch(context, "sm__sass_sectors_mem_global.sum", 7);
  stand_in::Launch(context, "sm__sass_inst_executed_op_shared.sum", 3);
  stand_in::Launch(context, "sm__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 9);
  auto devices = Harvest();
  const counts::DeviceSums& sums = devices[0].paths[1];
  EXPECT_EQ(Value(sums, DeviceMetric::kWarpInstructions), 10u);
  EXPECT_EQ(Value(sums, DeviceMetric::kThreadInstructions), 80u);
  EXPECT_EQ(Value(sums, DeviceMetric::kGlobalSectors), 7u);
  EXPECT_EQ(Value(sums, DeviceMetric::kSharedInstructions), 3u);
  EXPECT_EQ(Value(sums, DeviceMetric::kSharedWavefronts), 9u);
}

// The chip knows one of the two names under which these instructions are counted.
TEST_F(Cupti, TensorCoresAreCountedInDoublePrecision) {
  stand_in::Script script;
  script.unknown = {"sm__inst_executed_pipe_tensor_op_dmma.sum"};
  Open(script, "mem");
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, "sm__inst_executed_pipe_tensor.sum", 5);
  stand_in::Launch(context, "sm__inst_executed_pipe_tensor_subpipe_dmma.sum", 4);
  stand_in::Launch(context, "sm__ops_path_tensor_src_fp64.sum", 2048);
  auto devices = Harvest();
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kTensor), 5u);
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kTensorDp), 4u);
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kTensorDpFlops), 2048u);
}

// Each visit has a busiest multiprocessor of its own: the longest times add up.
TEST_F(Cupti, CyclesOfMultiprocessorsAreCountedWithTraffic) {
  Open({}, "mem");
  const auto context = stand_in::CreateContext(0);
  for (const uint64_t busiest : {40, 60}) {
    Enter(1);
    stand_in::Launch(context, "sm__cycles_active.max", busiest);
    stand_in::Launch(context, "sm__cycles_active.sum", 100);
    stand_in::Launch(context, "sm__warps_active.sum", 800);
    stand_in::Launch(context, "lts__t_tag_requests.sum", 20);
    stand_in::Launch(context, "lts__t_tag_requests_miss.sum", 5);
    Enter(0);
  }
  auto devices = Harvest();
  const counts::DeviceSums& sums = devices[0].paths[1];
  EXPECT_EQ(Value(sums, DeviceMetric::kSmCyclesMax), 100u);
  EXPECT_EQ(Value(sums, DeviceMetric::kSmCycles), 200u);
  EXPECT_EQ(Value(sums, DeviceMetric::kWarpCycles), 1600u);
  EXPECT_EQ(Value(sums, DeviceMetric::kL2Lookups), 40u);
  EXPECT_EQ(Value(sums, DeviceMetric::kL2Misses), 10u);
}

TEST_F(Cupti, TheGroupOfLinksCountsBytesOverPcieAndNvlink) {
  Open({}, "links");
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, stand_in::kOverPcie, 512);
  stand_in::Launch(context, "pcie__write_bytes.sum", 1024);
  stand_in::Launch(context, stand_in::kOverNvlink, 16);
  stand_in::Launch(context, "nvltx__bytes_data_user.sum", 32);
  stand_in::Launch(context, "ctc__rx_bytes_data_user.sum", 2048);
  stand_in::Launch(context, "ctc__tx_bytes_data_user.sum", 4096);
  auto devices = Harvest();
  const counts::DeviceSums& sums = devices[0].paths[1];
  EXPECT_EQ(Value(sums, DeviceMetric::kPcieReceivedBytes), 512u);
  EXPECT_EQ(Value(sums, DeviceMetric::kPcieSentBytes), 1024u);
  EXPECT_EQ(Value(sums, DeviceMetric::kNvlinkReceivedBytes), 16u);
  EXPECT_EQ(Value(sums, DeviceMetric::kNvlinkSentBytes), 32u);
  EXPECT_EQ(Value(sums, DeviceMetric::kC2cReceivedBytes), 2048u);
  EXPECT_EQ(Value(sums, DeviceMetric::kC2cSentBytes), 4096u);
  EXPECT_THAT(devices[0].missing[static_cast<size_t>(DeviceMetric::kL2Bytes)],
              HasSubstr("ROOFMARK_GROUP=mem"));
}

TEST_F(Cupti, LinksThatTheChipLacksAreMissingWithTheirNames) {
  Script script;
  script.unknown = {stand_in::kOverNvlink, "nvltx__bytes_data_user.sum"};
  Open(script, "links");
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, stand_in::kOverPcie, 512);
  auto devices = Harvest();
  EXPECT_EQ(devices[0].missing[static_cast<size_t>(DeviceMetric::kNvlinkReceivedBytes)],
            "CUPTI does not know nvlrx__bytes_data_user.sum of GH100");
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kPcieReceivedBytes), 512u);
}

// The chip is known, but not what is connected to it: whichever link is missing, the others count.
TEST_F(Cupti, LinksThatTheBoardLacksDoNotCostTheOthers) {
  const std::pair<DeviceMetric, std::vector<std::string>> links[] = {
      {DeviceMetric::kPcieReceivedBytes, {stand_in::kOverPcie, "pcie__write_bytes.sum"}},
      {DeviceMetric::kNvlinkReceivedBytes, {stand_in::kOverNvlink, "nvltx__bytes_data_user.sum"}},
      {DeviceMetric::kC2cReceivedBytes,
       {"ctc__rx_bytes_data_user.sum", "ctc__tx_bytes_data_user.sum"}}};
  for (const auto& [lacking, names] : links) {
    SCOPED_TRACE(names[0]);
    Script script;
    script.not_on_board = names;
    Open(script, "links");
    const auto context = stand_in::CreateContext(0);
    Enter(1);
    for (const auto& [metric, received] : links) stand_in::Launch(context, received[0], 16);
    auto devices = Harvest();
    for (const auto& [metric, received] : links) {
      const std::string& missing = devices[0].missing[static_cast<size_t>(metric)];
      EXPECT_EQ(Value(devices[0].paths[1], metric), metric == lacking ? 0u : 16u);
      if (metric == lacking) {
        EXPECT_THAT(missing, HasSubstr("cuptiRangeProfilerSetConfig"));
      } else {
        EXPECT_EQ(missing, "");
      }
    }
  }
}

TEST_F(Cupti, ABoardWithoutAnyLinkHasTheReason) {
  Script script;
  script.unknown = {stand_in::kOverNvlink, "nvltx__bytes_data_user.sum",
                    "ctc__rx_bytes_data_user.sum", "ctc__tx_bytes_data_user.sum"};
  script.not_on_board = {stand_in::kOverPcie, "pcie__write_bytes.sum"};
  Open(script, "links");
  stand_in::CreateContext(0);
  Enter(1);
  EXPECT_THAT(Harvest()[0].missing[static_cast<size_t>(DeviceMetric::kPcieSentBytes)],
              HasSubstr("cuptiRangeProfilerSetConfig"));
}

TEST_F(Cupti, SeveralDevicesAreToldApart) {
  Script script;
  script.devices = {"GH100", "GA100"};
  Open(script);
  const auto first = stand_in::CreateContext(0), second = stand_in::CreateContext(1);
  Enter(1);
  stand_in::Launch(first, kAdd, 1);
  stand_in::Launch(second, kAdd, 2);
  auto devices = Harvest();
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kDpAdd), 1u);
  EXPECT_EQ(Value(devices[1].paths[1], DeviceMetric::kDpAdd), 2u);
  EXPECT_EQ(devices[1].chip, "GA100");
}

TEST_F(Cupti, ContextsOfOneDeviceAddUpEvenOnceTheyAreGone) {
  Open();
  const auto first = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(first, kAdd, 1);
  stand_in::DestroyContext(first);
  const auto second = stand_in::CreateContext(0);
  stand_in::Launch(second, kAdd, 2);
  Enter(0);
  auto devices = Harvest();
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kDpAdd), 3u);
}

TEST_F(Cupti, CountsAreFetchedAsOftenAsRangesNeedIt) {
  Open();
  const auto context = stand_in::CreateContext(0);
  constexpr uint32_t kVisits = 3 * cupti::Session::kRanges + 1;
  for (uint32_t i = 0; i < kVisits; ++i) {
    Enter(1 + i % 2);
    stand_in::Launch(context, kAdd, 1);
    Enter(0);
  }
  auto devices = Harvest();
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kDpAdd), kVisits / 2 + 1);
  EXPECT_EQ(Value(devices[0].paths[2], DeviceMetric::kDpAdd), kVisits / 2);
  EXPECT_EQ(stand_in::Calls("cuptiRangeProfilerStop"), 4);
}

TEST_F(Cupti, RangesThatWereDroppedAreLostToTheirPaths) {
  Script script;
  script.drop = 1;
  Open(script);
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, kAdd, 1);
  Enter(2);
  stand_in::Launch(context, kAdd, 2);
  auto devices = Harvest();
  EXPECT_EQ(devices[0].paths[1].lost, 0u);
  EXPECT_EQ(Value(devices[0].paths[1], DeviceMetric::kDpAdd), 1u);
  EXPECT_EQ(devices[0].paths[2].lost, 1u);
}

TEST_F(Cupti, APassThatIsNotTheOnlyOneGivesNothing) {
  Script script;
  script.more_passes = true;
  Open(script);
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, kAdd, 1);
  auto devices = Harvest();
  EXPECT_EQ(devices[0].paths[1].lost, 1u);
}

TEST_F(Cupti, NumbersThatAreNoCountsAreLost) {
  for (const double scale : {-1.0, 1e300 * 1e300}) {
    Script script;
    script.scale = scale;
    Open(script);
    const auto context = stand_in::CreateContext(0);
    Enter(1);
    stand_in::Launch(context, kAdd, 1);
    auto devices = Harvest();
    EXPECT_EQ(devices[0].paths[1].lost, 1u) << scale;
    EXPECT_EQ(devices[0].paths[1].ranges, 0u) << scale;
  }
}

TEST_F(Cupti, AMetricThatTheChipLacksIsMissingWithItsName) {
  Script script;
  script.unknown = {kFma};
  Open(script);
  stand_in::CreateContext(0);
  const auto devices = Harvest();
  EXPECT_THAT(devices[0].missing[static_cast<size_t>(DeviceMetric::kDpFma)], HasSubstr(kFma));
  EXPECT_EQ(devices[0].missing[static_cast<size_t>(DeviceMetric::kDpAdd)], "");
}

TEST_F(Cupti, PropertiesThatTheDriverDoesNotTellAreNoFailure) {
  Script script;
  script.failures = {{"cuDeviceGetAttribute", 1}};
  script.failures_from = {{"cuDeviceGetAttribute", 3}};
  Open(script);
  stand_in::CreateContext(0);
  const auto devices = Harvest();
  EXPECT_EQ(devices[0].properties, (DeviceProperties{1075, 1076, 0, 0, 0, 0}));
  EXPECT_EQ(devices[0].missing[0], "");
}

TEST_F(Cupti, AnotherProfilerIsNamed) {
  Script script;
  script.failures = {{"cuptiSubscribe", cupti::kMultipleSubscribers}};
  Open(script);
  EXPECT_THAT(error_, HasSubstr("another profiler"));
}

TEST_F(Cupti, CountersForAdministratorsAloneAreNamedWithTheCure) {
  Script script;
  script.failures = {{"cuptiRangeProfilerEnable", cupti::kInsufficientPrivileges}};
  Open(script);
  stand_in::CreateContext(0);
  Enter(1);
  const auto devices = Harvest();
  EXPECT_THAT(devices[0].missing[0], HasSubstr("ERR_NVGPUCTRPERM"));
  EXPECT_THAT(devices[0].missing[0], HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST_F(Cupti, WhatForbidsCountingIsNamedInWords) {
  const std::pair<int, const char*> kReasons[] = {
      {cupti::kVirtualizedDeviceNotSupported, "virtual GPU"},
      {cupti::kVirtualizedDeviceInsufficientPrivileges, "virtual GPU"},
      {cupti::kConfidentialComputing, "confidential-computing mode"},
      {cupti::kMigDevice, "this MIG instance"},
      {cupti::kCmpDevice, "this kind of device"},
      {cupti::kWslDevice, "this kind of device"},
      {cupti::kUnknown, "CUPTI_ERROR_UNKNOWN (999)"}};
  for (const auto& [result, words] : kReasons) {
    Script script;
    script.failures = {{"cuptiRangeProfilerEnable", result}};
    Open(script);
    stand_in::CreateContext(0);
    Enter(1);
    EXPECT_THAT(Harvest()[0].missing[0],
                testing::AllOf(HasSubstr("cuptiRangeProfilerEnable: "), HasSubstr(words)));
  }
}

// What may be the reason is looked up where something is missing, and there alone.
TEST_F(Cupti, WhatIsAroundIsNamedWhereCountsAreMissing) {
  ASSERT_EQ(setenv("CUDA_INJECTION64_PATH", "/opt/nsys/libToolsInjection64.so", 1), 0);
  Script script;
  script.failures = {{"cuptiRangeProfilerEnable", cupti::kHardwareBusy}};
  Open(script);
  stand_in::CreateContext(0);
  Enter(1);
  EXPECT_THAT(Harvest()[0].missing[0], HasSubstr("CUDA_INJECTION64_PATH loads another profiler"));
  EXPECT_THAT(collector_->Facts()[kGpuSurroundingsFact], HasSubstr("CUDA_INJECTION64_PATH"));
  Open();
  stand_in::CreateContext(0);
  Enter(1);
  EXPECT_EQ(Harvest()[0].missing[0], "");
  EXPECT_FALSE(collector_->Facts().contains(kGpuSurroundingsFact));
  ASSERT_EQ(unsetenv("CUDA_INJECTION64_PATH"), 0);
}

// Every call, at its first time and later: what was counted is right, lost, or missing with the
// name of the call; the program goes on.
class CuptiFailures : public Cupti {
 protected:
  static std::vector<Failure> OfEachCall() {
    return Failures({"cuptiSubscribe",
                     "cuptiEnableCallback",
                     "cuCtxPushCurrent",
                     "cuCtxPopCurrent",
                     "cuCtxGetDevice",
                     "cuCtxSynchronize",
                     "cuDeviceGetName",
                     "cuDeviceGetUuid",
                     "cuptiProfilerInitialize",
                     "cuptiDeviceGetChipName",
                     "cuptiProfilerHostInitialize",
                     "cuptiProfilerHostGetMetricProperties",
                     "cuptiProfilerHostConfigAddMetrics",
                     "cuptiProfilerHostGetConfigImageSize",
                     "cuptiProfilerHostGetConfigImage",
                     "cuptiProfilerHostGetNumOfPasses",
                     "cuptiProfilerHostEvaluateToGpuValues",
                     "cuptiRangeProfilerEnable",
                     "cuptiRangeProfilerSetConfig",
                     "cuptiRangeProfilerStart",
                     "cuptiRangeProfilerStop",
                     "cuptiRangeProfilerPushRange",
                     "cuptiRangeProfilerPopRange",
                     "cuptiRangeProfilerDecodeData",
                     "cuptiRangeProfilerGetCounterDataSize",
                     "cuptiRangeProfilerCounterDataImageInitialize",
                     "cuptiRangeProfilerGetCounterDataInfo",
                     "cuptiRangeProfilerCounterDataGetRangeInfo"});
  }
  void CountTwoPaths(const char* function, int from);
  void CountLinks(const char* function, int from);
};

void CuptiFailures::CountTwoPaths(const char* function, int from) {
  if (!OpenFailing(function, from, "auto")) return;
  const auto context = stand_in::CreateContext(0);
  for (int i = 0; i < 3; ++i) {
    Enter(1);
    stand_in::Launch(context, kAdd, 2);
    Enter(2);
    stand_in::Launch(context, kAdd, 3);
    Enter(0);
  }
  auto devices = Harvest();
  if (stand_in::Calls(function) < from) return;  // it never failed
  if (devices.empty()) {                         // nothing is known of the device
    EXPECT_THAT(collector_->Facts()["cupti_unknown_device"], HasSubstr(function));
    return;
  }
  const bool missing = !devices[0].missing[0].empty();
  if (missing) {
    EXPECT_THAT(devices[0].missing[0], HasSubstr(function));
  }
  for (const auto& [path, wanted] : {std::pair(1u, 6u), std::pair(2u, 9u)}) {
    const counts::DeviceSums& sums = devices[0].paths[path];
    const uint64_t adds = Value(sums, DeviceMetric::kDpAdd);
    EXPECT_TRUE(missing || sums.lost > 0 || adds == wanted) << path << ": " << adds;
  }
}

TEST_F(CuptiFailures, GiveNoWrongNumber) {
  for (const auto& [function, from] : OfEachCall()) {
    SCOPED_TRACE(std::string(function) + " from time " + std::to_string(from));
    CountTwoPaths(function, from);
    ExpectNothingLeft();
  }
}

// It is tried with fewer links again and again.
void CuptiFailures::CountLinks(const char* function, int from) {
  if (!OpenFailing(function, from, "links")) return;
  const auto context = stand_in::CreateContext(0);
  Enter(1);
  stand_in::Launch(context, stand_in::kOverPcie, 2);
  Enter(0);
  auto devices = Harvest();
  if (devices.empty()) return;
  const bool missing =
      !devices[0].missing[static_cast<size_t>(DeviceMetric::kPcieReceivedBytes)].empty();
  const counts::DeviceSums& sums = devices[0].paths[1];
  const uint64_t bytes = Value(sums, DeviceMetric::kPcieReceivedBytes);
  EXPECT_TRUE(missing || sums.lost > 0 || bytes == 2) << bytes;
}

TEST_F(CuptiFailures, OfLinksGiveNoWrongNumber) {
  for (const auto& [function, from] : OfEachCall()) {
    SCOPED_TRACE(std::string(function) + " from time " + std::to_string(from));
    CountLinks(function, from);
    ExpectNothingLeft();
  }
}

}  // namespace
}  // namespace roofmark
