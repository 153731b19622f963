// SPDX-License-Identifier: BSD-3-Clause
//
// The one table of what an accelerator's counters can give of a region. A device has no threads, so
// these are apart from the metrics of the host (lib/core/metric.h). All are non-negative integers.
#ifndef ROOFMARK_LIB_CORE_DEVICE_METRIC_H_
#define ROOFMARK_LIB_CORE_DEVICE_METRIC_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lib/core/table.h"

namespace roofmark {

enum class DeviceMetric : uint8_t {
  kDpAdd,
  kDpMul,
  kDpFma,
  kSpAdd,
  kSpMul,
  kSpFma,
  kHpAdd,
  kHpMul,
  kHpFma,
  kInteger,
  kGlobalBytes,
  kSharedBytes,
  kLocalBytes,
  kWarpInstructions,
  kThreadInstructions,
  kGlobalSectors,
  kSharedInstructions,
  kSharedWavefronts,
  kTensor,
  kTensorDp,
  kTensorDpFlops,
  kL1Bytes,
  kL2Bytes,
  kDramReadBytes,
  kDramWriteBytes,
  kSmCycles,
  kSmCyclesMax,
  kWarpCycles,
  kL2Lookups,
  kL2Misses,
  kPcieReceivedBytes,
  kPcieSentBytes,
  kNvlinkReceivedBytes,
  kNvlinkSentBytes,
  kC2cReceivedBytes,
  kC2cSentBytes,
  kKernels,
  kKernelNs,
  kKernelBusyNs,
  kBusyNs,
  kToDeviceBytes,
  kToDeviceNs,
  kToHostBytes,
  kToHostNs,
};
inline constexpr size_t kDeviceMetrics = 44;

struct DeviceMetricInfo {
  DeviceMetric id;
  std::string_view name;  // as in files
  std::string_view unit;
  // Of what the process itself launched alone. The others are counters of the whole device, which
  // see the kernels of every process.
  bool of_own_kernels;
  std::string_view doc;
};

inline constexpr std::array<DeviceMetricInfo, kDeviceMetrics> kDeviceMetricTable = {{
    {DeviceMetric::kDpAdd, "flops_dp_add", "flops", true, "additions in double precision"},
    {DeviceMetric::kDpMul, "flops_dp_mul", "flops", true, "multiplications in double precision"},
    {DeviceMetric::kDpFma, "flops_dp_fma", "flops", true,
     "FLOPs of fused operations in double precision, two for each"},
    {DeviceMetric::kSpAdd, "flops_sp_add", "flops", true, "additions in single precision"},
    {DeviceMetric::kSpMul, "flops_sp_mul", "flops", true, "multiplications in single precision"},
    {DeviceMetric::kSpFma, "flops_sp_fma", "flops", true,
     "FLOPs of fused operations in single precision, two for each"},
    {DeviceMetric::kHpAdd, "hp_add_instructions", "count", true,
     "additions in half precision, by threads: one may add one or two pairs of numbers, which the "
     "counter does not tell"},
    {DeviceMetric::kHpMul, "hp_mul_instructions", "count", true,
     "multiplications in half precision, by threads, of one or two pairs of numbers"},
    {DeviceMetric::kHpFma, "hp_fma_instructions", "count", true,
     "fused operations in half precision, by threads, on one or two numbers"},
    {DeviceMetric::kInteger, "integer_instructions", "count", true,
     "integer instructions, by threads"},
    {DeviceMetric::kGlobalBytes, "global_bytes", "bytes", true,
     "bytes that instructions load from and store to global memory"},
    {DeviceMetric::kSharedBytes, "shared_bytes", "bytes", true,
     "bytes that instructions load from and store to shared memory"},
    {DeviceMetric::kLocalBytes, "local_bytes", "bytes", true,
     "bytes that instructions load from and store to local memory, such as spilled registers"},
    {DeviceMetric::kWarpInstructions, "warp_instructions", "count", true,
     "instructions that warps executed"},
    {DeviceMetric::kThreadInstructions, "thread_instructions", "count", true,
     "the same by active threads: at most 32 for each of a warp"},
    {DeviceMetric::kGlobalSectors, "global_sectors", "count", true,
     "sectors of 32 bytes that instructions access in global memory"},
    {DeviceMetric::kSharedInstructions, "shared_instructions", "count", true,
     "instructions on shared memory, by warps"},
    {DeviceMetric::kSharedWavefronts, "shared_wavefronts", "count", true,
     "steps in which shared memory does these: more than it needs where banks conflict"},
    {DeviceMetric::kTensor, "tensor_instructions", "count", false,
     "instructions of tensor cores, by warps: of those in other than double precision the FLOPs "
     "are in no metric"},
    {DeviceMetric::kTensorDp, "tensor_dp_instructions", "count", false,
     "those of them in double precision"},
    {DeviceMetric::kTensorDpFlops, "flops_tensor_dp", "flops", false,
     "FLOPs of tensor cores in double precision, two for each multiplication and addition"},
    {DeviceMetric::kL1Bytes, "l1_bytes", "bytes", false, "bytes requested from L1"},
    {DeviceMetric::kL2Bytes, "l2_bytes", "bytes", false, "bytes requested from L2"},
    {DeviceMetric::kDramReadBytes, "dram_read_bytes", "bytes", false,
     "bytes read from the memory of the device"},
    {DeviceMetric::kDramWriteBytes, "dram_write_bytes", "bytes", false,
     "bytes written to the memory of the device"},
    {DeviceMetric::kSmCycles, "sm_cycles", "cycles", false,
     "cycles in which a multiprocessor holds a warp, of all multiprocessors"},
    {DeviceMetric::kSmCyclesMax, "sm_cycles_max", "cycles", false,
     "the same of the one that has most, in each visit of the region"},
    {DeviceMetric::kWarpCycles, "warp_cycles", "cycles", false,
     "warps that multiprocessors hold, added up over their cycles"},
    {DeviceMetric::kL2Lookups, "l2_lookups", "count", false, "lines that L2 is asked for"},
    {DeviceMetric::kL2Misses, "l2_misses", "count", false, "those of them that it does not have"},
    {DeviceMetric::kPcieReceivedBytes, "pcie_received_bytes", "bytes", false,
     "bytes that the device received over PCIe, counted in steps of 512"},
    {DeviceMetric::kPcieSentBytes, "pcie_sent_bytes", "bytes", false,
     "bytes that it sent over PCIe, likewise"},
    {DeviceMetric::kNvlinkReceivedBytes, "nvlink_received_bytes", "bytes", false,
     "bytes that it received over NVLink, without what the protocol adds"},
    {DeviceMetric::kNvlinkSentBytes, "nvlink_sent_bytes", "bytes", false,
     "bytes that it sent over NVLink, likewise"},
    {DeviceMetric::kC2cReceivedBytes, "c2c_received_bytes", "bytes", false,
     "bytes that it received over NVLink-C2C, from the CPU in the same module, likewise"},
    {DeviceMetric::kC2cSentBytes, "c2c_sent_bytes", "bytes", false,
     "bytes that it sent over NVLink-C2C, likewise"},
    {DeviceMetric::kKernels, "kernels", "count", true, "kernels that were executed"},
    {DeviceMetric::kKernelNs, "kernel_ns", "ns", true,
     "time that kernels took; the times of those that ran side by side add up"},
    {DeviceMetric::kKernelBusyNs, "kernel_busy_ns", "ns", true,
     "time in which at least one kernel ran"},
    {DeviceMetric::kBusyNs, "busy_ns", "ns", true,
     "time in which at least one kernel or copy ran, copies within the device included"},
    {DeviceMetric::kToDeviceBytes, "to_device_bytes", "bytes", true,
     "bytes copied from the host to the device"},
    {DeviceMetric::kToDeviceNs, "to_device_ns", "ns", true, "time that these copies took"},
    {DeviceMetric::kToHostBytes, "to_host_bytes", "bytes", true,
     "bytes copied from the device to the host"},
    {DeviceMetric::kToHostNs, "to_host_ns", "ns", true, "time that these copies took"},
}};
static_assert(InOrder(kDeviceMetricTable) &&
              static_cast<size_t>(DeviceMetric::kToHostNs) + 1 == kDeviceMetrics);

constexpr const DeviceMetricInfo& Info(DeviceMetric metric) {
  return RowOf(kDeviceMetricTable, metric);
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_DEVICE_METRIC_H_
