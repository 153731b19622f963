// SPDX-License-Identifier: BSD-3-Clause
//
// What the kernel's driver of NVIDIA's GPUs says of itself, without CUDA.
#ifndef ROOFMARK_COLLECTORS_CUPTI_DRIVER_H_
#define ROOFMARK_COLLECTORS_CUPTI_DRIVER_H_

#include <string>
#include <vector>

namespace roofmark::cupti {

struct Gpu {
  std::string model, uuid;  // empty where the driver does not say
};

struct DriverFacts {
  bool loaded = false;
  std::string version;  // a line
  std::vector<Gpu> gpus;
  bool administrators_only = false;  // may read counters
};

// `root` is /proc/driver/nvidia but in tests.
DriverFacts ReadDriver(const std::string& root = "/proc/driver/nvidia");

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_DRIVER_H_
