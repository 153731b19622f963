// SPDX-License-Identifier: BSD-3-Clause
//
// What roofmark declares of the driver against NVIDIA's header.
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

}  // namespace
}  // namespace roofmark::gpu
