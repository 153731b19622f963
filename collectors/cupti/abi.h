// SPDX-License-Identifier: BSD-3-Clause
//
// The part of the published interface of the CUDA driver and of CUPTI (12.6 and newer) that the
// collector uses, so that roofmark is built without CUDA. Where NVIDIA's headers are,
// tests/collectors/cupti/abi_test.cc holds sizes, places and numbers against them. Names of members
// are those of the headers, in the style of this project.
#ifndef ROOFMARK_COLLECTORS_CUPTI_ABI_H_
#define ROOFMARK_COLLECTORS_CUPTI_ABI_H_

#include <cstddef>
#include <cstdint>

namespace roofmark::cupti {

// --- the driver ---------------------------------------------------------------------------------

using DriverResult = int;  // 0: success
using Context = struct ContextRecord*;
using Device = int;
// Of devices.
inline constexpr int kClockRate = 13, kMultiprocessorCount = 16, kMemoryClockRate = 36,
                     kMemoryBusWidth = 37, kCapabilityMajor = 75, kCapabilityMinor = 76;
struct Uuid {
  unsigned char bytes[16];
};

// --- results ------------------------------------------------------------------------------------

using CuptiResult = int;
enum : CuptiResult {
  kSuccess = 0,
  kInvalidParameter = 1,
  kInvalidOperation = 7,
  kOutOfMemory = 8,
  kMaxLimitReached = 12,
  kNotInitialized = 15,
  kInvalidMetricName = 17,
  kHardwareBusy = 26,
  kNotSupported = 27,
  kVirtualizedDeviceNotSupported = 33,
  kInsufficientPrivileges = 35,
  kMultipleSubscribers = 39,
  kVirtualizedDeviceInsufficientPrivileges = 40,
  kConfidentialComputing = 41,
  kCmpDevice = 42,
  kMigDevice = 43,
  kSliDevice = 44,
  kWslDevice = 45,
  kInvalidChipName = 46,
  kUnknown = 999,
};

// --- callbacks ----------------------------------------------------------------------------------

using Subscriber = struct SubscriberRecord*;
using Callback = void (*)(void* user, int domain, uint32_t id, const void* data);
inline constexpr int kDomainResource = 3;
inline constexpr uint32_t kContextCreated = 1, kContextDestroyStarting = 2;
struct ResourceData {
  Context context;
  void* stream;
  void* descriptor;
};

// --- records of kernels and copies --------------------------------------------------------------

inline constexpr int kActivityMemcpy = 1, kActivityConcurrentKernel = 10;
inline constexpr uint8_t kCopyHostToDevice = 1, kCopyDeviceToHost = 2, kCopyHostToArray = 3,
                         kCopyArrayToHost = 4, kCopyHostToHost = 9;
using BufferRequest = void (*)(uint8_t** buffer, size_t* size, size_t* records);
using BufferCompleted = void (*)(Context, uint32_t stream, uint8_t* buffer, size_t size,
                                 size_t valid);
struct ActivityRecord {
  int kind;
};
// The beginning of what CUPTI hands over; newer versions are longer.
struct KernelRecord {
  int kind;
  uint8_t cache_config, shared_memory_config;
  uint16_t registers;
  int partition_requested, partition_executed;
  uint64_t start, end, completed;
  uint32_t device_id, context_id;
};
struct CopyRecord {
  int kind;
  uint8_t copy_kind, source_kind, destination_kind, flags;
  uint64_t bytes, start, end;
  uint32_t device_id, context_id;
};

// --- parameters -------------------------------------------------------------------------------

struct InitializeParams {
  size_t struct_size;
  void* priv;
};

struct ChipNameParams {
  size_t struct_size;
  void* priv;
  size_t device_index;
  const char* chip_name;
};

using HostObject = struct HostObjectRecord*;
inline constexpr int kTypeRangeProfiler = 0;

struct HostInitializeParams {
  size_t struct_size;
  void* priv;
  int profiler_type;
  const char* chip_name;
  const uint8_t* counter_availability;
  HostObject host;
};

struct HostDeinitializeParams {
  size_t struct_size;
  void* priv;
  HostObject host;
};

struct MetricPropertiesParams {
  size_t struct_size;
  void* priv;
  HostObject host;
  const char* metric_name;
  const char* description;
  const char* hardware_unit;
  const char* dimension;
  int metric_type;
};

struct AddMetricsParams {
  size_t struct_size;
  void* priv;
  HostObject host;
  const char** metric_names;
  size_t metrics;
};

struct ConfigImageSizeParams {
  size_t struct_size;
  void* priv;
  HostObject host;
  size_t size;
};

struct ConfigImageParams {
  size_t struct_size;
  void* priv;
  HostObject host;
  size_t size;
  uint8_t* image;
};

struct PassesParams {
  size_t struct_size;
  void* priv;
  size_t size;
  uint8_t* image;
  size_t passes;
};

struct EvaluateParams {
  size_t struct_size;
  void* priv;
  HostObject host;
  const uint8_t* counter_data;
  size_t counter_data_size;
  size_t range_index;
  const char** metric_names;
  size_t metrics;
  double* values;
};

using RangeObject = struct RangeObjectRecord*;
inline constexpr int kUserRange = 2;
inline constexpr int kUserReplay = 3;

struct EnableParams {
  size_t struct_size;
  void* priv;
  Context context;
  RangeObject object;
};

// Of Disable, Start and PopRange.
struct ObjectParams {
  size_t struct_size;
  void* priv;
  RangeObject object;
};

struct SetConfigParams {
  size_t struct_size;
  void* priv;
  RangeObject object;
  size_t config_size;
  const uint8_t* config;
  size_t counter_data_size;
  uint8_t* counter_data;
  int range;
  int replay_mode;
  size_t max_ranges_per_pass;
  uint16_t nesting_levels;
  uint16_t min_nesting_level;
  size_t pass_index;
  uint16_t target_nesting_level;
};

struct StopParams {
  size_t struct_size;
  void* priv;
  RangeObject object;
  size_t pass_index;
  size_t target_nesting_level;
  uint8_t all_passes_submitted;
};

struct PushRangeParams {
  size_t struct_size;
  void* priv;
  RangeObject object;
  const char* range_name;
};

struct DecodeParams {
  size_t struct_size;
  void* priv;
  RangeObject object;
  size_t ranges_dropped;
};

struct CounterDataSizeParams {
  size_t struct_size;
  void* priv;
  RangeObject object;
  const char** metric_names;
  size_t metrics;
  size_t max_ranges;
  uint32_t max_tree_nodes;
  size_t size;
};

struct CounterDataInitializeParams {
  size_t struct_size;
  void* priv;
  RangeObject object;
  size_t size;
  uint8_t* counter_data;
};

struct CounterDataInfoParams {
  size_t struct_size;
  void* priv;
  const uint8_t* counter_data;
  size_t size;
  size_t ranges;
};

struct RangeInfoParams {
  size_t struct_size;
  void* priv;
  const uint8_t* counter_data;
  size_t size;
  size_t range_index;
  const char* delimiter;
  const char* range_name;
};

// What CUPTI wants to be told as the size: up to the end of the last member, without what fills it
// up.
template <class Params>
inline constexpr size_t kStructSize = sizeof(Params);
template <>
inline constexpr size_t kStructSize<MetricPropertiesParams> =
    offsetof(MetricPropertiesParams, metric_type) + sizeof(MetricPropertiesParams::metric_type);
template <>
inline constexpr size_t kStructSize<SetConfigParams> =
    offsetof(SetConfigParams, target_nesting_level) + sizeof(SetConfigParams::target_nesting_level);
template <>
inline constexpr size_t kStructSize<StopParams> = offsetof(StopParams, all_passes_submitted) +
                                                  sizeof(StopParams::all_passes_submitted);

// Zeroed, with its size.
template <class Params>
constexpr Params Make() {
  Params params{};
  params.struct_size = kStructSize<Params>;
  return params;
}

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_ABI_H_
