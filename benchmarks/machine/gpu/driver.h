// SPDX-License-Identifier: BSD-3-Clause
//
// The CUDA driver, NVML and cuBLAS as they are installed where roofmark runs: the part of their
// published interface that measuring needs, so that neither build nor command needs CUDA. Where
// NVIDIA's headers are, machine_gpu_abi_test holds numbers and types against them.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_GPU_DRIVER_H_
#define ROOFMARK_BENCHMARKS_MACHINE_GPU_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "lib/core/result.h"

namespace roofmark::gpu {

using Device = int;
using Context = struct ContextRecord*;
using Module = struct ModuleRecord*;
using Function = struct FunctionRecord*;
using Stream = struct StreamRecord*;
using Event = struct EventRecord*;
using NvmlDevice = struct NvmlRecord*;

// Attributes of devices and of functions.
inline constexpr int kClockRate = 13, kMultiprocessorCount = 16, kMemoryClockRate = 36,
                     kMemoryBusWidth = 37, kL2Bytes = 38, kThreadsOfMultiprocessor = 39,
                     kCapabilityMajor = 75, kCapabilityMinor = 76, kSharedOfMultiprocessor = 81,
                     kSharedOfBlock = 97;
inline constexpr int kDynamicShared = 8, kSharedCarveout = 9;
// Of NVML.
inline constexpr int kClockOfMultiprocessors = 1, kPeersByNvlink = 2, kPeersAreLinked = 0;
inline constexpr size_t kUuidBytes = 16;

// Of cuBLAS (cublasLt): addresses on the device are numbers, as the driver has them.
using Blas = struct BlasRecord*;
using BlasProduct = struct BlasProductRecord*;
using BlasMatrix = struct BlasMatrixRecord*;
using BlasWish = struct BlasWishRecord*;
struct BlasAlgorithm {
  uint64_t data[8];
};
struct BlasChoice {
  BlasAlgorithm algorithm;
  size_t workspace;
  int status;
  float waves;
  int reserved[4];
};
inline constexpr int kReal32 = 0, kReal64 = 1, kReal16 = 2, kInt8 = 3, kInt32 = 10, kBf16 = 14,
                     kFp8 = 28;
inline constexpr int kIn32 = 68, kIn64 = 70, kInInt32 = 72, kInTf32 = 77;  // computes
inline constexpr int kFirstTransposed = 3, kTransposed = 1, kMostWorkspace = 1;

struct Driver {
#define ROOFMARK_GPU(library, member, symbol, arguments) int(*member) arguments = nullptr;
#include "benchmarks/machine/gpu/functions.inc"
#undef ROOFMARK_GPU
  std::string no_nvml;  // why clock and power are not known; empty: NVML is there
  std::string no_blas;  // why there are no products of cuBLAS; empty: it is there
};

// The error says what is missing.
Result<Driver> OpenDriver();

// The first of these files that can be loaded. Why there is none, else empty.
std::string OpenBlas(std::span<const std::string> files, Driver& driver);

// "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2)"
std::string ExplainCall(const Driver& driver, const char* call, int result);

}  // namespace roofmark::gpu

#endif  // ROOFMARK_BENCHMARKS_MACHINE_GPU_DRIVER_H_
