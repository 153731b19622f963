// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "command/machine_table_sections.h"

namespace roofmark::cli {
namespace {

using ::testing::HasSubstr;

TEST(MachineTableGpus, ShowsTheBestPointBesideTheDataSheet) {
  Machine machine;
  EXPECT_EQ(Gpus(machine), "");
  GpuMachine gpu;
  gpu.name = "NVIDIA H100";
  gpu.uuid = "GPU-1";
  gpu.properties.multiprocessors = 132;
  gpu.memory_bytes = uint64_t{80} << 30;
  gpu.power_limit_watts = 700;
  gpu.ceilings = {{"integer.addxor",
                   "32-bit additions, logical operations",
                   "Gop/s",
                   {{4, 1500, 1500, 1500, 1500, 5, 0, 1.98, 300},
                    {64, 6000, 6000, 6000, 6000, 5, 0, 1.75, 650}},
                   6690}};
  gpu.warnings = {"compute.dp.add: 1 threads have a wrong result"};
  machine.gpus = {gpu};
  const std::string text = Gpus(machine);
  EXPECT_THAT(text,
              HasSubstr("GPU NVIDIA H100, GPU-1: 132 multiprocessors, 80 GiB, at most 700 W"));
  EXPECT_THAT(text, HasSubstr("6000 Gop/s      6690   1.75   650\n"));
  EXPECT_THAT(text, HasSubstr("compute.dp.add: 1 threads have a wrong result"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80) << line;
}

}  // namespace
}  // namespace roofmark::cli
