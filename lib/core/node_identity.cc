// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/node_identity.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <map>
#include <string_view>

#include "lib/core/hash.h"
#include "lib/core/trim.h"

namespace roofmark {
namespace {

// A file of the kernel up to `end`, or as far as it goes; empty if it cannot be read.
std::string ReadUntil(const std::string& path, std::string_view end) {
  constexpr size_t kPiece = 4096, kMost = 256 * kPiece;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string text;
  size_t at = std::string::npos;
  while (at == std::string::npos && text.size() < kMost) {
    const size_t before = text.size();
    text.resize(before + kPiece);
    const ssize_t got = read(fd, text.data() + before, kPiece);
    text.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) break;
    at = text.find(end, before < end.size() ? 0 : before - end.size());
  }
  close(fd);
  return text.substr(0, at);
}

using Pairs = std::map<std::string, std::string, std::less<>>;

// Lines "key : value"; the first of each key.
Pairs ReadPairs(const std::string& path, std::string_view end) {
  Pairs pairs;
  const std::string text = ReadUntil(path, end);
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t length = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, length);
    rest.remove_prefix(std::min(length + 1, rest.size()));
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
std::string Pick(const Pairs& pairs, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const auto found = pairs.find(key); found != pairs.end()) return found->second;
  }
  return {};
}

std::string OneLine(const std::string& path) { return std::string(Trim(ReadUntil(path, "\n"))); }

}  // namespace

NodeIdentity ReadNodeIdentity(const std::string& root) {
  NodeIdentity node;
  const Pairs cpu = ReadPairs(root + "/proc/cpuinfo", "\n\n");
  const auto number = [&cpu](std::initializer_list<std::string_view> keys) {
    return static_cast<uint32_t>(Number(Pick(cpu, keys)));
  };
  node.cpu_vendor = Pick(cpu, {"vendor_id", "CPU implementer"});
  node.cpu_model = Pick(cpu, {"model name", "cpu"});
  node.cpu_family = number({"cpu family", "CPU architecture"});
  node.cpu_model_number = number({"model", "CPU part"});
  node.cpu_stepping = number({"stepping", "CPU revision"});
  node.microcode = Pick(cpu, {"microcode"});
  const std::string dmi = root + "/sys/class/dmi/id/";
  node.firmware =
      std::string(Trim(OneLine(dmi + "bios_vendor") + " " + OneLine(dmi + "bios_version")));
  // "24684092 kB"; the total stays as it is while the machine runs, other than a node's own figure.
  node.memory_bytes =
      Number(Pick(ReadPairs(root + "/proc/meminfo", "\nMemFree"), {"MemTotal"})) * 1024;
  return node;
}

uint64_t Gibibytes(uint64_t bytes) { return (bytes + (1u << 29)) >> 30; }

std::string KindOf(const NodeIdentity& node) {
  return fmt::format("{:016x}",
                     HashOf(fmt::format("{}|{}|{}|{}|{}|{}|{}", node.cpu_vendor, node.cpu_model,
                                        node.cpu_family, node.cpu_model_number, node.cpu_stepping,
                                        Gibibytes(node.memory_bytes), node.firmware)));
}

}  // namespace roofmark
