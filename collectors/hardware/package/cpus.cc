// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/cpus.h"

#include <fmt/format.h>

#include <charconv>
#include <map>

#include "lib/core/cpu_list.h"
#include "lib/core/file.h"
#include "lib/core/start_cpus.h"

namespace roofmark::package {

std::optional<uint32_t> PackageOf(uint32_t cpu, const std::string& root) {
  const auto text = ReadFile(
      fmt::format("{}/sys/devices/system/cpu/cpu{}/topology/physical_package_id", root, cpu));
  if (!text) return std::nullopt;
  uint32_t package = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), package);
  // -1: the kernel does not know. There is one package then.
  if (error != std::errc())
    return text->starts_with("-1") ? std::optional<uint32_t>(0) : std::nullopt;
  return package;
}

std::set<uint32_t> PackagesOfThisProcess(const std::string& root) {
  std::set<uint32_t> packages;
  for (const uint32_t cpu : ParseCpuList(UniteCpuLists(AffinityCpuList(), StartCpuList()))) {
    if (const auto package = PackageOf(cpu, root)) packages.insert(*package);
  }
  return packages;
}

std::set<uint32_t> OneCpuOfEachPackage(const std::string& root) {
  std::map<uint32_t, uint32_t> first;
  for (const uint32_t cpu : ParseCpuList(OnlineCpuList(root))) {
    if (const auto package = PackageOf(cpu, root)) first.try_emplace(*package, cpu);
  }
  std::set<uint32_t> cpus;
  for (const auto& [package, cpu] : first) cpus.insert(cpu);
  return cpus;
}

std::set<uint32_t> CpusIn(uint32_t package, const std::set<uint32_t>& cpus,
                          const std::string& root) {
  std::set<uint32_t> inside;
  for (const uint32_t cpu : cpus) {
    if (PackageOf(cpu, root) == package) inside.insert(cpu);
  }
  return inside;
}

}  // namespace roofmark::package
