// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_identity.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string_view>

#include "lib/core/cpu_list.h"
#include "lib/core/file.h"

namespace roofmark {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// The first line of a small file, or nothing.
std::string OneLine(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return {};
  return std::string(Trim(std::string_view(*text).substr(0, text->find('\n'))));
}

// "key : value" lines; the first of each key, so that the first CPU speaks for all.
std::map<std::string, std::string> ReadPairs(const std::string& path) {
  std::map<std::string, std::string> pairs;
  const auto text = ReadFile(path);
  if (!text) return pairs;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    pairs.emplace(Trim(line.substr(0, colon)), Trim(line.substr(colon + 1)));
  }
  return pairs;
}

// Decimal, or hexadecimal after 0x; 0 if it is neither. Stops at the first other character.
uint64_t Number(std::string_view text) {
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

// The first of `keys` that is there: x86 and ARM name the same things differently.
std::string Pick(const std::map<std::string, std::string>& pairs,
                 std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (const auto found = pairs.find(key); found != pairs.end()) return found->second;
  }
  return {};
}

uint64_t Fnv1a(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

uint64_t Gibibytes(uint64_t bytes) { return (bytes + (1u << 29)) >> 30; }

}  // namespace

void FillIdentity(Machine& machine, const std::string& root) {
  const auto cpu = ReadPairs(root + "/proc/cpuinfo");
  machine.cpu_vendor = Pick(cpu, {"vendor_id", "CPU implementer"});
  machine.cpu_model = Pick(cpu, {"model name", "cpu"});
  machine.cpu_family = static_cast<uint32_t>(Number(Pick(cpu, {"cpu family", "CPU architecture"})));
  machine.cpu_model_number = static_cast<uint32_t>(Number(Pick(cpu, {"model", "CPU part"})));
  machine.cpu_stepping = static_cast<uint32_t>(Number(Pick(cpu, {"stepping", "CPU revision"})));
  machine.microcode = Pick(cpu, {"microcode"});
  machine.kernel = OneLine(root + "/proc/sys/kernel/osrelease");
  const std::string dmi = root + "/sys/class/dmi/id/";
  machine.firmware =
      std::string(Trim(OneLine(dmi + "bios_vendor") + " " + OneLine(dmi + "bios_version")));
  // "24684092 kB"; the total stays as it is while the machine runs, other than a node's own figure.
  machine.memory_bytes = Number(Pick(ReadPairs(root + "/proc/meminfo"), {"MemTotal"})) * 1024;
  machine.cpuset = AffinityCpuList();
}

std::string MachineKey(const Machine& machine) {
  return fmt::format(
      "{:016x}",
      Fnv1a(fmt::format("{}|{}|{}|{}|{}|{}|{}", machine.cpu_vendor, machine.cpu_model,
                        machine.cpu_family, machine.cpu_model_number, machine.cpu_stepping,
                        Gibibytes(machine.memory_bytes), machine.firmware)));
}

std::vector<std::string> StaleReasons(const Machine& measured, const Machine& now) {
  std::vector<std::string> reasons;
  const auto compare = [&reasons](const char* what, const std::string& then,
                                  const std::string& today) {
    if (then != today) reasons.push_back(fmt::format("other {}: {}, now {}", what, then, today));
  };
  const auto cpu = [](const Machine& m) {
    return fmt::format("{} {} (family {} model {} stepping {})", m.cpu_vendor, m.cpu_model,
                       m.cpu_family, m.cpu_model_number, m.cpu_stepping);
  };
  compare("CPU", cpu(measured), cpu(now));
  compare("cpuset", measured.cpuset, now.cpuset);
  compare("microcode", measured.microcode, now.microcode);
  compare("kernel", measured.kernel, now.kernel);
  compare("firmware", measured.firmware, now.firmware);
  if (Gibibytes(measured.memory_bytes) != Gibibytes(now.memory_bytes)) {
    compare("memory", fmt::format("{} GiB", Gibibytes(measured.memory_bytes)),
            fmt::format("{} GiB", Gibibytes(now.memory_bytes)));
  }
  return reasons;
}

}  // namespace roofmark
