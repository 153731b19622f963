// SPDX-License-Identifier: BSD-3-Clause
//
// Which packages the process runs on, and which CPUs a package has, as the kernel numbers them.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_CPUS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_CPUS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace roofmark::package {

// physical_package_id; no value for a CPU that is off line or unknown. `root` is put before /sys.
std::optional<uint32_t> PackageOf(uint32_t cpu, const std::string& root = "");

// Of the CPUs in the calling process's affinity mask.
std::set<uint32_t> PackagesOfThisProcess(const std::string& root = "");

// The first of each package that is on line.
std::set<uint32_t> OneCpuOfEachPackage(const std::string& root = "");

// Those of `cpus` that lie in `package`.
std::set<uint32_t> CpusIn(uint32_t package, const std::set<uint32_t>& cpus,
                          const std::string& root = "");

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_CPUS_H_
