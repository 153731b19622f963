// SPDX-License-Identifier: BSD-3-Clause
//
// What roofmark declares of the driver and of cuBLAS against NVIDIA's headers.
#include <cublasLt.h>
#include <cuda.h>
#include <gtest/gtest.h>

#include "benchmarks/machine/gpu/driver.h"

namespace roofmark::gpu {
namespace {

TEST(DriverAbi, NumbersAreThoseOfTheHeader) {
  EXPECT_EQ(kClockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  EXPECT_EQ(kMultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  EXPECT_EQ(kMemoryClockRate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  EXPECT_EQ(kMemoryBusWidth, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  EXPECT_EQ(kL2Bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  EXPECT_EQ(kThreadsOfMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  EXPECT_EQ(kCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  EXPECT_EQ(kCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  EXPECT_EQ(kSharedOfMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  EXPECT_EQ(kSharedOfBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  EXPECT_EQ(kDynamicShared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  EXPECT_EQ(kSharedCarveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  EXPECT_EQ(kUuidBytes, sizeof(CUuuid));
  EXPECT_EQ(sizeof(uint64_t), sizeof(CUdeviceptr));
  EXPECT_EQ(sizeof(Device), sizeof(CUdevice));
}

TEST(BlasAbi, NumbersAreThoseOfTheHeader) {
  EXPECT_EQ(kReal64, CUDA_R_64F);
  EXPECT_EQ(kReal32, CUDA_R_32F);
  EXPECT_EQ(kReal16, CUDA_R_16F);
  EXPECT_EQ(kBf16, CUDA_R_16BF);
  EXPECT_EQ(kFp8, CUDA_R_8F_E4M3);
  EXPECT_EQ(kInt8, CUDA_R_8I);
  EXPECT_EQ(kInt32, CUDA_R_32I);
  EXPECT_EQ(kIn64, CUBLAS_COMPUTE_64F);
  EXPECT_EQ(kIn32, CUBLAS_COMPUTE_32F);
  EXPECT_EQ(kInTf32, CUBLAS_COMPUTE_32F_FAST_TF32);
  EXPECT_EQ(kInInt32, CUBLAS_COMPUTE_32I);
  EXPECT_EQ(kFirstTransposed, CUBLASLT_MATMUL_DESC_TRANSA);
  EXPECT_EQ(kTransposed, CUBLAS_OP_T);
  EXPECT_EQ(kMostWorkspace, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
}

TEST(BlasAbi, PlacesAreThoseOfTheHeader) {
  EXPECT_EQ(sizeof(BlasAlgorithm), sizeof(cublasLtMatmulAlgo_t));
  EXPECT_EQ(sizeof(BlasChoice), sizeof(cublasLtMatmulHeuristicResult_t));
  EXPECT_EQ(offsetof(BlasChoice, workspace),
            offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
  EXPECT_EQ(offsetof(BlasChoice, status), offsetof(cublasLtMatmulHeuristicResult_t, state));
}

}  // namespace
}  // namespace roofmark::gpu
