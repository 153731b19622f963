// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/cuda_files.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace roofmark {
namespace {

using ::testing::ElementsAre;

constexpr const char* kNames[] = {"libx.so.2", "libx.so.1"};
constexpr const char* kPlaces[] = {"lib64", "extras/lib64"};

TEST(CudaFiles, TheLoadersComeFirstThenTheToolkits) {
  ASSERT_EQ(setenv("CUDA_HOME", "/opt/cuda", 1), 0);
  ASSERT_EQ(setenv("CUDA_PATH", "not/absolute", 1), 0);
  EXPECT_THAT(
      CudaFiles(kNames, kPlaces),
      ElementsAre("libx.so.2", "libx.so.1", "/opt/cuda/lib64/libx.so.2",
                  "/opt/cuda/lib64/libx.so.1", "/opt/cuda/extras/lib64/libx.so.2",
                  "/opt/cuda/extras/lib64/libx.so.1", "/usr/local/cuda/lib64/libx.so.2",
                  "/usr/local/cuda/lib64/libx.so.1", "/usr/local/cuda/extras/lib64/libx.so.2",
                  "/usr/local/cuda/extras/lib64/libx.so.1"));
  ASSERT_EQ(unsetenv("CUDA_HOME"), 0);
  ASSERT_EQ(unsetenv("CUDA_PATH"), 0);
}

}  // namespace
}  // namespace roofmark
