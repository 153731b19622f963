// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/device_uuid.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

TEST(DeviceUuid, IsWrittenAsNvidiaSmiWritesIt) {
  unsigned char uuid[16];
  for (unsigned char i = 0; i < 16; ++i) uuid[i] = static_cast<unsigned char>(0xf0 + i);
  EXPECT_EQ(DeviceUuid(uuid, "NVIDIA H200"), "GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
  EXPECT_EQ(DeviceUuid(uuid, "NVIDIA A100-SXM4-40GB MIG 1g.5gb"),
            "MIG-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
  EXPECT_EQ(DeviceUuid(uuid, "MIGRATED 5"), "GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
}

}  // namespace
}  // namespace roofmark
