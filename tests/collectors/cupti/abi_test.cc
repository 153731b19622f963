// SPDX-License-Identifier: BSD-3-Clause
//
// The declarations of abi.h against NVIDIA's headers: it compiles only if they agree.
#include "collectors/cupti/abi.h"

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <cupti_version.h>
#include <gtest/gtest.h>

namespace roofmark::cupti {
namespace {

#define SAME_SIZE(ours, theirs) \
  static_assert(kStructSize<ours> == theirs##_STRUCT_SIZE && sizeof(ours) == sizeof(theirs))
#define SAME_PLACE(ours, member, theirs, other)                      \
  static_assert(offsetof(ours, member) == offsetof(theirs, other) && \
                sizeof(ours::member) == sizeof(theirs::other))

SAME_SIZE(InitializeParams, CUpti_Profiler_Initialize_Params);
SAME_SIZE(ChipNameParams, CUpti_Device_GetChipName_Params);
SAME_SIZE(HostInitializeParams, CUpti_Profiler_Host_Initialize_Params);
SAME_SIZE(HostDeinitializeParams, CUpti_Profiler_Host_Deinitialize_Params);
SAME_SIZE(MetricPropertiesParams, CUpti_Profiler_Host_GetMetricProperties_Params);
SAME_SIZE(AddMetricsParams, CUpti_Profiler_Host_ConfigAddMetrics_Params);
SAME_SIZE(ConfigImageSizeParams, CUpti_Profiler_Host_GetConfigImageSize_Params);
SAME_SIZE(ConfigImageParams, CUpti_Profiler_Host_GetConfigImage_Params);
SAME_SIZE(PassesParams, CUpti_Profiler_Host_GetNumOfPasses_Params);
SAME_SIZE(EvaluateParams, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
SAME_SIZE(EnableParams, CUpti_RangeProfiler_Enable_Params);
SAME_SIZE(ObjectParams, CUpti_RangeProfiler_Disable_Params);
SAME_SIZE(ObjectParams, CUpti_RangeProfiler_Start_Params);
SAME_SIZE(ObjectParams, CUpti_RangeProfiler_PopRange_Params);
SAME_SIZE(SetConfigParams, CUpti_RangeProfiler_SetConfig_Params);
SAME_SIZE(StopParams, CUpti_RangeProfiler_Stop_Params);
SAME_SIZE(PushRangeParams, CUpti_RangeProfiler_PushRange_Params);
SAME_SIZE(DecodeParams, CUpti_RangeProfiler_DecodeData_Params);
SAME_SIZE(CounterDataSizeParams, CUpti_RangeProfiler_GetCounterDataSize_Params);
SAME_SIZE(CounterDataInitializeParams, CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
SAME_SIZE(CounterDataInfoParams, CUpti_RangeProfiler_GetCounterDataInfo_Params);
SAME_SIZE(RangeInfoParams, CUpti_RangeProfiler_CounterData_GetRangeInfo_Params);
static_assert(sizeof(ResourceData) == sizeof(CUpti_ResourceData) && sizeof(Uuid) == sizeof(CUuuid));

SAME_PLACE(ChipNameParams, device_index, CUpti_Device_GetChipName_Params, deviceIndex);
SAME_PLACE(ChipNameParams, chip_name, CUpti_Device_GetChipName_Params, pChipName);
SAME_PLACE(HostInitializeParams, profiler_type, CUpti_Profiler_Host_Initialize_Params,
           profilerType);
SAME_PLACE(HostInitializeParams, chip_name, CUpti_Profiler_Host_Initialize_Params, pChipName);
SAME_PLACE(HostInitializeParams, host, CUpti_Profiler_Host_Initialize_Params, pHostObject);
SAME_PLACE(MetricPropertiesParams, host, CUpti_Profiler_Host_GetMetricProperties_Params,
           pHostObject);
SAME_PLACE(MetricPropertiesParams, metric_name, CUpti_Profiler_Host_GetMetricProperties_Params,
           pMetricName);
SAME_PLACE(AddMetricsParams, metric_names, CUpti_Profiler_Host_ConfigAddMetrics_Params,
           ppMetricNames);
SAME_PLACE(AddMetricsParams, metrics, CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics);
SAME_PLACE(ConfigImageSizeParams, size, CUpti_Profiler_Host_GetConfigImageSize_Params,
           configImageSize);
SAME_PLACE(ConfigImageParams, size, CUpti_Profiler_Host_GetConfigImage_Params, configImageSize);
SAME_PLACE(ConfigImageParams, image, CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage);
SAME_PLACE(PassesParams, size, CUpti_Profiler_Host_GetNumOfPasses_Params, configImageSize);
SAME_PLACE(PassesParams, image, CUpti_Profiler_Host_GetNumOfPasses_Params, pConfigImage);
SAME_PLACE(PassesParams, passes, CUpti_Profiler_Host_GetNumOfPasses_Params, numOfPasses);
SAME_PLACE(EvaluateParams, counter_data, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
           pCounterDataImage);
SAME_PLACE(EvaluateParams, range_index, CUpti_Profiler_Host_EvaluateToGpuValues_Params, rangeIndex);
SAME_PLACE(EvaluateParams, metric_names, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
           ppMetricNames);
SAME_PLACE(EvaluateParams, values, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues);
SAME_PLACE(EnableParams, context, CUpti_RangeProfiler_Enable_Params, ctx);
SAME_PLACE(EnableParams, object, CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject);
SAME_PLACE(SetConfigParams, config_size, CUpti_RangeProfiler_SetConfig_Params, configSize);
SAME_PLACE(SetConfigParams, config, CUpti_RangeProfiler_SetConfig_Params, pConfig);
SAME_PLACE(SetConfigParams, counter_data_size, CUpti_RangeProfiler_SetConfig_Params,
           counterDataImageSize);
SAME_PLACE(SetConfigParams, counter_data, CUpti_RangeProfiler_SetConfig_Params, pCounterDataImage);
SAME_PLACE(SetConfigParams, range, CUpti_RangeProfiler_SetConfig_Params, range);
SAME_PLACE(SetConfigParams, replay_mode, CUpti_RangeProfiler_SetConfig_Params, replayMode);
SAME_PLACE(SetConfigParams, max_ranges_per_pass, CUpti_RangeProfiler_SetConfig_Params,
           maxRangesPerPass);
SAME_PLACE(SetConfigParams, nesting_levels, CUpti_RangeProfiler_SetConfig_Params, numNestingLevels);
SAME_PLACE(SetConfigParams, min_nesting_level, CUpti_RangeProfiler_SetConfig_Params,
           minNestingLevel);
SAME_PLACE(SetConfigParams, pass_index, CUpti_RangeProfiler_SetConfig_Params, passIndex);
SAME_PLACE(SetConfigParams, target_nesting_level, CUpti_RangeProfiler_SetConfig_Params,
           targetNestingLevel);
SAME_PLACE(StopParams, all_passes_submitted, CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted);
SAME_PLACE(PushRangeParams, range_name, CUpti_RangeProfiler_PushRange_Params, pRangeName);
SAME_PLACE(DecodeParams, ranges_dropped, CUpti_RangeProfiler_DecodeData_Params, numOfRangeDropped);
SAME_PLACE(CounterDataSizeParams, metric_names, CUpti_RangeProfiler_GetCounterDataSize_Params,
           pMetricNames);
SAME_PLACE(CounterDataSizeParams, max_ranges, CUpti_RangeProfiler_GetCounterDataSize_Params,
           maxNumOfRanges);
SAME_PLACE(CounterDataSizeParams, max_tree_nodes, CUpti_RangeProfiler_GetCounterDataSize_Params,
           maxNumRangeTreeNodes);
SAME_PLACE(CounterDataSizeParams, size, CUpti_RangeProfiler_GetCounterDataSize_Params,
           counterDataSize);
SAME_PLACE(CounterDataInitializeParams, size,
           CUpti_RangeProfiler_CounterDataImage_Initialize_Params, counterDataSize);
SAME_PLACE(CounterDataInitializeParams, counter_data,
           CUpti_RangeProfiler_CounterDataImage_Initialize_Params, pCounterData);
SAME_PLACE(CounterDataInfoParams, ranges, CUpti_RangeProfiler_GetCounterDataInfo_Params,
           numTotalRanges);
SAME_PLACE(RangeInfoParams, range_index, CUpti_RangeProfiler_CounterData_GetRangeInfo_Params,
           rangeIndex);
SAME_PLACE(RangeInfoParams, delimiter, CUpti_RangeProfiler_CounterData_GetRangeInfo_Params,
           rangeDelimiter);
SAME_PLACE(RangeInfoParams, range_name, CUpti_RangeProfiler_CounterData_GetRangeInfo_Params,
           rangeName);

static_assert(offsetof(ActivityRecord, kind) == offsetof(CUpti_Activity, kind));
SAME_PLACE(KernelRecord, start, CUpti_ActivityKernel9, start);
SAME_PLACE(KernelRecord, end, CUpti_ActivityKernel9, end);
SAME_PLACE(KernelRecord, context_id, CUpti_ActivityKernel9, contextId);
SAME_PLACE(CopyRecord, copy_kind, CUpti_ActivityMemcpy5, copyKind);
SAME_PLACE(CopyRecord, bytes, CUpti_ActivityMemcpy5, bytes);
SAME_PLACE(CopyRecord, start, CUpti_ActivityMemcpy5, start);
SAME_PLACE(CopyRecord, end, CUpti_ActivityMemcpy5, end);
SAME_PLACE(CopyRecord, context_id, CUpti_ActivityMemcpy5, contextId);
#if CUPTI_API_VERSION >= 130000  // whose records are longer
SAME_PLACE(KernelRecord, start, CUpti_ActivityKernel10, start);
SAME_PLACE(KernelRecord, end, CUpti_ActivityKernel10, end);
SAME_PLACE(KernelRecord, context_id, CUpti_ActivityKernel10, contextId);
SAME_PLACE(CopyRecord, copy_kind, CUpti_ActivityMemcpy6, copyKind);
SAME_PLACE(CopyRecord, bytes, CUpti_ActivityMemcpy6, bytes);
SAME_PLACE(CopyRecord, start, CUpti_ActivityMemcpy6, start);
SAME_PLACE(CopyRecord, end, CUpti_ActivityMemcpy6, end);
SAME_PLACE(CopyRecord, context_id, CUpti_ActivityMemcpy6, contextId);
#endif
static_assert(kActivityMemcpy == CUPTI_ACTIVITY_KIND_MEMCPY &&
              kActivityConcurrentKernel == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL &&
              kCopyHostToDevice == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD &&
              kCopyDeviceToHost == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH &&
              kCopyHostToArray == CUPTI_ACTIVITY_MEMCPY_KIND_HTOA &&
              kCopyArrayToHost == CUPTI_ACTIVITY_MEMCPY_KIND_ATOH &&
              kCopyHostToHost == CUPTI_ACTIVITY_MEMCPY_KIND_HTOH);

static_assert(kDomainResource == CUPTI_CB_DOMAIN_RESOURCE &&
              kContextCreated == CUPTI_CBID_RESOURCE_CONTEXT_CREATED &&
              kContextDestroyStarting == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
static_assert(kUserRange == CUPTI_UserRange && kUserReplay == CUPTI_UserReplay &&
              kTypeRangeProfiler == CUPTI_PROFILER_TYPE_RANGE_PROFILER);

static_assert(kClockRate == CU_DEVICE_ATTRIBUTE_CLOCK_RATE &&
              kMultiprocessorCount == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT &&
              kMemoryClockRate == CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE &&
              kMemoryBusWidth == CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH &&
              kCapabilityMajor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR &&
              kCapabilityMinor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);

TEST(CuptiAbi, ResultsHaveTheirNumbers) {
  EXPECT_EQ(kSuccess, CUPTI_SUCCESS);
  EXPECT_EQ(kInvalidParameter, CUPTI_ERROR_INVALID_PARAMETER);
  EXPECT_EQ(kInvalidOperation, CUPTI_ERROR_INVALID_OPERATION);
  EXPECT_EQ(kOutOfMemory, CUPTI_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(kMaxLimitReached, CUPTI_ERROR_MAX_LIMIT_REACHED);
  EXPECT_EQ(kNotInitialized, CUPTI_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(kInvalidMetricName, CUPTI_ERROR_INVALID_METRIC_NAME);
  EXPECT_EQ(kHardwareBusy, CUPTI_ERROR_HARDWARE_BUSY);
  EXPECT_EQ(kNotSupported, CUPTI_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(kVirtualizedDeviceNotSupported, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(kInsufficientPrivileges, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
  EXPECT_EQ(kMultipleSubscribers, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
  EXPECT_EQ(kVirtualizedDeviceInsufficientPrivileges,
            CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
  EXPECT_EQ(kConfidentialComputing, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
  EXPECT_EQ(kCmpDevice, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(kMigDevice, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(kSliDevice, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(kWslDevice, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(kInvalidChipName, CUPTI_ERROR_INVALID_CHIP_NAME);
  EXPECT_EQ(kUnknown, CUPTI_ERROR_UNKNOWN);
}

}  // namespace
}  // namespace roofmark::cupti
