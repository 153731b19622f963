// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/numa_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "benchmarks/machine/topology.h"
#include "tests/support/process.h"

namespace roofmark {
namespace {

TEST(NumaBinder, BindsToANodeThatThereIs) {
  const auto topology = ReadTopology();
  ASSERT_TRUE(topology) << topology.error();
  if (topology->numa.empty()) GTEST_SKIP() << "hwloc shows no NUMA node here";
  const NumaBinder binder;
  const Buffer buffer(size_t{4} << 20);
  if (!binder.Bind(buffer, topology->numa[0].index)) {
    GTEST_SKIP() << "memory cannot be bound here (a container without mbind?)";
  }
  std::memset(buffer.data(), 1, buffer.size());
  EXPECT_EQ(buffer.data()[buffer.size() - 1], 1);
}

TEST(NumaBinder, RefusesANodeThatThereIsNot) {
  const NumaBinder binder;
  EXPECT_FALSE(binder.Bind(Buffer(4096), 12345));
  EXPECT_FALSE(binder.Bind(Buffer(), 0));
}

TEST(FreeNodeBytes, ReadsTheKernelsFigure) {
  const test::TempDir directory;
  const std::filesystem::path node = directory.path() + "/sys/devices/system/node/node3";
  std::filesystem::create_directories(node);
  std::ofstream(node / "meminfo") << "Node 3 MemTotal:  2048 kB\nNode 3 MemFree:   1024 kB\n";
  EXPECT_EQ(FreeNodeBytes(3, directory.path()), 1u << 20);
  EXPECT_EQ(FreeNodeBytes(4, directory.path()), 0u);
}

}  // namespace
}  // namespace roofmark
