// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/driver.h"

#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace roofmark::cupti {
namespace {

TEST(CuptiDriver, TellsVersionGpusAndWhoMayReadCounters) {
  const test::TempDir directory;
  const std::string root = directory.File("nvidia");
  directory.Write("nvidia/version",
                  "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.1\nGCC version: x\n");
  directory.Write("nvidia/params", "ModifyDeviceFiles: 1\nRmProfilingAdminOnly: 1\n");
  directory.Write("nvidia/gpus/0000:02:00.0/information",
                  "Model: \t\t NVIDIA B\nGPU UUID: \t GPU-2\n");
  directory.Write("nvidia/gpus/0000:01:00.0/information",
                  "Model: \t\t NVIDIA A\nGPU UUID: \t GPU-1\n");
  const DriverFacts facts = ReadDriver(root);
  EXPECT_TRUE(facts.loaded);
  EXPECT_EQ(facts.version, "NVIDIA UNIX x86_64 Kernel Module  580.1");
  EXPECT_TRUE(facts.administrators_only);
  ASSERT_EQ(facts.gpus.size(), 2u);
  EXPECT_EQ(facts.gpus[0].model, "NVIDIA A");
  EXPECT_EQ(facts.gpus[1].uuid, "GPU-2");
}

TEST(CuptiDriver, IsNotThereWhereItsFilesAreNot) {
  const DriverFacts facts = ReadDriver("/nowhere");
  EXPECT_FALSE(facts.loaded || facts.administrators_only);
  EXPECT_TRUE(facts.gpus.empty());
}

}  // namespace
}  // namespace roofmark::cupti
