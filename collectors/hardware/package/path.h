// SPDX-License-Identifier: BSD-3-Clause
//
// A region of this process, with its records in the packages that the process runs on.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PATH_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PATH_H_

#include <array>
#include <atomic>
#include <cstdint>

#include "collectors/hardware/package/packages.h"

namespace roofmark::package {

struct Packages::Path {
  uint32_t parent = 0;
  std::atomic<uint32_t> inside{0};  // flows of control
  // By Packages::mine_. With switch_mutex_: how often this process has opened the region there.
  std::array<Entry*, kMostPackages> entry{};
  std::array<uint32_t, kMostPackages> opened{};
};

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PATH_H_
